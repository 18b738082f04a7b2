import type { AuthInfo } from '@modelcontextprotocol/server';

import { collectTools, type CompiledServer, type CompiledTool } from '@org/mcp-decorators';

/** The parts of a server object that determine which scopes a request needs. */
export interface ScopedServer {
  /** The server object, which may list tools that change at run time. */
  readonly server: object;
  readonly compiled: CompiledServer;
  readonly isToolEnabled: (tool: CompiledTool) => boolean;
}

type Parameters = Readonly<Record<string, unknown>>;

type ScopeRule = (parameters: Parameters, served: ScopedServer) => readonly string[];

/** Scopes for resources, prompts and completions. */
const READ: readonly string[] = ['read'];

/** Required scopes by method; other methods need no scope. */
const SCOPE_RULES: ReadonlyMap<unknown, ScopeRule> = new Map<unknown, ScopeRule>([
  ['tools/call', ({ name }, served) => getToolScopes(name, served)],
  ['resources/read', () => READ],
  ['resources/subscribe', () => READ],
  ['prompts/get', () => READ],
  ['completion/complete', () => READ],
  ['subscriptions/listen', ({ notifications }) => (listensToResources(notifications) ? READ : [])],
]);

/**
 * Returns all scopes that a message needs if the token lacks one of them, otherwise `undefined`.
 * A disabled tool needs no scope, so that its call is rejected like the call of an unknown tool.
 */
export function findMissingScopes(served: ScopedServer, message: unknown, { scopes }: AuthInfo): readonly string[] | undefined {
  if (!isObject(message)) return undefined;
  const { method, params } = message;
  const needed = SCOPE_RULES.get(method)?.(isObject(params) ? params : {}, served) ?? [];
  return needed.every((scope) => scopes.includes(scope)) ? undefined : needed;
}

/** Returns the scopes of all requests that the server supports, for the protected resource metadata. */
export function collectScopes({ server, compiled, isToolEnabled }: ScopedServer): readonly string[] {
  const { resources, templates, prompts } = compiled;
  const offered = [...collectTools(server, compiled).values()].filter(isToolEnabled);
  const read = resources.size + templates.length + prompts.size > 0 ? READ : [];
  return [...new Set([...read, ...offered.flatMap(({ scopes }) => scopes)])].sort();
}

function getToolScopes(name: unknown, { server, compiled, isToolEnabled }: ScopedServer): readonly string[] {
  const tool = typeof name === 'string' ? collectTools(server, compiled).get(name) : undefined;
  return tool !== undefined && isToolEnabled(tool) ? tool.scopes : [];
}

/** An invalid value counts as a list of resources: the SDK rejects it later. */
function listensToResources(notifications: unknown): boolean {
  const uris = isObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
  return uris !== undefined && !(Array.isArray(uris) && uris.length === 0);
}

function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
