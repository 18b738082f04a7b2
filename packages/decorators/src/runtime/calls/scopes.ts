import { ProtocolError, ProtocolErrorCode, type AuthInfo, type ServerContext } from '@modelcontextprotocol/server';

import type { CompiledServer, CompiledTool } from '../../compile/compiled-server.ts';
import type { OfferedTools } from '../lists/offered-tools.ts';

/** The members of a server that determine which scopes a request needs. */
export interface ScopedServer {
  readonly compiled: CompiledServer;
  readonly tools: OfferedTools;
}

type Parameters = Readonly<Record<string, unknown>>;

type ScopeRule = (parameters: Parameters, served: ScopedServer) => readonly string[];

/** Scopes for resources, prompts and completions. */
const READ: readonly string[] = ['read'];

/** Required scopes by method; other methods need no scope. */
const SCOPE_RULES: ReadonlyMap<unknown, ScopeRule> = new Map<unknown, ScopeRule>([
  ['tools/call', ({ name }, { tools }) => (typeof name === 'string' ? (tools.find(name)?.scopes ?? []) : [])],
  ['resources/read', () => READ],
  ['resources/subscribe', () => READ],
  ['prompts/get', () => READ],
  ['completion/complete', () => READ],
  ['subscriptions/listen', ({ notifications }) => (listensToResources(notifications) ? READ : [])],
]);

/**
 * Returns all scopes that a message needs if the token lacks one of them, otherwise `undefined`. A tool that is not offered needs no
 * scope, so that its call is rejected like the call of an unknown tool.
 */
export function findMissingScopes(served: ScopedServer, message: unknown, { scopes }: AuthInfo): readonly string[] | undefined {
  if (!isObject(message)) return undefined;
  const { method, params } = message;
  const needed = SCOPE_RULES.get(method)?.(isObject(params) ? params : {}, served) ?? [];
  return needed.every((scope) => scopes.includes(scope)) ? undefined : needed;
}

/** Whether the token of a request has the scopes of a tool. Every tool is permitted in a request without a token. */
export function isPermitted({ scopes }: CompiledTool, { http }: Pick<ServerContext, 'http'>): boolean {
  const auth = http?.authInfo;
  return auth === undefined || scopes.every((scope) => auth.scopes.includes(scope));
}

/** Returns the scopes of all requests that the server supports, for the protected resource metadata. */
export function collectScopes({ compiled, tools }: ScopedServer): readonly string[] {
  const { resources, templates, prompts } = compiled;
  const read = resources.size + templates.length + prompts.size > 0 ? READ : [];
  return [...new Set([...read, ...tools.listServed().flatMap(({ scopes }) => scopes)])].sort();
}

/**
 * Asserts that the token of a request has the necessary scopes. A request without a token is not checked: whether it is allowed is
 * decided by the owner of the transport.
 *
 * @throws ProtocolError −32600 if a scope is missing
 */
export function assertScopes(served: ScopedServer, request: unknown, { http }: Pick<ServerContext, 'http'>): void {
  if (http?.authInfo === undefined) return;
  const missing = findMissingScopes(served, request, http.authInfo);
  if (missing === undefined) return;
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, `The access token lacks a scope; necessary: ${missing.join(' ')}`, {
    requiredScopes: [...missing],
  });
}

/** Whether a listen stream names resources. An invalid value counts as a list of resources: the SDK rejects the value later. */
function listensToResources(notifications: unknown): boolean {
  const uris = isObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
  return uris !== undefined && !(Array.isArray(uris) && uris.length === 0);
}

function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
