import { compileServer, type CompiledServer, type ServerFactoryOptions } from '@org/mcp-decorators';

import { ServerInformation, type InformationSources } from './info/server-information.ts';
import type { Log } from './log.ts';
import { offersOf } from './offers.ts';
import { parseDuration } from './options/duration.ts';
import type { ServerClass, ServerObject } from './server-object.ts';
import type { ServerOptions } from './server-options.ts';
import { readStateKey } from './state-key.ts';

/** How every connection of this process is served. */
interface Serving extends ServerFactoryOptions {
  readonly offers: NonNullable<ServerFactoryOptions['offers']>;
}

/** The server object of this process, not opened yet, and how it is served. */
export interface Created {
  readonly server: ServerObject;
  /** What is really served: by this object, its features, and the host. */
  readonly compiled: CompiledServer;
  readonly serving: Serving;
  readonly information: ServerInformation;
  readonly options: ServerOptions;
}

/** What a process has besides its options. */
interface Surroundings {
  /** Options in force, without secrets. */
  readonly settings: InformationSources['settings'];
  readonly log: Log;
}

/** Makes the server object. @throws UsageError if it has not what the options name */
export function createServer(target: ServerClass<never>, options: ServerOptions, { settings, log }: Surroundings): Created {
  const { structured, confirm, timeout, stateKeyFile } = options;
  const server: ServerObject = Reflect.construct(target, [options]);
  const onError = (error: unknown, place: string): void => log.error(place, error);
  const information = new ServerInformation({ server, settings, onError });
  const features = [information];
  const compiled = compileServer(server, features);
  const serving = {
    offers: offersOf({ server, compiled }, options),
    structured,
    confirm,
    onError,
    features,
    observer: information.statistics.observe,
    stateKey: stateKeyFile === undefined ? undefined : readStateKey(stateKeyFile, (message) => log.warning(message)),
    ...(timeout !== undefined && { timeoutMs: parseDuration(timeout) }),
  };
  return { server, compiled, serving, information, options };
}
