import { InMemoryTransport, PROTOCOL_VERSION_META_KEY, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { ProtocolTransport } from '../../src/protocol/protocol-transport.ts';
import type { TextTransport } from '../../src/protocol/text-transport.ts';

const _meta = { [PROTOCOL_VERSION_META_KEY]: '2026-07-28' };
const REQUEST: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', _meta } };

interface Wrapped {
  readonly transport: ProtocolTransport;
  /** The client end of the transport. */
  readonly client: InMemoryTransport;
  readonly received: JSONRPCMessage[];
  readonly sent: JSONRPCMessage[];
  readonly errors: string[];
}

async function wrapped(maxResult?: number): Promise<Wrapped> {
  const [client, wire] = InMemoryTransport.createLinkedPair();
  const errors: string[] = [];
  const onError = ({ message }: Error): void => void errors.push(message);
  const transport = new ProtocolTransport(wire, { onError, ...(maxResult !== undefined && { maxResult }) });
  const received: JSONRPCMessage[] = [];
  const sent: JSONRPCMessage[] = [];
  transport.onmessage = (message) => received.push(message);
  client.onmessage = (message) => sent.push(message);
  await Promise.all([transport.start(), client.start()]);
  return { transport, client, received, sent, errors };
}

describe('the protocol transport', () => {
  it('passes messages on unchanged if no rule applies', async () => {
    const { transport, client, received, sent } = await wrapped();
    const answer: JSONRPCMessage = { jsonrpc: '2.0', id: 1, result: { content: [] } };
    await client.send(REQUEST);
    await transport.send(answer);
    expect(received[0]).toBe(REQUEST);
    expect(sent[0]).toBe(answer);
  });

  it('answers with an error if the response cannot be serialized as JSON', async () => {
    const { transport, client, sent, errors } = await wrapped();
    await client.send(REQUEST);
    await transport.send({ jsonrpc: '2.0', id: 1, result: { content: [], count: 1n } });
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'The response cannot be serialized as JSON' } },
    ]);
    expect(errors).toEqual([expect.stringContaining('BigInt')]);
  });

  it('treats a response that exceeds the maximum string length as too large', async () => {
    const { transport, client, sent } = await wrapped();
    await client.send(REQUEST);
    const tooLong = {
      toJSON() {
        throw new RangeError('Invalid string length');
      },
    };
    await transport.send({ jsonrpc: '2.0', id: 1, result: { content: [], tooLong } });
    expect(sent).toMatchObject([{ id: 1, result: { isError: true, _meta: { error: { code: 'TOO_LARGE' } } } }]);
  });

  it.each([
    ['a result', { result: { text: 'x'.repeat(300) } }],
    ['an error', { error: { code: -32_000, message: 'x'.repeat(300) } }],
  ])('sends nothing above its limit: %s', async (_, answer) => {
    const { transport, client, sent } = await wrapped(300);
    await client.send({ ...REQUEST, method: 'prompts/get' });
    await transport.send({ jsonrpc: '2.0', id: 1, ...answer });
    expect(sent).toMatchObject([{ id: 1, error: { code: -32_602, data: { code: 'TOO_LARGE' } } }]);
  });

  it('reports a request with the id of a request in flight once', async () => {
    const { client, received, errors } = await wrapped();
    await client.send(REQUEST);
    await client.send(REQUEST);
    expect(received).toHaveLength(1);
    expect(errors).toEqual(['ignored a request (tools/call): its id 1 belongs to a request in flight']);
  });

  it('sends no response to a client that is gone', async () => {
    const { transport, client, sent, errors } = await wrapped();
    let closings = 0;
    transport.onclose = () => (closings += 1);
    await client.send(REQUEST);
    await client.close();
    await transport.close();
    expect({ sent, errors, closings }).toEqual({ sent: [], errors: [], closings: 1 });
  });

  it('serializes a response once if the wire accepts text', async () => {
    const texts: string[] = [];
    const wire: TextTransport = {
      start: () => Promise.resolve(),
      send: () => Promise.reject(new Error('this takes text')),
      sendText: (text) => Promise.resolve(void texts.push(text)),
      close: () => Promise.resolve(),
    };
    const transport = new ProtocolTransport(wire, { onError: () => undefined });
    await transport.start();
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    expect(texts).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}']);
  });
});
