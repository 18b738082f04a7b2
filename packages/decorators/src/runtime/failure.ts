import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/server';

import { ToolError } from '../errors.ts';
import { boundedText } from './bounded-text.ts';

/** Told of every error that is hidden from the client, with the `Class.method` it came from. */
export type ErrorListener = (error: unknown, place: string) => void;

/** The codes of a `ToolError` that do not speak of the client's params. */
const NOT_THE_PARAMS = new Set(['INTERNAL', 'NO_ANSWER', 'OVERLOADED', 'RATE_LIMITED', 'TIMEOUT']);

/** Where hidden errors of a request go: nowhere once it was cancelled, because then they are its consequence. */
export function reporterFor(onError: ErrorListener, signal: AbortSignal): ErrorListener {
  return signal.aborted ? () => undefined : onError;
}

interface Failing {
  readonly place: string;
  readonly definition: { readonly name: string };
}

interface FailedToolOptions {
  readonly report: ErrorListener;
  /** Whether the data of a `ToolError` is sent. Two hosts show the model all of `_meta` of a failed tool, beside the text. */
  readonly sendsData: boolean;
}

/** Returns the result of a tool that threw: a `ToolError` as it is, anything else only as an internal error. */
export function failedTool(error: unknown, tool: Failing, { report, sendsData }: FailedToolOptions): CallToolResult {
  if (ToolError.is(error)) {
    const data = sendsData ? dataOf(error, tool, report) : undefined;
    const facts = { code: error.code, ...(data !== undefined && { data }) };
    return { content: [{ type: 'text', text: boundedText(error) }], isError: true, _meta: { error: facts } };
  }
  report(error, tool.place);
  return { content: [{ type: 'text', text: internal(tool) }], isError: true, _meta: { error: { code: 'INTERNAL' } } };
}

/** The JSON-RPC error of a prompt or resource that threw, by the same rule; one that was thrown as such stays as it is. */
export function failedRequest(error: unknown, primitive: Failing, report: ErrorListener): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (ToolError.is(error)) {
    const code = NOT_THE_PARAMS.has(error.code) ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
    return new ProtocolError(code, boundedText(error), { ...dataOf(error, primitive, report), code: error.code });
  }
  report(error, primitive.place);
  return new ProtocolError(ProtocolErrorCode.InternalError, internal(primitive), { code: 'INTERNAL' });
}

/** Left out if it is not JSON: nothing could be sent with it, and the client would wait. */
function dataOf({ code, data }: ToolError, { place }: Failing, report: ErrorListener): ToolError['data'] {
  try {
    JSON.stringify(data);
    return data;
  } catch (cause) {
    report(new TypeError(`the data of the ToolError ${code} is not JSON`, { cause }), place);
    return undefined;
  }
}

function internal({ definition }: Failing): string {
  return `INTERNAL: ${definition.name} failed because of an internal error`;
}
