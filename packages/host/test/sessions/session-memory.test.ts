import { describe, expect, it } from 'vitest';

import { SessionMemory } from '../../src/sessions/session-memory.ts';

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'client', version: '1' } };

/** Passes a request and its answer to the memory. Returns whether the answer changed the state that must be stored. */
function exchange(
  memory: SessionMemory,
  method: string,
  params: Record<string, unknown>,
  answer: 'result' | 'error' = 'result',
): boolean {
  memory.receive({ jsonrpc: '2.0', id: 1, method, params });
  return memory.send({
    jsonrpc: '2.0',
    id: 1,
    ...(answer === 'result' ? { result: {} } : { error: { code: -1, message: 'no' } }),
  } as never);
}

describe('the memory of a session', () => {
  it('has what the client has set up', () => {
    const memory = new SessionMemory();
    expect(exchange(memory, 'initialize', INITIALIZE)).toBe(true);
    expect(exchange(memory, 'logging/setLevel', { level: 'error' })).toBe(true);
    expect(exchange(memory, 'resources/subscribe', { uri: 'a:1' })).toBe(true);
    expect(exchange(memory, 'resources/subscribe', { uri: 'a:2' })).toBe(true);
    expect(exchange(memory, 'resources/unsubscribe', { uri: 'a:1' })).toBe(true);
    const state = { initialize: INITIALIZE, level: 'error', subscribed: ['a:2'] };
    expect(memory.state).toEqual(state);
    expect(new SessionMemory(state).state).toEqual(state);
  });

  it('ignores other requests, failures, answers without a request, and repetitions', () => {
    const memory = new SessionMemory();
    expect(exchange(memory, 'tools/call', { name: 'x' })).toBe(false);
    expect(exchange(memory, 'resources/subscribe', { uri: 'a:1' }, 'error')).toBe(false);
    expect(memory.send({ jsonrpc: '2.0', id: 1, result: {} })).toBe(false);
    expect(exchange(memory, 'resources/unsubscribe', { uri: 'a:1' })).toBe(false);
    exchange(memory, 'resources/subscribe', { uri: 'a:2' });
    expect(exchange(memory, 'resources/subscribe', { uri: 'a:2' })).toBe(false);
    expect(memory.state.subscribed).toEqual(['a:2']);
  });

  it('keeps no request that the client has cancelled, and applies no answer to it', () => {
    const memory = new SessionMemory();
    memory.receive({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: 'a:1' } });
    memory.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(memory.send({ jsonrpc: '2.0', id: 1, result: {} })).toBe(false);
  });

  it('has URIs of up to 1,000,000 characters together', () => {
    const memory = new SessionMemory();
    const uris = Array.from({ length: 11 }, (_, number) => `a:${number}`.padEnd(100_000, 'x'));
    expect(uris.map((uri) => exchange(memory, 'resources/subscribe', { uri }))).toEqual([...Array(10).fill(true), false]);
    expect(exchange(memory, 'resources/unsubscribe', { uri: uris[0] })).toBe(true);
    expect(exchange(memory, 'resources/subscribe', { uri: uris[10] })).toBe(true);
    expect(new SessionMemory(memory.state).state.subscribed).toHaveLength(10);
  });
});
