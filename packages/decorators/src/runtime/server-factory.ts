import { McpServer, ResourceNotFoundError, type ProtocolEra, type ServerCapabilities } from '@modelcontextprotocol/server';

import { compileServer } from '../compile/compile-server.ts';
import type { CompiledServer, CompiledTool, ToolDefinition } from '../compile/primitives.ts';
import { callTool } from './call-tool.ts';
import { ClientRoots } from './client-roots.ts';
import { complete } from './complete.ts';
import type { Connection } from './connection.ts';
import type { ErrorListener } from './failure.ts';
import { getPrompt } from './get-prompt.ts';
import { readResource } from './read-resource.ts';
import type { Served } from './served.ts';
import { Subscriptions, watcherOf, type ResourceWatcher } from './subscriptions.ts';

/** How a server object is served. */
export interface ServerFactoryOptions {
  /** Whether a tool is offered; one that is not is unknown to clients. Default: every tool. */
  readonly offers?: (tool: ToolDefinition) => boolean;
  /** Told of every error that is hidden from the client. Default: such errors are dropped. */
  readonly onError?: ErrorListener;
}

/** What a protocol instance is made for. */
export interface FactoryContext {
  /** Sessions, or requests that carry everything. */
  readonly era: ProtocolEra;
}

/**
 * Binds an annotated server object to the protocol: the factory makes one protocol instance for each connection.
 *
 * Takes an instance of a class decorated with `@McpServer`; throws a `DefinitionError` if the class is not usable.
 * Making an instance opens nothing, so a client that probes before it connects costs nothing.
 */
export function serverFactory(server: object, options: ServerFactoryOptions = {}): (context: FactoryContext) => McpServer {
  const compiled = compileServer(server);
  const served: Served = {
    server,
    compiled,
    tools: offered(compiled, options.offers),
    watcher: watcherOf(server),
    onError: options.onError ?? (() => undefined),
  };
  return ({ era }) => instantiate(served, era);
}

function offered({ tools }: CompiledServer, offers: ServerFactoryOptions['offers']): ReadonlyMap<string, CompiledTool> {
  return offers === undefined ? tools : new Map([...tools].filter(([, tool]) => offers(tool.definition)));
}

function instantiate(served: Served, era: ProtocolEra): McpServer {
  const { info, instructions } = served.compiled;
  const mcp = new McpServer(info, {
    capabilities: capabilitiesOf(served),
    ...(instructions !== undefined && { instructions }),
  });
  const connection: Connection = { served, clientRoots: new ClientRoots(mcp.server, era) };
  handleTools(mcp, connection);
  handleResources(mcp, connection);
  handlePrompts(mcp, connection);
  handleCompletions(mcp, connection);
  if (served.watcher !== undefined && era === 'legacy') handleSubscriptions(mcp, served.watcher);
  return mcp;
}

function capabilitiesOf({ compiled, watcher }: Served): ServerCapabilities {
  const { tools, resources, templates, prompts, completions } = compiled;
  return {
    logging: {},
    ...(tools.size > 0 && { tools: { listChanged: false } }),
    ...(resources.size + templates.length > 0 && { resources: { listChanged: false, subscribe: watcher !== undefined } }),
    ...(prompts.size > 0 && { prompts: { listChanged: false } }),
    ...(completions.size > 0 && { completions: {} }),
  };
}

function handleTools({ server }: McpServer, connection: Connection): void {
  if (connection.served.compiled.tools.size === 0) return;
  const tools = [...connection.served.tools.values()].map(({ definition }) => definition);
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', (request, context) => callTool(connection, request, context));
}

function handleResources({ server }: McpServer, connection: Connection): void {
  const { resources, templates } = connection.served.compiled;
  if (resources.size + templates.length === 0) return;
  const listed = [...resources.values()].map(({ definition }) => definition);
  const resourceTemplates = templates.map(({ definition }) => definition);
  server.setRequestHandler('resources/list', () => ({ resources: listed }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', (request, context) => readResource(connection, request, context));
}

function handlePrompts({ server }: McpServer, connection: Connection): void {
  const { prompts } = connection.served.compiled;
  if (prompts.size === 0) return;
  const listed = [...prompts.values()].map(({ definition }) => definition);
  server.setRequestHandler('prompts/list', () => ({ prompts: listed }));
  server.setRequestHandler('prompts/get', (request, context) => getPrompt(connection, request, context));
}

function handleCompletions({ server }: McpServer, connection: Connection): void {
  if (connection.served.compiled.completions.size === 0) return;
  server.setRequestHandler('completion/complete', (request, context) => complete(connection, request, context));
}

/** In a session the connection itself owns what it subscribed to; listen streams are seen by whoever owns the transport. */
function handleSubscriptions({ server }: McpServer, watcher: ResourceWatcher): void {
  const subscriptions = new Subscriptions(watcher, (uri) => {
    // A connection that is gone is told to the subscriptions by its close.
    server.sendResourceUpdated({ uri }).catch(() => undefined);
  });
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (!(await subscriptions.add(uri, server))) throw new ResourceNotFoundError(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    await subscriptions.remove(server, uri);
    return {};
  });
  server.onclose = () => void subscriptions[Symbol.asyncDispose]();
}
