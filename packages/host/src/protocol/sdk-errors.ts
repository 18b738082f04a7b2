import { ProtocolErrorCode, type JSONRPCErrorResponse } from '@modelcontextprotocol/server';

/** Methods with the URI of a resource, which may not exist. */
const RESOURCE_METHODS = new Set<string | undefined>(['resources/read', 'resources/subscribe']);

/** Start of the JSON in which the SDK's validator lists its issues. */
const ISSUES = '[\n  {\n';

/** Maximum number of issues in an error; further issues usually follow from the same mistake. */
const MAX_ISSUES = 5;

/**
 * Corrects two errors of the SDK. For invalid params, the SDK reports an internal error with the raw report of its validator. For a
 * missing resource, it omits the error code that revisions with sessions (until 2025-11-25) require.
 */
export function correctSdkError(
  response: JSONRPCErrorResponse,
  method: string | undefined,
  inSession: boolean,
): JSONRPCErrorResponse {
  const { error } = response;
  if (isMissingResource(error) && inSession && RESOURCE_METHODS.has(method))
    return { ...response, error: { ...error, code: ProtocolErrorCode.ResourceNotFound } };
  const issues = readIssues(error);
  return issues === undefined
    ? response
    : { ...response, error: { code: ProtocolErrorCode.InvalidParams, message: `Invalid params: ${issues}` } };
}

/** Whether an error reports a missing resource: the SDK sends the URI of the resource as the only data. */
function isMissingResource({ code, data }: JSONRPCErrorResponse['error']): boolean {
  if (code !== ProtocolErrorCode.InvalidParams || typeof data !== 'object' || data === null) return false;
  return 'uri' in data && Object.keys(data).length === 1;
}

function readIssues({ code, message, data }: JSONRPCErrorResponse['error']): string | undefined {
  const mayBeInvalidParams = code === ProtocolErrorCode.InternalError || code === ProtocolErrorCode.InvalidParams;
  const begin = message.indexOf(ISSUES);
  if (!mayBeInvalidParams || data !== undefined || begin === -1) return undefined;
  try {
    const issues: unknown = JSON.parse(message.slice(begin));
    return Array.isArray(issues) && issues.every(isIssue) ? issues.slice(0, MAX_ISSUES).map(describe).join('; ') : undefined;
  } catch {
    return undefined;
  }
}

interface Issue {
  readonly path: readonly unknown[];
  readonly message: string;
}

function isIssue(value: unknown): value is Issue {
  if (typeof value !== 'object' || value === null || !('path' in value) || !('message' in value)) return false;
  return Array.isArray(value.path) && typeof value.message === 'string';
}

function describe({ path, message }: Issue): string {
  const place = (path[0] === 'params' && path.length > 1 ? path.slice(1) : path).join('.');
  const text = message.replace(/^Invalid input: /, '');
  return (place === '' ? text : `${place}: ${text}`).slice(0, 200);
}
