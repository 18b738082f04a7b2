import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Session } from '@org/mcp-testing';

import { vi, type Mock } from 'vitest';

/** Records every message that the client of a session receives from now on, in order of arrival. */
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

/** A promise and the function that resolves it. */
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

/** Creates a listener for `onError` that records its calls. */
export function errorListener(): Mock<(error: unknown, place: string) => void> {
  return vi.fn<(error: unknown, place: string) => void>();
}
