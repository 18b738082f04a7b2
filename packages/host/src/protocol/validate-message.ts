import {
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type RequestId,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import { Subscriptions } from '@org/mcp-decorators';

import { createErrorResponse } from './json-rpc.ts';

/** How an invalid message is reported and answered. */
export interface InvalidMessage {
  /** Description of the mistake, one sentence. */
  readonly problem: string;
  /** Error response to the sender; `undefined` for a notification, which is never answered. */
  readonly response: JSONRPCErrorResponse | undefined;
  /** Replacement for an invalid response to a request of the server, so that the request does not wait for ever. */
  readonly replacement: JSONRPCErrorResponse | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const REQUEST = new Set(['jsonrpc', 'id', 'method', 'params']);
const NOTIFICATION = new Set(['jsonrpc', 'method', 'params']);
const RESULT = new Set(['jsonrpc', 'id', 'result']);
const ERROR = new Set(['jsonrpc', 'id', 'error']);

/**
 * Whether a value is a JSON-RPC message of MCP. Checks exactly what the SDK checks before it answers, because the SDK drops invalid
 * messages silently.
 */
export function isMessage(value: unknown): value is JSONRPCMessage {
  return findProblem(value) === undefined;
}

/** Explains why a value is not a message, and creates the response to it. */
export function explainInvalidMessage(value: unknown): InvalidMessage {
  const { code, text: problem } = findProblem(value) ?? invalid('The value is a message');
  const fields = isObject(value) ? value : {};
  if (isNotification(fields)) return { problem, response: undefined, replacement: undefined };
  const id = isId(fields['id']) ? fields['id'] : undefined;
  if (!isResponse(fields)) return { problem, response: createErrorResponse(id, code, problem), replacement: undefined };
  // The error for an invalid response has no id: the client could take it for the response to its own request with the same id.
  const response = createErrorResponse(undefined, code, problem);
  return { problem, response, replacement: id === undefined ? undefined : createErrorResponse(id, code, problem) };
}

function isNotification(fields: Fields): boolean {
  return typeof fields['method'] === 'string' && !('id' in fields);
}

function isResponse(fields: Fields): boolean {
  return !('method' in fields) && ('result' in fields || 'error' in fields);
}

interface Problem {
  readonly code: number;
  readonly text: string;
}

function findProblem(value: unknown): Problem | undefined {
  if (!isObject(value)) return invalid('A message must be an object');
  if (value['jsonrpc'] !== '2.0') return invalid('"jsonrpc" must be "2.0"');
  if (!('method' in value)) return findResponseProblem(value);
  if (typeof value['method'] !== 'string') return invalid('"method" must be a string');
  if (!('id' in value)) return findExtraMember(value, NOTIFICATION) ?? findParamsProblem(value['params']);
  if (!isId(value['id'])) return invalid('"id" must be a string or an integer');
  return findExtraMember(value, REQUEST) ?? findParamsProblem(value['params']);
}

function findResponseProblem(value: Fields): Problem | undefined {
  if ('result' in value) {
    if (!isId(value['id'])) return invalid('"id" must be a string or an integer');
    if (!isObject(value['result'])) return invalid('"result" must be an object');
    if (!isObjectOrAbsent(value['result']['_meta'])) return invalid('"result._meta" must be an object');
    return findExtraMember(value, RESULT);
  }
  if (!('error' in value)) return invalid('A message must have "method", "result" or "error"');
  if (value['id'] !== undefined && !isId(value['id'])) return invalid('"id" must be a string or an integer');
  return isError(value['error'])
    ? findExtraMember(value, ERROR)
    : invalid('"error" must have an integer "code" and a string "message"');
}

function findParamsProblem(params: unknown): Problem | undefined {
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

function findExtraMember(value: Fields, known: ReadonlySet<string>): Problem | undefined {
  for (const key in value)
    if (!known.has(key)) return invalid(`A message of this kind must not have the member "${key.slice(0, 100)}"`);
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

/** The properties of a listen stream that its subscriptions need. */
interface Listener {
  readonly subscriptions: Subscriptions;
  /** Owner of the subscriptions. The caller removes the owner when the stream ends. */
  readonly owner: object;
  /** Principal of the stream; `undefined` without a token. */
  readonly principal?: string | undefined;
  /** Receives each distinct reason why URIs are not watched. */
  readonly onError: (error: unknown) => void;
}

/**
 * Watches the resources of a `subscriptions/listen` request. Resolves to the request without the URIs that cannot be watched. All
 * URIs are registered before this function returns its promise, so that removing the owner before the promise resolves removes all URIs.
 */
export async function watchResources(
  request: JSONRPCRequest,
  { subscriptions, owner, principal, onError }: Listener,
): Promise<JSONRPCRequest> {
  const requested = readListenedUris(request);
  // Rejecting each URI of a message full of URIs would take seconds, so the rest is ignored.
  const uris = requested.slice(0, Subscriptions.maxPerOwner);
  if (requested.length > uris.length)
    onError(new Error(`a listen stream requests ${requested.length} resources; only the first ${uris.length} are watched`));
  const outcomes = await Promise.allSettled(uris.map((uri) => subscriptions.add(uri, owner, principal)));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome] : []));
  for (const reason of new Map(failures.map(({ reason }) => [String(reason), reason])).values()) onError(reason);
  const resourceSubscriptions = uris.filter((_, position) => {
    const outcome = outcomes[position];
    return outcome?.status === 'fulfilled' && outcome.value;
  });
  return { ...request, params: { ...request.params, notifications: { ...readFilter(request), resourceSubscriptions } } };
}

export function isListenRequest(message: unknown): message is JSONRPCRequest {
  if (typeof message !== 'object' || message === null) return false;
  return 'method' in message && message.method === 'subscriptions/listen' && 'id' in message;
}

/** Returns the distinct URIs that the request names. Returns no URI if one of them is not a string: the SDK rejects such a request. */
export function readListenedUris(request: JSONRPCRequest): readonly string[] {
  const filter = readFilter(request);
  const uris: unknown = 'resourceSubscriptions' in filter ? filter.resourceSubscriptions : undefined;
  return isStringList(uris) ? [...new Set(uris)] : [];
}

function readFilter({ params }: JSONRPCRequest): object {
  const filter = params?.['notifications'];
  return typeof filter === 'object' && filter !== null ? filter : {};
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
