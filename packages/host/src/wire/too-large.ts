import { ToolError } from '@org/mcp-decorators';
import {
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  type JSONRPCErrorResponse,
  type JSONRPCResultResponse,
} from '@modelcontextprotocol/server';

import { errorAnswer } from './error-answer.ts';

type Response = JSONRPCResultResponse | JSONRPCErrorResponse;

const MIB = 1024 * 1024;
const KIB = 1024;

/**
 * Bytes of an answer as JSON. The SDK's client ends the connection at a buffer of more than 10 MiB, to which a read of 64 KiB may
 * have added the beginning of the message after it.
 */
export const MAX_RESULT: number = 10 * MIB - 64 * KIB;

/** What is sent for an answer that is too large: the result of a tool that failed, an error for other requests. */
export function tooLarge(answer: Response, method: string | undefined, most: number): Response {
  const message = `the answer is larger than ${(most / MIB).toFixed(1)} MiB, which is the most that can be sent`;
  const { code, text } = new ToolError('TOO_LARGE', message, { hint: 'ask for less at once' });
  if (method !== 'tools/call' || !('result' in answer))
    return errorAnswer(answer.id, ProtocolErrorCode.InvalidParams, text, { code });
  const { resultType, _meta: { [SERVER_INFO_META_KEY]: serverInfo } = {} } = answer.result;
  return {
    ...answer,
    result: {
      ...(resultType !== undefined && { resultType }),
      content: [{ type: 'text', text }],
      isError: true,
      _meta: { ...(serverInfo !== undefined && { [SERVER_INFO_META_KEY]: serverInfo }), error: { code } },
    },
  };
}
