import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import {
  ChangeBus,
  McpServer,
  Prompt,
  RequestContext,
  Resource,
  Tool,
  type CompiledTool,
  type ListKind,
} from '@org/mcp-decorators';
import { serveConnection } from '@org/mcp-host';
import { connect, ERAS, type Era, type Session } from '@org/mcp-testing';
import { IsIn } from 'class-validator';
import { describe, expect, it, vi } from 'vitest';

import { Inbox } from '../../support/inbox.ts';
import { deferred, recordWire, type Deferred } from '../../support/recorders.ts';

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

/** Subscribes to a list in the way of the era. Resolves to a deferred value that the notification settles. */
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

  it('can be announced by the server object itself, and clients then receive the new list', async () => {
    const server = new Changing();
    const isToolEnabled = ({ definition }: CompiledTool): boolean => definition.name !== 'sometimes' || server.shown;
    await using session = await connect(server, { era, isToolEnabled });
    expect(await session.toolNames()).toEqual(['announce']);
    await expect(session.call('sometimes')).rejects.toMatchObject({ code: -32_602 });
    const heard = await listen(session, 'tools', era);
    server.shown = true;
    ChangeBus.of(server).publish({ kind: 'tools_list_changed' });
    await heard.promise;
    expect(await session.toolNames()).toEqual(['announce', 'sometimes']);
    expect(await session.text('sometimes')).toBe('there');
  });

  it('is not announced to a client that has disconnected, and this causes no error', async () => {
    const server = new Changing();
    const errors: Error[] = [];
    const gone = await connect(server, { era, onTransportError: (error) => errors.push(error) });
    await gone[Symbol.asyncDispose]();
    await using session = await connect(server, { era });
    const heard = await listen(session, 'tools', era);
    await session.toolNames();
    ChangeBus.of(server).publish({ kind: 'tools_list_changed' });
    await heard.promise;
    expect(errors).toEqual([]);
  });
});

describe.each(ERAS)('a list of a kind that a server does not offer, in the %s era,', (era) => {
  it('is not announced, and this causes no error', async () => {
    @McpServer({ name: 'tools-only', version: '1.0.0' })
    class ToolsOnly {
      @Tool({ description: 'Announce changes' }) announce(context: RequestContext): void {
        context.listChanged('prompts');
        context.listChanged('resources');
        context.resourceUpdated('changing://x');
        context.listChanged('tools');
      }
    }
    const onTransportError = vi.fn<(error: Error) => void>();
    await using session = await connect(new ToolsOnly(), { era, onTransportError });
    const heard = await listen(session, 'tools', era);
    const wire = recordWire(session);
    await session.call('announce');
    await heard.promise;
    const notified = wire.flatMap((message) => ('method' in message ? [message.method] : []));
    expect(notified).toEqual(['notifications/tools/list_changed']);
    expect(onTransportError).not.toHaveBeenCalled();
  });
});

describe('a session', () => {
  it('sends no changes before its client is ready', async () => {
    const server = new Changing();
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const handle = serveConnection(server, serverSide);
    const messages = new Inbox<JSONRPCMessage>();
    clientSide.onmessage = (message) => messages.add(message);
    await clientSide.start();
    const clientInfo = { name: 'raw', version: '1.0.0' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await clientSide.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    ChangeBus.of(server).publish({ kind: 'tools_list_changed' });
    await messages.next();
    ChangeBus.of(server).publish({ kind: 'tools_list_changed' });
    await clientSide.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await clientSide.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await messages.next();
    expect(messages.all).toMatchObject([{ id: 1 }, { id: 2 }]);
    ChangeBus.of(server).publish({ kind: 'tools_list_changed' });
    expect(await messages.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await handle.close();
  });
});
