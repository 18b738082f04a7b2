import { ProtocolErrorCode, type JSONRPCErrorResponse } from '@modelcontextprotocol/server';

/** Requests whose URI may name nothing. */
const OF_RESOURCES = new Set<string | undefined>(['resources/read', 'resources/subscribe']);

/** How the SDK's validator begins to write its issues, as JSON. */
const ISSUES = '[\n  {\n';

/** Issues that are told; the others would follow from the same mistake. */
const MAX_ISSUES = 5;

/**
 * An error as the SDK should have sent it. For params of the wrong shape it says "internal error" and shows its validator's own
 * report; a resource that is not there has a code of its own until 2025-11-25, which is the revision of a session.
 */
export function mendedError(answer: JSONRPCErrorResponse, method: string | undefined, inSession: boolean): JSONRPCErrorResponse {
  const { error } = answer;
  if (isMissingResource(error) && inSession && OF_RESOURCES.has(method))
    return { ...answer, error: { ...error, code: ProtocolErrorCode.ResourceNotFound } };
  const issues = issuesIn(error);
  return issues === undefined
    ? answer
    : { ...answer, error: { code: ProtocolErrorCode.InvalidParams, message: `Invalid params: ${issues}` } };
}

/** The SDK sends the URI and nothing else with it. */
function isMissingResource({ code, data }: JSONRPCErrorResponse['error']): boolean {
  if (code !== ProtocolErrorCode.InvalidParams || typeof data !== 'object' || data === null) return false;
  return 'uri' in data && Object.keys(data).length === 1;
}

function issuesIn({ code, message, data }: JSONRPCErrorResponse['error']): string | undefined {
  const isOfParams = code === ProtocolErrorCode.InternalError || code === ProtocolErrorCode.InvalidParams;
  const begin = message.indexOf(ISSUES);
  if (!isOfParams || data !== undefined || begin === -1) return undefined;
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
