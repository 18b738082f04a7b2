import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/server';

/** An answer that says what went wrong; without an id where it is not known which request it is for, because MCP allows no null. */
export function errorAnswer(id: RequestId | undefined, code: number, message: string, data?: unknown): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message, ...(data !== undefined && { data }) } };
}

/** The log line of a request that is not run: an answer to it could not be told from the first one's. */
export function duplicateRequest(id: RequestId, method: string): Error {
  return new Error(
    `a request (${method.slice(0, 100)}) has the id ${JSON.stringify(id).slice(0, 100)} of one that is in flight; it is not run`,
  );
}
