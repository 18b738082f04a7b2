import type { JSONRPCMessage, JSONRPCNotification, RequestId } from '@modelcontextprotocol/server';

/** The request that a message cancels. */
export function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id: unknown = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** Creates the notification with which a client cancels a request. */
export function cancellation(requestId: RequestId, reason: string): JSONRPCNotification {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } };
}
