import {
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';

import { errorAnswer } from './error-answer.ts';

/** What is wrong with a value that is no message. */
export interface Refusal {
  /** One sentence. */
  readonly problem: string;
  /** What its sender is told; `undefined` for a notification, which is never answered. */
  readonly answer: JSONRPCErrorResponse | undefined;
  /** For an answer that cannot be read: what stands for it, so that whoever asked does not wait. */
  readonly standIn: JSONRPCErrorResponse | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const REQUEST = new Set(['jsonrpc', 'id', 'method', 'params']);
const NOTIFICATION = new Set(['jsonrpc', 'method', 'params']);
const RESULT = new Set(['jsonrpc', 'id', 'result']);
const ERROR = new Set(['jsonrpc', 'id', 'error']);

/**
 * Whether a value is a JSON-RPC message of MCP. It looks only at what the SDK looks at before it answers: what this lets through the
 * SDK answers, and what the SDK would drop without a word this refuses.
 */
export function isMessage(value: unknown): value is JSONRPCMessage {
  return problemOf(value) === undefined;
}

/** Why a value is no message, and who is to be told. */
export function refusalOf(value: unknown): Refusal {
  const { code, text: problem } = problemOf(value) ?? invalid('The value is a message');
  const fields = isObject(value) ? value : {};
  if (isNotification(fields)) return { problem, answer: undefined, standIn: undefined };
  const id = isId(fields['id']) ? fields['id'] : undefined;
  if (!isAnswer(fields)) return { problem, answer: errorAnswer(id, code, problem), standIn: undefined };
  // With its id, the refusal of an answer could be taken for the answer to a request of the client's own.
  const answer = errorAnswer(undefined, code, problem);
  return { problem, answer, standIn: id === undefined ? undefined : errorAnswer(id, code, problem) };
}

function isNotification(fields: Fields): boolean {
  return typeof fields['method'] === 'string' && !('id' in fields);
}

function isAnswer(fields: Fields): boolean {
  return !('method' in fields) && ('result' in fields || 'error' in fields);
}

interface Problem {
  readonly code: number;
  readonly text: string;
}

function problemOf(value: unknown): Problem | undefined {
  if (!isObject(value)) return invalid('A message must be an object');
  if (value['jsonrpc'] !== '2.0') return invalid('"jsonrpc" must be "2.0"');
  if (!('method' in value)) return problemOfResponse(value);
  if (typeof value['method'] !== 'string') return invalid('"method" must be a string');
  if (!('id' in value)) return extraMember(value, NOTIFICATION) ?? problemOfParams(value['params']);
  if (!isId(value['id'])) return invalid('"id" must be a string or an integer');
  return extraMember(value, REQUEST) ?? problemOfParams(value['params']);
}

function problemOfResponse(value: Fields): Problem | undefined {
  if ('result' in value) {
    if (!isId(value['id'])) return invalid('"id" must be a string or an integer');
    if (!isObject(value['result'])) return invalid('"result" must be an object');
    if (!isObjectOrAbsent(value['result']['_meta'])) return invalid('"result._meta" must be an object');
    return extraMember(value, RESULT);
  }
  if (!('error' in value)) return invalid('A message must have "method", "result" or "error"');
  if (value['id'] !== undefined && !isId(value['id'])) return invalid('"id" must be a string or an integer');
  return isError(value['error'])
    ? extraMember(value, ERROR)
    : invalid('"error" must have an integer "code" and a string "message"');
}

function problemOfParams(params: unknown): Problem | undefined {
  if (params === undefined) return undefined;
  if (!isObject(params)) return invalidParams('"params" must be an object');
  const meta = params['_meta'];
  if (meta === undefined) return undefined;
  if (!isObject(meta)) return invalidParams('"_meta" must be an object');
  const token = meta['progressToken'];
  if (token !== undefined && !isId(token)) return invalidParams('"_meta.progressToken" must be a string or an integer');
  const task = meta[RELATED_TASK_META_KEY];
  if (task === undefined || (isObject(task) && typeof task['taskId'] === 'string')) return undefined;
  return invalidParams(`"_meta[${RELATED_TASK_META_KEY}]" must have a string "taskId"`);
}

function extraMember(value: Fields, known: ReadonlySet<string>): Problem | undefined {
  for (const key in value) if (!known.has(key)) return invalid(`"${key.slice(0, 100)}" is no member of such a message`);
  return undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isObjectOrAbsent(value: unknown): boolean {
  return value === undefined || isObject(value);
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isError(value: unknown): boolean {
  return isObject(value) && Number.isSafeInteger(value['code']) && typeof value['message'] === 'string';
}

function invalid(text: string): Problem {
  return { code: ProtocolErrorCode.InvalidRequest, text };
}

function invalidParams(text: string): Problem {
  return { code: ProtocolErrorCode.InvalidParams, text };
}
