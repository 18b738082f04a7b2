import { ProtocolError } from '@modelcontextprotocol/server';
import { Complete, McpServer, Prompt, RequestContext, Resource, Tool, ToolError, type CallObserver } from '@org/mcp-decorators';
import { connect, ERAS, type Session } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { deferred } from '../../support/recorders.ts';

class Name {
  @IsString() name!: string;
}

@McpServer({ name: 'observed', version: '1.0.0' })
class Observed {
  readonly started = deferred();

  @Tool({ description: 'Succeed' }) succeed(): string {
    return 'done';
  }
  @Tool({ description: 'Say that it failed' }) failed(): object {
    return { content: [], isError: true };
  }
  @Tool({ description: 'Fail' }) refuse({ name }: Name): never {
    throw new ToolError('NOT_FOUND', `no ${name}`);
  }
  @Tool({ description: 'Break' }) break(): never {
    throw new Error('hidden');
  }
  @Tool({ description: 'Break with an error of the protocol' }) breakProtocol(): never {
    throw new ProtocolError(-32_000, 'no');
  }
  @Tool({ description: 'Never end', timeoutMs: 20 }) hang(): Promise<never> {
    return new Promise(() => undefined);
  }
  @Tool({ description: 'Wait for its end' }) wait({ signal }: RequestContext): Promise<never> {
    this.started.resolve();
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }));
  }
  @Tool({ description: 'Once', rateLimit: { calls: 1, perSeconds: 3600 } }) once(): string {
    return 'done';
  }
  @Tool({ description: 'Ask' }) async ask(context: RequestContext): Promise<string> {
    return (await context.elicit('name', 'Who?', Name)).action;
  }
  @Resource({ uri: 'observed://all', name: 'everything' }) all(): string {
    return '';
  }
  @Resource({ uriTemplate: 'observed://one/{name}' }) one({ name }: Name): never {
    throw new ToolError('NOT_FOUND', `no ${name}`);
  }
  @Prompt({ description: 'Greet' }) greet({ name }: Name): string {
    return name;
  }
  @Prompt({ description: 'Refuse' }) refused(): never {
    throw new ProtocolError(-32_000, 'no');
  }
  @Complete({ prompt: 'greet', argument: 'name' }) names(): readonly string[] {
    return [];
  }
}

/** Creates an observer, and the list of its notifications in order: `kind name` for a start, `kind name: outcome` for an end. */
function observer(): { readonly observer: CallObserver; readonly told: string[] } {
  const told: string[] = [];
  return {
    told,
    observer: ({ kind, name }) => {
      told.push(`${kind} ${name}`);
      return (outcome) => told.push(`${kind} ${name}: ${outcome}`);
    },
  };
}

type Act = (session: Session) => Promise<unknown>;

const call =
  (name: string, given?: Record<string, unknown>): Act =>
  (session) =>
    session.call(name, given);

const ENDS: readonly (readonly [string, Act, string])[] = [
  ['a tool that succeeds', call('succeed'), 'tool succeed: ok'],
  ['a tool that says it failed', call('failed'), 'tool failed: TOOL_ERROR'],
  ['a tool that refuses', call('refuse', { name: 'x' }), 'tool refuse: NOT_FOUND'],
  ['a tool that breaks', call('break'), 'tool break: INTERNAL'],
  ['a tool that breaks with an error of the protocol', call('break_protocol'), 'tool break_protocol: INTERNAL'],
  ['a tool that takes too long', call('hang'), 'tool hang: TIMEOUT'],
  ['arguments that do not fit', call('refuse', { name: 1 }), 'tool refuse: INVALID_ARGUMENTS'],
  ['a resource', ({ client }) => client.readResource({ uri: 'observed://all' }), 'resource everything: ok'],
  ['a resource that is not there', ({ client }) => client.readResource({ uri: 'observed://one/x' }), 'resource one: NOT_FOUND'],
  ['a prompt', ({ client }) => client.getPrompt({ name: 'greet', arguments: { name: 'x' } }), 'prompt greet: ok'],
  ['a prompt that refuses', ({ client }) => client.getPrompt({ name: 'refused' }), 'prompt refused: PROTOCOL_ERROR'],
  [
    'a completion',
    ({ client }) => client.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'a' } }),
    'completion greet: ok',
  ],
];

describe.each(ERAS)('an observer, in the %s era,', (era) => {
  it.each(ENDS)('is notified of %s and of the outcome', async (_, act, ended) => {
    const { observer: told, ...seen } = observer();
    await using session = await connect(new Observed(), { era, observer: told });
    await act(session).catch(() => undefined);
    expect(seen.told).toEqual([ended.split(':')[0], ended]);
  });

  it('is notified of a call that the client cancelled', async () => {
    const server = new Observed();
    const { observer: told, ...seen } = observer();
    const controller = new AbortController();
    await using session = await connect(server, { era, observer: told });
    const calling = session.client.callTool({ name: 'wait' }, { signal: controller.signal });
    await server.started.promise;
    controller.abort();
    await expect(calling).rejects.toThrow();
    await session.call('succeed');
    expect(seen.told).toContain('tool wait: cancelled');
  });

  it('is notified of a call that a limit rejected', async () => {
    const { observer: told, ...seen } = observer();
    await using session = await connect(new Observed(), { era, observer: told });
    await session.call('once');
    await session.fails('once');
    expect(seen.told.filter((line) => line.includes(':'))).toEqual(['tool once: ok', 'tool once: RATE_LIMITED']);
  });

  it('is notified of each request of a call that requests input', async () => {
    const { observer: told, ...seen } = observer();
    await using session = await connect(new Observed(), { era, observer: told, answers: { elicitation: { name: 'Ada' } } });
    expect(await session.text('ask')).toBe('accept');
    const ends = seen.told.filter((line) => line.includes(':'));
    expect(ends).toEqual(era === 'modern' ? ['tool ask: asked', 'tool ask: ok'] : ['tool ask: ok']);
  });

  it('is not notified of calls with unknown names', async () => {
    const { observer: told, ...seen } = observer();
    await using session = await connect(new Observed(), { era, observer: told });
    await session.call('made_up').catch(() => undefined);
    await session.client.readResource({ uri: 'made://up' }).catch(() => undefined);
    await session.client.getPrompt({ name: 'made_up' }).catch(() => undefined);
    expect(seen.told).toEqual([]);
  });
});
