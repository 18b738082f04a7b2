import { compileServer, type CompiledServer, type ToolDefinition } from '@org/mcp-decorators';

import type { Log } from './log.ts';
import { offersOf } from './offers.ts';
import type { ServerClass, ServerObject } from './server-object.ts';
import type { ServerOptions } from './server-options.ts';
import { readStateKey } from './state-key.ts';

/** The server object of this process, not opened yet, and how it is served. */
export interface Created {
  readonly server: ServerObject;
  /** What this object really serves, its features included. */
  readonly compiled: CompiledServer;
  readonly offers: (tool: ToolDefinition) => boolean;
  readonly structured: ServerOptions['structured'];
  /** Seals what clients carry for the server. Default: a random one. */
  readonly stateKey: Uint8Array | undefined;
  readonly options: ServerOptions;
}

/** Makes the server object. @throws UsageError if it has not what the options name */
export function createServer(target: ServerClass<never>, options: ServerOptions, log: Log): Created {
  const server: ServerObject = Reflect.construct(target, [options]);
  const compiled = compileServer(server);
  const { structured, stateKeyFile } = options;
  const stateKey = stateKeyFile === undefined ? undefined : readStateKey(stateKeyFile, (message) => log.warning(message));
  return { server, compiled, offers: offersOf(compiled, options), structured, stateKey, options };
}
