import {
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  type JSONRPCErrorResponse,
  type JSONRPCResultResponse,
} from '@modelcontextprotocol/server';
import { ToolError } from '@org/mcp-decorators';

import { createErrorResponse } from './json-rpc.ts';

type Response = JSONRPCResultResponse | JSONRPCErrorResponse;

const MIB = 1024 * 1024;
const KIB = 1024;

/**
 * Maximum size of a response in bytes of JSON. The SDK's client ends the connection if its buffer exceeds 10 MiB; the buffer may
 * also contain up to 64 KiB of the next message.
 */
export const MAX_RESULT: number = 10 * MIB - 64 * KIB;

/** Creates the replacement for a response that is too large: a failed result for a tool call, an error for other requests. */
export function createTooLargeResponse(response: Response, method: string | undefined, maxBytes: number): Response {
  const message = `the response is larger than ${(maxBytes / MIB).toFixed(1)} MiB, the maximum size`;
  const { code, text } = new ToolError('TOO_LARGE', message, { hint: 'request less data at once' });
  if (method !== 'tools/call' || !('result' in response))
    return createErrorResponse(response.id, ProtocolErrorCode.InvalidParams, text, { code });
  const { resultType, _meta: { [SERVER_INFO_META_KEY]: serverInfo } = {} } = response.result;
  return {
    ...response,
    result: {
      ...(resultType !== undefined && { resultType }),
      content: [{ type: 'text', text }],
      isError: true,
      _meta: { ...(serverInfo !== undefined && { [SERVER_INFO_META_KEY]: serverInfo }), error: { code } },
    },
  };
}
