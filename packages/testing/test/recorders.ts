import type { JSONRPCMessage } from '@modelcontextprotocol/client';

import { vi, type Mock } from 'vitest';

import type { Session } from '../src/index.ts';

/** Every message that reaches the session's client from now on, in the order of its arrival. */
export function recordWire({ client }: Session): readonly JSONRPCMessage[] {
  const { transport } = client;
  const deliver = transport?.onmessage;
  if (transport === undefined || deliver === undefined) throw new Error('the client is not connected');
  const messages: JSONRPCMessage[] = [];
  transport.onmessage = (message, extra) => {
    messages.push(message);
    deliver(message, extra);
  };
  return messages;
}

/** A promise and what settles it. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
}

export function deferred<Value = void>(): Deferred<Value> {
  let settle: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
}

/** A listener for `onError` that remembers what it was told. */
export function errorListener(): Mock<(error: unknown, place: string) => void> {
  return vi.fn<(error: unknown, place: string) => void>();
}
