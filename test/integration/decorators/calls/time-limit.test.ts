import { Complete, McpServer, Prompt, RequestContext, Resource, Tool } from '@org/mcp-decorators';
import { serveConnection } from '@org/mcp-host';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { connect, ERAS } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { errorListener } from '../../support/recorders.ts';

class Name {
  @IsString() name!: string;
}

@McpServer({ name: 'hanging', version: '1.0.0' })
class Hanging {
  readonly signals: AbortSignal[] = [];

  @Tool({ description: 'Never end' })
  hang({ signal }: RequestContext): Promise<never> {
    this.signals.push(signal);
    return new Promise(() => undefined);
  }

  @Tool({ description: 'Never end, for a longer time', timeoutMs: 40 })
  patient(): Promise<never> {
    return new Promise(() => undefined);
  }

  @Resource({ uri: 'hanging://always' })
  resource(): Promise<never> {
    return new Promise(() => undefined);
  }

  @Prompt({ description: 'Never come' })
  prompt({ name: _ }: Name): Promise<never> {
    return new Promise(() => undefined);
  }

  @Complete({ prompt: 'prompt', argument: 'name' })
  names(): Promise<never> {
    return new Promise(() => undefined);
  }
}

const TIMED_OUT = { code: -32_603, data: { code: 'TIMEOUT' } };

describe.each(ERAS)('the time limit of all calls, in the %s era,', (era) => {
  it('ends a call of a tool without its own time limit', async () => {
    const server = new Hanging();
    const onError = errorListener();
    await using session = await connect(server, { era, onError, timeoutMs: 20 });
    expect(await session.fails('hang')).toBe('TIMEOUT: hang took longer than 20 ms');
    expect(await session.fails('patient')).toBe('TIMEOUT: patient took longer than 40 ms');
    expect(server.signals[0]?.reason).toMatchObject({ code: 'TIMEOUT' });
    expect(onError).not.toHaveBeenCalled();
  });

  it('ends a resource, a prompt and a completion that take too long', async () => {
    await using session = await connect(new Hanging(), { era, timeoutMs: 20 });
    const { client } = session;
    const ref = { type: 'ref/prompt', name: 'prompt' } as const;
    await expect(client.readResource({ uri: 'hanging://always' })).rejects.toMatchObject(TIMED_OUT);
    await expect(client.getPrompt({ name: 'prompt', arguments: { name: 'x' } })).rejects.toMatchObject(TIMED_OUT);
    await expect(client.complete({ ref, argument: { name: 'name', value: '' } })).rejects.toMatchObject(TIMED_OUT);
  });
});

it.each([0, -1, 1.5, Number.NaN, 2 ** 31])('serverFactory rejects a time limit of %d ms', (timeoutMs) => {
  const [, transport] = InMemoryTransport.createLinkedPair();
  expect(() => serveConnection(new Hanging(), transport, { timeoutMs })).toThrow(RangeError);
});
