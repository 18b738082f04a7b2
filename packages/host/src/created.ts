import { compileServer, type CompiledServer, type ToolDefinition } from '@org/mcp-decorators';

import { offersOf } from './offers.ts';
import type { ServerClass, ServerObject } from './server-object.ts';
import type { ServerOptions } from './server-options.ts';

/** The server object of this process, not opened yet, and how it is served. */
export interface Created {
  readonly server: ServerObject;
  /** What this object really serves, its features included. */
  readonly compiled: CompiledServer;
  readonly offers: (tool: ToolDefinition) => boolean;
  readonly structured: ServerOptions['structured'];
  readonly options: ServerOptions;
}

/** Makes the server object. @throws UsageError if it has not what the options name */
export function createServer(target: ServerClass<never>, options: ServerOptions): Created {
  const server: ServerObject = Reflect.construct(target, [options]);
  const compiled = compileServer(server);
  return { server, compiled, offers: offersOf(compiled, options), structured: options.structured, options };
}
