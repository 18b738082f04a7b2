import { InMemoryTransport, type JSONRPCMessage, type JSONRPCRequest } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import {
  McpServer,
  serverFactory,
  Text,
  Tool,
  ToolError,
  RequestContext,
  type DirectCall,
  type ProtocolServer,
} from '../../../src/index.ts';

class Named {
  @Text() name!: string;
}

class Greeting {
  @Text() text!: string;
}

class Region {
  @Text('Region', { header: 'Region' }) region!: string;
}

@McpServer({ name: 'direct', version: '1.0.0' })
class Greeter {
  @Tool({ description: 'Greets' }) greet({ name }: Named): string {
    return `Hello ${name}`;
  }
  @Tool({ description: 'Greets in a structure', output: Greeting }) structured({ name }: Named): Greeting {
    return { text: `Hello ${name}` };
  }
  @Tool({ description: 'Fails' }) fail(): never {
    throw new ToolError('CONFLICT', 'not now');
  }
  @Tool({ description: 'Has a parameter that is repeated in a header' }) regional({ region }: Region): string {
    return region;
  }
  @Tool({ description: 'Returns an image' }) image(): object {
    return { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] };
  }
  @Tool({ description: 'Waits for the end of the call' }) async wait({ signal }: RequestContext): Promise<string> {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(String(signal.reason))));
  }
  @Tool({ description: 'Reads its signal when it is released' }) async late(context: RequestContext): Promise<string> {
    await released;
    return `${context.signal.aborted}: ${String(context.signal.reason)}`;
  }
}

let release: () => void = () => undefined;
const released = new Promise<void>((resolve) => {
  release = resolve;
});

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'client', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const call = (name: string, args: object = { name: 'Ada' }, more: object = {}): JSONRPCRequest => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args, ...more },
});

/** Sends requests to a protocol instance over a transport of the SDK. Resolves to the last response. */
async function sendBySdk(instance: ProtocolServer, ...requests: readonly JSONRPCRequest[]): Promise<JSONRPCMessage | undefined> {
  const [client, wire] = InMemoryTransport.createLinkedPair();
  await instance.connect(wire);
  let last: JSONRPCMessage | undefined;
  for (const request of requests) {
    last = await new Promise<JSONRPCMessage>((resolve) => {
      client.onmessage = resolve;
      void client.send(request);
    });
  }
  return last;
}

const INITIALIZE: JSONRPCRequest = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'client', version: '1' } },
};

async function openSession(): Promise<ProtocolServer> {
  const instance = serverFactory(new Greeter())({ era: 'legacy' });
  await sendBySdk(instance, INITIALIZE);
  return instance;
}

function begin({ directCalls }: ProtocolServer, request: JSONRPCRequest): DirectCall | undefined {
  return directCalls.begin(request, { extra: undefined, channel: { notify: () => Promise.resolve() } });
}

describe('a tool call in a session', () => {
  it.each([
    ['text', call('greet'), { content: [{ type: 'text', text: 'Hello Ada' }] }],
    ['structured content', call('structured'), { structuredContent: { text: 'Hello Ada' } }],
    ['an error of the tool', call('fail', {}), { isError: true }],
    ['invalid arguments', call('greet', {}), { isError: true }],
    ['a progress token', call('greet', { name: 'Ada' }, { _meta: { progressToken: 7 } }), { content: [{ text: 'Hello Ada' }] }],
  ])('runs without the SDK: %s', async (_, request, result) => {
    const running = begin(await openSession(), request);
    expect(await running?.response).toMatchObject({ jsonrpc: '2.0', id: 1, result });
  });

  it.each([
    ['an unknown tool', call('other')],
    ['a parameter that the protocol does not define', call('greet', {}, { task: { ttl: 1 } })],
    ['a state of several rounds', call('greet', {}, { requestState: 'x' })],
    ['a reserved key', call('greet', {}, { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'x' } } })],
    ['an envelope of 2026-07-28', call('greet', {}, { _meta: ENVELOPE })],
    ['a progress token that is an object', call('greet', {}, { _meta: { progressToken: {} } })],
    ['arguments that are a list', call('greet', [])],
    ['arguments with a prototype', call('greet', JSON.parse('{"__proto__":{"name":"Ada"}}') as object)],
    ['a parameter that a header repeats', call('regional', { region: 'eu' })],
    ['a fractional id', { ...call('greet'), id: 1.5 }],
    ['a further member', { ...call('greet'), extra: true }],
    ['another method', { ...call('greet'), method: 'tools/list' }],
  ])('is left to the SDK: %s', async (_, request) => {
    expect(begin(await openSession(), request)).toBeUndefined();
  });

  it('is left to the SDK before the session is initialized', () => {
    expect(begin(serverFactory(new Greeter())({ era: 'legacy' }), call('greet'))).toBeUndefined();
  });

  it('has no response of its own for content other than text, which the SDK checks', async () => {
    const running = begin(await openSession(), call('image', {}));
    expect(await running?.response).toBeUndefined();
    expect(await running?.outcome).toMatchObject({ content: [{ type: 'image' }] });
  });

  it('ends at once when it is cancelled, and its method sees the reason', async () => {
    const running = begin(await openSession(), call('wait', {}));
    await Promise.resolve();
    running?.cancel('enough');
    expect(await running?.response).toBeUndefined();
    expect(await running?.outcome).toMatchObject({ content: [{ text: 'enough' }] });
  });

  it('aborts a signal that its method reads only after the cancellation, with the first reason', async () => {
    const running = begin(await openSession(), call('late', {}));
    await Promise.resolve();
    running?.cancel('enough');
    running?.cancel('later');
    release();
    expect(await running?.outcome).toMatchObject({ content: [{ text: 'true: enough' }] });
  });

  it('does not start its method if it is cancelled at once', async () => {
    const running = begin(await openSession(), call('greet'));
    running?.cancel(new Error('gone'));
    await expect(running?.outcome).rejects.toThrow('gone');
  });
});

describe('a tool call of 2026-07-28', () => {
  it('is left to the SDK until the SDK has accepted the description of the client', async () => {
    const factory = serverFactory(new Greeter());
    const request = call('greet', { name: 'Ada' }, { _meta: ENVELOPE });
    expect(begin(factory({ era: 'modern' }), request)).toBeUndefined();
  });

  it('runs without the SDK once the SDK has accepted the same description', async () => {
    const factory = serverFactory(new Greeter());
    const request = call('greet', { name: 'Ada' }, { _meta: ENVELOPE });
    await sendBySdk(factory({ era: 'modern' }), request);
    const result = { content: [{ type: 'text', text: 'Hello Ada' }], resultType: 'complete' };
    expect(await begin(factory({ era: 'modern' }), request)?.response).toMatchObject({ result });
  });

  it('is left to the SDK if only a session has sent the description, because the SDK does not check it there', async () => {
    const factory = serverFactory(new Greeter());
    const described = { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': 'all' };
    const request = call('greet', { name: 'Ada' }, { _meta: described });
    const answer = await sendBySdk(factory({ era: 'legacy' }), INITIALIZE, request);
    expect(answer).toMatchObject({ result: { content: [{ text: 'Hello Ada' }] } });
    expect(begin(factory({ era: 'modern' }), request)).toBeUndefined();
  });
});
