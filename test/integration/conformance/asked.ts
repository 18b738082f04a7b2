import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** A request for input from the server to its client. */
export interface Asked {
  readonly method: string;
  readonly params?: unknown;
}

/** Returns the requests for input that the client received: messages in a session, and parts of results on 2026-07-28. */
export function askedIn(messages: readonly JSONRPCMessage[]): readonly Asked[] {
  return messages.flatMap((message) => {
    if ('method' in message) return 'id' in message ? [{ method: message.method, params: message.params }] : [];
    const requests: unknown = 'result' in message ? message.result['inputRequests'] : undefined;
    return isRequests(requests) ? Object.values(requests) : [];
  });
}

function isRequests(value: unknown): value is Readonly<Record<string, Asked>> {
  return typeof value === 'object' && value !== null;
}
