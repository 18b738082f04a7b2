import type { JSONRPCErrorResponse, JSONRPCMessage, JSONRPCNotification, RequestId } from '@modelcontextprotocol/server';

/** Whether a value has the members of a request: `method` and `id`. Their types are not checked. */
export function isRequest(value: unknown): value is { readonly method: unknown; readonly id: unknown } {
  return typeof value === 'object' && value !== null && 'method' in value && 'id' in value;
}

/** Returns the id of the request that a message cancels, or `undefined` if the message cancels no request. */
export function readCancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id: unknown = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** Creates the notification that cancels a request. */
export function createCancellation(requestId: RequestId, reason: string): JSONRPCNotification {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } };
}

/** Creates an error response. If the request is unknown, the response has no id, because MCP does not allow `null`. */
export function createErrorResponse(
  id: RequestId | undefined,
  code: number,
  message: string,
  data?: unknown,
): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message, ...(data !== undefined && { data }) } };
}

/**
 * Creates the error to log for an ignored request whose id belongs to another request in flight: the client could not
 * match two responses to their requests.
 */
export function duplicateRequest(id: RequestId, method: string): Error {
  const shownId = JSON.stringify(id).slice(0, 100);
  return new Error(`ignored a request (${method.slice(0, 100)}): its id ${shownId} belongs to a request in flight`);
}
