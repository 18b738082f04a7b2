import { McpServer, type McpServerFactory, type ServerCapabilities } from '@modelcontextprotocol/server';

import { compileServer } from '../compile/compile-server.ts';
import type { CompiledServer, CompiledTool, ToolDefinition } from '../compile/primitives.ts';
import type { Constructor } from '../metadata/lineage.ts';
import { callTool } from './call-tool.ts';
import type { ErrorListener } from './failure.ts';
import { getPrompt } from './get-prompt.ts';
import { readResource } from './read-resource.ts';
import type { Served } from './served.ts';

/** How a server object is served. */
export interface ServerFactoryOptions {
  /** Whether a tool is offered; one that is not is unknown to clients. Default: every tool. */
  readonly offers?: (tool: ToolDefinition) => boolean;
  /** Told of every error that is hidden from the client. Default: such errors are dropped. */
  readonly onError?: ErrorListener;
}

/**
 * Binds an annotated server object to the protocol: the factory makes one protocol instance for each connection.
 *
 * Takes an instance of a class decorated with `@McpServer`; throws a `DefinitionError` if the class is not usable.
 * Making an instance opens nothing, so a client that probes before it connects costs nothing.
 */
export function serverFactory(server: object, options: ServerFactoryOptions = {}): McpServerFactory {
  const compiled = compileServer(classOf(server));
  const served: Served = {
    server,
    compiled,
    tools: offered(compiled, options.offers),
    onError: options.onError ?? (() => undefined),
  };
  return () => instantiate(served);
}

function classOf(server: object): Constructor {
  const { constructor } = server;
  if (!isConstructor(constructor)) throw new TypeError('a server is an instance of a class');
  return constructor;
}

function isConstructor(value: unknown): value is Constructor {
  return typeof value === 'function' && typeof value.prototype === 'object';
}

function offered({ tools }: CompiledServer, offers: ServerFactoryOptions['offers']): ReadonlyMap<string, CompiledTool> {
  return offers === undefined ? tools : new Map([...tools].filter(([, tool]) => offers(tool.definition)));
}

function instantiate(served: Served): McpServer {
  const { compiled } = served;
  const mcp = new McpServer(compiled.info, {
    capabilities: capabilitiesOf(compiled),
    ...(compiled.instructions !== undefined && { instructions: compiled.instructions }),
  });
  handleTools(mcp, served);
  handleResources(mcp, served);
  handlePrompts(mcp, served);
  return mcp;
}

function capabilitiesOf({ tools, resources, templates, prompts }: CompiledServer): ServerCapabilities {
  return {
    logging: {},
    ...(tools.size > 0 && { tools: { listChanged: false } }),
    ...(resources.size + templates.length > 0 && { resources: { listChanged: false } }),
    ...(prompts.size > 0 && { prompts: { listChanged: false } }),
  };
}

function handleTools({ server }: McpServer, served: Served): void {
  if (served.compiled.tools.size === 0) return;
  const tools = [...served.tools.values()].map(({ definition }) => definition);
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', (request, context) => callTool(served, request, context));
}

function handleResources({ server }: McpServer, served: Served): void {
  const { resources, templates } = served.compiled;
  if (resources.size + templates.length === 0) return;
  const listed = [...resources.values()].map(({ definition }) => definition);
  const resourceTemplates = templates.map(({ definition }) => definition);
  server.setRequestHandler('resources/list', () => ({ resources: listed }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', (request, context) => readResource(served, request, context));
}

function handlePrompts({ server }: McpServer, served: Served): void {
  const { prompts } = served.compiled;
  if (prompts.size === 0) return;
  const listed = [...prompts.values()].map(({ definition }) => definition);
  server.setRequestHandler('prompts/list', () => ({ prompts: listed }));
  server.setRequestHandler('prompts/get', (request, context) => getPrompt(served, request, context));
}
