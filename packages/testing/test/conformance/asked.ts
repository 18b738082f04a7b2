import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** One thing that a server asks its client. */
export interface Asked {
  readonly method: string;
  readonly params?: unknown;
}

/** What the client was asked: by requests of the server's own in a session, by results on 2026-07-28. */
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
