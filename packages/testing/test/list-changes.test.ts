import { ListChanges, McpServer, Prompt, RequestContext, Resource, Tool, type ListKind } from '@org/mcp-decorators';
import { IsIn } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { connect, ERAS, type Era, type Session } from '../src/index.ts';
import { deferred, type Deferred } from './recorders.ts';

const KINDS = ['tools', 'prompts', 'resources'] as const;

class Kind {
  @IsIn(KINDS) kind!: ListKind;
}

@McpServer({ name: 'changing', version: '1.0.0' })
class Changing {
  shown = false;

  @Tool({ description: 'Announce a change' })
  announce({ kind }: Kind, context: RequestContext): void {
    context.listChanged(kind);
  }

  @Tool({ description: 'Not always there' }) sometimes(): string {
    return 'there';
  }
  @Prompt({ description: 'Greet' }) greet(): string {
    return 'Hello';
  }
  @Resource({ uri: 'changing://x' }) x(): string {
    return 'x';
  }
}

/** Listens in the way of the era; what it resolves to is settled by the notification. */
async function listen({ client }: Session, kind: ListKind, era: Era): Promise<Deferred<void>> {
  const heard = deferred();
  client.setNotificationHandler(`notifications/${kind}/list_changed`, () => heard.resolve());
  if (era === 'modern') await client.listen({ [`${kind}ListChanged`]: true });
  return heard;
}

describe.each(ERAS)('a list that changes, in the %s era,', (era) => {
  it.each(KINDS)('of %s is announced by a method to every client of the server', async (kind) => {
    const server = new Changing();
    await using one = await connect(server, { era });
    await using other = await connect(server, { era });
    const heard = await Promise.all([one, other].map((session) => listen(session, kind, era)));
    await one.call('announce', { kind });
    await Promise.all(heard.map(({ promise }) => promise));
  });

  it('is announced by the server object itself, and is then another one', async () => {
    const server = new Changing();
    const offers = ({ name }: { readonly name: string }): boolean => name !== 'sometimes' || server.shown;
    await using session = await connect(server, { era, offers });
    expect(await session.toolNames()).toEqual(['announce']);
    await expect(session.call('sometimes')).rejects.toMatchObject({ code: -32_602 });
    const heard = await listen(session, 'tools', era);
    server.shown = true;
    ListChanges.of(server).publish('tools');
    await heard.promise;
    expect(await session.toolNames()).toEqual(['announce', 'sometimes']);
    expect(await session.text('sometimes')).toBe('there');
  });

  it('is not announced to a client that has left, nor does that fail', async () => {
    const server = new Changing();
    const errors: Error[] = [];
    const gone = await connect(server, { era, onTransportError: (error) => errors.push(error) });
    await gone[Symbol.asyncDispose]();
    await using session = await connect(server, { era });
    const heard = await listen(session, 'tools', era);
    ListChanges.of(server).publish('tools');
    await heard.promise;
    expect(errors).toEqual([]);
  });
});
