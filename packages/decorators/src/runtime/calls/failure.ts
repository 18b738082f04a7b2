import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/server';

import { ToolError } from '../../results/tool-error.ts';
import type { ErrorListener } from '../hooks/hooks.ts';

/** Maximum length of an error text. Some hosts remove the middle of errors of more than 10,000 characters. */
const MAX_CHARACTERS = 8000;
/** Maximum length of the hint of a cut error text; the message gets the remaining characters. */
const MAX_HINT_CHARACTERS = 2000;
/** Number of characters reserved for the note that reports the cut. */
const MARKER_CHARACTERS = 60;

/** Codes of errors that the client's parameters did not cause; the JSON-RPC code is then −32603 instead of −32602. */
const NOT_THE_PARAMS = new Set(['INTERNAL', 'NO_ANSWER', 'OVERLOADED', 'RATE_LIMITED', 'TIMEOUT']);

interface FailedPrimitive {
  readonly place: string;
  readonly definition: { readonly name: string };
}

interface FailedToolOptions {
  readonly report: ErrorListener;
  /**
   * Whether the data of a `ToolError` is sent. Some hosts show the model the whole `_meta` of a failed tool, in
   * addition to the text.
   */
  readonly sendsData: boolean;
}

/** Returns the result of a tool that threw: the text of a `ToolError`; for any other error only that it was internal. */
export function toFailedResult(error: unknown, tool: FailedPrimitive, { report, sendsData }: FailedToolOptions): CallToolResult {
  if (ToolError.is(error)) {
    const data = sendsData ? getJsonData(error, tool, report) : undefined;
    const facts = { code: error.code, ...(data !== undefined && { data }) };
    return { content: [{ type: 'text', text: limitText(error) }], isError: true, _meta: { error: facts } };
  }
  report(error, tool.place);
  return { content: [{ type: 'text', text: describeInternal(tool) }], isError: true, _meta: { error: { code: 'INTERNAL' } } };
}

/**
 * Returns the JSON-RPC error of a prompt or resource that threw, by the same rule as {@link toFailedResult}. A
 * `ProtocolError` is returned unchanged.
 */
export function toProtocolError(error: unknown, primitive: FailedPrimitive, report: ErrorListener): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (ToolError.is(error)) {
    const code = NOT_THE_PARAMS.has(error.code) ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
    return new ProtocolError(code, limitText(error), { ...getJsonData(error, primitive, report), code: error.code });
  }
  report(error, primitive.place);
  return new ProtocolError(ProtocolErrorCode.InternalError, describeInternal(primitive), { code: 'INTERNAL' });
}

/**
 * Returns the data of an error. Omits data that cannot be serialized as JSON: the response could not be sent, and the client
 * would wait.
 */
function getJsonData({ code, data }: ToolError, { place }: FailedPrimitive, report: ErrorListener): ToolError['data'] {
  try {
    JSON.stringify(data);
    return data;
  } catch (cause) {
    report(new TypeError(`the data of the ToolError ${code} cannot be serialized as JSON`, { cause }), place);
    return undefined;
  }
}

function describeInternal({ definition }: FailedPrimitive): string {
  return `INTERNAL: ${definition.name} failed because of an internal error`;
}

/**
 * Returns the text of an error, cut to at most 8,000 characters. If the message is cut, the hint still follows, itself cut to at
 * most 2,000 characters.
 */
function limitText({ text, code, message, hint }: Pick<ToolError, 'text' | 'code' | 'message' | 'hint'>): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const remedy = hint === undefined ? '' : `\n${cut(hint, MAX_HINT_CHARACTERS)}`;
  return cut(`${code}: ${message}`, MAX_CHARACTERS - remedy.length) + remedy;
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Removes half of a surrogate pair that the cut may leave at the end.
  const kept = text.slice(0, most - MARKER_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… [${text.length - kept.length} more characters were cut]`;
}
