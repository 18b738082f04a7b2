import { type ServerCapabilities, type ServerContext, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

import type { CompiledTool, ResourceDefinition, ToolDefinition } from '../../compile/compiled-server.ts';
import { completeArgument } from '../calls/complete-argument.ts';
import { toProtocolError } from '../calls/failure.ts';
import { getPrompt } from '../calls/get-prompt.ts';
import { readResource } from '../calls/read-resource.ts';
import { isPermitted } from '../calls/scopes.ts';
import type { ServerConnection, ServerRuntime } from '../calls/server-runtime.ts';
import { withoutOutputSchema } from '../calls/structured.ts';
import { sendsStructure, showsApps } from '../client/client.ts';
import { getReporter } from '../hooks/hooks.ts';
import { KnownRoots } from '../input-requests/client-roots.ts';
import type { OfferedTools } from '../lists/offered-tools.ts';
import type { Sealing } from '../seals/sealing.ts';
import { handleSessionChanges } from './session-changes.ts';

/**
 * Returns the capabilities of a server, with one for each kind of primitive that the server has. Each list has `listChanged`,
 * because `RequestContext.listChanged` may announce a change of any list.
 */
export function declareCapabilities(runtime: ServerRuntime): ServerCapabilities {
  const { compiled, subscriptions } = runtime;
  const { resources, templates, prompts, completions, extensions, experimental } = compiled;
  return {
    logging: {},
    ...(extensions && { extensions }),
    ...(experimental && { experimental }),
    ...(runtime.tools.mayExist && { tools: { listChanged: true } }),
    ...(resources.size + templates.length > 0 && { resources: { listChanged: true, subscribe: subscriptions !== undefined } }),
    ...(prompts.size > 0 && { prompts: { listChanged: true } }),
    ...(completions.size > 0 && { completions: {} }),
  };
}

/** Registers handlers for the requests of one protocol instance, for each kind of primitive that the server has. */
export function handleRequests(connection: ServerConnection): void {
  const { resources, templates, prompts, completions } = connection.runtime.compiled;
  if (connection.runtime.tools.mayExist) handleTools(connection);
  if (resources.size + templates.length > 0) handleResources(connection);
  if (prompts.size > 0) handlePrompts(connection);
  if (completions.size > 0) handleCompletions(connection);
  if (connection.era === 'legacy') handleSession(connection);
}

function handleTools(connection: ServerConnection): void {
  const { sdkServer, runtime } = connection;
  const { tools } = runtime;
  sdkServer.setRequestHandler('tools/list', async ({ params }, context) => {
    const hasApps = showsApps(connection, context);
    const isIncluded = (tool: CompiledTool): boolean => tools.isServed(tool, hasApps) && isPermitted(tool, context);
    const list = { name: 'tools', entries: tools.listAll(), isIncluded };
    const { entries, ...next } = await readPage(connection, list, params?.cursor, context);
    const shown = hasApps ? entries.map((tool) => describeWithApp(tools, tool)) : listDefinitions(entries);
    return {
      tools: sendsStructure(runtime.structured, connection, context) ? [...shown] : shown.map(withoutOutputSchema),
      ...next,
    };
  });
}

function handleResources(connection: ServerConnection): void {
  const { sdkServer, runtime } = connection;
  const all = [...runtime.compiled.resources.values()];
  const fixed = listDefinitions(all.filter(({ isApp }) => !isApp));
  const views = listDefinitions(all.filter(({ isApp }) => isApp));
  const templates = { name: 'templates', entries: listDefinitions(runtime.compiled.templates) };
  sdkServer.setRequestHandler('resources/list', async ({ params }, context) => {
    const listed = await listResources(runtime, context);
    const list = { name: 'resources', entries: [...fixed, ...listed, ...(showsApps(connection, context) ? views : [])] };
    const { entries, ...next } = await readPage(connection, list, params?.cursor, context);
    return { resources: entries, ...next };
  });
  sdkServer.setRequestHandler('resources/templates/list', async ({ params }, context) => {
    const { entries, ...next } = await readPage(connection, templates, params?.cursor, context);
    return { resourceTemplates: entries, ...next };
  });
  sdkServer.setRequestHandler('resources/read', (request, context) => readResource(connection, request, context));
}

/** Returns the resources that objects list at run time. @throws ProtocolError if a method `listResources` fails */
async function listResources(
  { resourceListers, onError }: ServerConnection['runtime'],
  { mcpReq }: ServerContext,
): Promise<readonly ResourceDefinition[]> {
  const lists = resourceListers.map(async (lister) => {
    try {
      return await lister.listResources();
    } catch (error) {
      const failing = { place: `${lister.constructor.name}.listResources`, definition: { name: 'resources/list' } };
      throw toProtocolError(error, failing, getReporter(onError, mcpReq.signal));
    }
  });
  return (await Promise.all(lists)).flat();
}

function handlePrompts(connection: ServerConnection): void {
  const { sdkServer, runtime } = connection;
  const list = { name: 'prompts', entries: listDefinitions(runtime.compiled.prompts.values()) };
  sdkServer.setRequestHandler('prompts/list', async ({ params }, context) => {
    const { entries, ...next } = await readPage(connection, list, params?.cursor, context);
    return { prompts: entries, ...next };
  });
  sdkServer.setRequestHandler('prompts/get', (request, context) => getPrompt(connection, request, context));
}

function handleCompletions(connection: ServerConnection): void {
  connection.sdkServer.setRequestHandler('completion/complete', (request, context) =>
    completeArgument(connection, request, context),
  );
}

/** Handles changes in a session. On 2026-07-28, clients announce no changes of roots, and the transport serves listen streams. */
function handleSession(connection: ServerConnection): void {
  connection.sdkServer.setNotificationHandler('notifications/roots/list_changed', () => {
    connection.knownRoots = new KnownRoots();
  });
  handleSessionChanges(connection);
}

function readPage<Entry>(
  { runtime: { compiled, sealing } }: ServerConnection,
  list: Omit<ListOptions<Entry>, 'pageSize' | 'sealing'>,
  cursor: string | undefined,
  context: ServerContext,
): Promise<Page<Entry>> {
  return listPage({ ...list, pageSize: compiled.pageSize, sealing }, cursor, context);
}

function listDefinitions<Definition>(primitives: Iterable<{ readonly definition: Definition }>): readonly Definition[] {
  return [...primitives].map(({ definition }) => definition);
}

/** Default number of entries per page. The number is large, because few clients request a second page. */
const PAGE_SIZE = 1000;

/** A list that is sent in pages. */
interface ListOptions<Entry> {
  readonly name: string;
  readonly entries: readonly Entry[];
  /** Whether an entry is listed. Default: all entries are listed. */
  readonly isIncluded?: ((entry: Entry) => boolean) | undefined;
  readonly pageSize?: number | undefined;
  readonly sealing: Sealing;
}

/** One page, and the cursor of the next page, which the last page does not have. */
interface Page<Entry> {
  readonly entries: Entry[];
  readonly nextCursor?: string;
}

/**
 * Returns the page of a cursor, or the first page without one.
 *
 * @throws ProtocolError −32602 if the cursor is not from this list or has expired
 */
async function listPage<Entry>(
  { name, entries, isIncluded = () => true, pageSize = PAGE_SIZE, sealing }: ListOptions<Entry>,
  cursor: string | undefined,
  context: ServerContext,
): Promise<Page<Entry>> {
  const page: Entry[] = [];
  let position = cursor === undefined ? 0 : await readPosition(cursor, name, sealing, context);
  for (; position < entries.length && page.length < pageSize; position += 1) {
    const entry = entries[position];
    if (entry !== undefined && isIncluded(entry)) page.push(entry);
  }
  if (!entries.slice(position).some(isIncluded)) return { entries: page };
  return { entries: page, nextCursor: await sealing.cursors.mint({ list: name, from: position }) };
}

async function readPosition(cursor: string, name: string, { cursors }: Sealing, context: ServerContext): Promise<number> {
  const { list, from } = await cursors.verify(cursor, context).catch(() => ({ list: undefined, from: 0 }));
  if (list === name) return from;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired cursor');
}

/** Key of `_meta` in which older clients, which do not know `_meta.ui`, expect the URI of a tool's view. */
const OLD_KEY = 'ui/resourceUri';

/** Returns the definition of a tool for clients with MCP Apps. */
function describeWithApp(tools: OfferedTools, tool: CompiledTool): ToolDefinition {
  const { definition } = tool;
  const app = tools.isOffered(tool) ? tool.app : { ...tool.app, visibility: ['app'] as const };
  if (app === undefined) return definition;
  const { resourceUri } = app;
  return { ...definition, _meta: { ...definition._meta, ui: app, ...(resourceUri !== undefined && { [OLD_KEY]: resourceUri }) } };
}
