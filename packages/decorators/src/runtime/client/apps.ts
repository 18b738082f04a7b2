import type { ServerContext } from '@modelcontextprotocol/server';

import type { CompiledTool, ToolDefinition } from '../../compile/compiled-server.ts';
import type { ClientConnection } from './client.ts';
import { showsApps } from './shows-apps.ts';
import { isForViewsOnly, type OfferedTools } from '../lists/offered-tools.ts';

/** Key of a tool's view in clients from before `_meta.ui`. */
const OLD_KEY = 'ui/resourceUri';

/** Whether the client of a request shows the view of a tool. */
export function showsView({ app }: CompiledTool, connection: ClientConnection, request: ServerContext): boolean {
  return app?.resourceUri !== undefined && showsApps(connection, request);
}

/** Whether a client has a tool. Clients without MCP Apps do not have the tools that only views call. */
export function isServed(tools: OfferedTools, tool: CompiledTool, hasApps: boolean): boolean {
  if (tools.isOffered(tool)) return hasApps || !isForViewsOnly(tool);
  return hasApps && tools.isOfferedToViews(tool);
}

/** Returns the definition of a tool for clients with MCP Apps. */
export function describeWithApp(tools: OfferedTools, tool: CompiledTool): ToolDefinition {
  const { definition } = tool;
  const app = tools.isOffered(tool) ? tool.app : { ...tool.app, visibility: ['app'] as const };
  if (app === undefined) return definition;
  const { resourceUri } = app;
  return { ...definition, _meta: { ...definition._meta, ui: app, ...(resourceUri !== undefined && { [OLD_KEY]: resourceUri }) } };
}
