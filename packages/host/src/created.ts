import { compileServer, type CompiledServer, type ServerFactoryOptions } from '@org/mcp-decorators';

import { offersOf } from './offers.ts';
import { parseDuration } from './options/duration.ts';
import type { ServerClass, ServerObject } from './server-object.ts';
import type { ServerOptions } from './server-options.ts';

/** How every connection of this process is served. */
export interface Serving extends ServerFactoryOptions {
  readonly offers: NonNullable<ServerFactoryOptions['offers']>;
}

/** The server object of this process, not opened yet, and how it is served. */
export interface Created {
  readonly server: ServerObject;
  /** What this object really serves, its features included. */
  readonly compiled: CompiledServer;
  readonly serving: Serving;
}

/** Makes the server object. @throws UsageError if it has not what the options name */
export function createServer(target: ServerClass<never>, options: ServerOptions): Created {
  const { structured, timeout } = options;
  const server: ServerObject = Reflect.construct(target, [options]);
  const compiled = compileServer(server);
  const limit = timeout === undefined ? {} : { timeoutMs: parseDuration(timeout) };
  return { server, compiled, serving: { offers: offersOf(compiled, options), structured, ...limit } };
}
