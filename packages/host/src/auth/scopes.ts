import type { AuthInfo } from '@modelcontextprotocol/server';

import { toolsOf, type CompiledServer, type CompiledTool } from '@org/mcp-decorators';

/** What is served, as far as scopes depend on it. */
export interface Scoped {
  /** May list tools that come and go. */
  readonly server: object;
  readonly compiled: CompiledServer;
  readonly offers: (tool: CompiledTool) => boolean;
}

type Parameters = Readonly<Record<string, unknown>>;

type Needed = (parameters: Parameters, served: Scoped) => readonly string[];

/** Whatever is read besides tools. */
const READ: readonly string[] = ['read'];

/** What a request needs, by its method; others need nothing. */
const NEEDED: ReadonlyMap<unknown, Needed> = new Map<unknown, Needed>([
  ['tools/call', ({ name }, served) => toolScopes(name, served)],
  ['resources/read', () => READ],
  ['resources/subscribe', () => READ],
  ['prompts/get', () => READ],
  ['completion/complete', () => READ],
  ['subscriptions/listen', ({ notifications }) => (listensToResources(notifications) ? READ : [])],
]);

/**
 * All scopes that a message needs, if the token lacks one of them; `undefined` where it lacks none.
 *
 * A tool that is not offered needs none, so that it is refused like one that does not exist.
 */
export function missingScopes(served: Scoped, message: unknown, { scopes }: AuthInfo): readonly string[] | undefined {
  if (!isObject(message)) return undefined;
  const { method, params } = message;
  const needed = NEEDED.get(method)?.(isObject(params) ? params : {}, served) ?? [];
  return needed.every((scope) => scopes.includes(scope)) ? undefined : needed;
}

/** Every scope that some request needs, for the metadata of the resource. */
export function scopesOf({ server, compiled, offers }: Scoped): readonly string[] {
  const { resources, templates, prompts } = compiled;
  const offered = [...toolsOf(server, compiled).values()].filter(offers);
  const read = resources.size + templates.length + prompts.size > 0 ? READ : [];
  return [...new Set([...read, ...offered.flatMap(({ scopes }) => scopes)])].sort();
}

function toolScopes(name: unknown, { server, compiled, offers }: Scoped): readonly string[] {
  const tool = typeof name === 'string' ? toolsOf(server, compiled).get(name) : undefined;
  return tool !== undefined && offers(tool) ? tool.scopes : [];
}

/** What is there and no list is refused later, but not served before. */
function listensToResources(notifications: unknown): boolean {
  const uris = isObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
  return uris !== undefined && !(Array.isArray(uris) && uris.length === 0);
}

function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
