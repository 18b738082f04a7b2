import {
  compileServer,
  OfferedTools,
  type CompiledServer,
  type ServedObject,
  type ServerFactoryOptions,
  type ToolSelection,
} from '@org/mcp-decorators';

import { ServerInformation, type InformationSources } from '../info/server-information.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Log } from '../process/log.ts';
import { readStateKey } from '../process/state-key.ts';
import { UsageError } from '../process/usage-error.ts';
import type { ProgramSettings } from './server-object-factory.ts';

/** The server object of this process, before `open`, and the options for serving it. */
export interface ServerInstance {
  readonly server: object;
  /** Objects of the program whose annotated methods are served in addition. */
  readonly features: readonly object[];
  /** Tools, resources and prompts of the object, of its features and of the host. */
  readonly compiled: CompiledServer;
  /** The tools that clients see. */
  readonly tools: OfferedTools;
  /** Options for serving every connection of this process. */
  readonly factoryOptions: ServerFactoryOptions;
  readonly information: ServerInformation;
  readonly options: ServerOptions;
}

/** Context for the creation of a server instance. */
export interface InstanceContext extends ProgramSettings {
  /** Values of the options, without secrets. */
  readonly visible: InformationSources['settings'];
  readonly log: Log;
}

/**
 * Prepares a server object for serving.
 *
 * @throws UsageError if the options name an unknown tool or tool set, or a state key file that cannot be used
 */
export function createServerInstance(
  server: object,
  options: ServerOptions,
  { visible, log, features: extraFeatures = [], interceptors = [] }: InstanceContext,
): ServerInstance {
  const { structured, confirm, timeout, stateKeyFile, tools, disableTools, readOnly } = options;
  const onError = (error: unknown, place: string): void => log.error(place, error);
  const information = new ServerInformation({ server, extraFeatures, settings: visible, onError });
  const features = [...extraFeatures, information];
  const compiled = compileServer(server, features);
  const factoryOptions = {
    tools,
    disableTools,
    readOnly,
    structured,
    confirm,
    onError,
    features,
    interceptors,
    observer: information.statistics.observe,
    stateKey: stateKeyFile === undefined ? undefined : readStateKey(stateKeyFile, (message) => log.warning(message)),
    ...(timeout !== undefined && { timeoutMs: timeout }),
  };
  return {
    server,
    features: extraFeatures,
    compiled,
    tools: selectTools({ server, compiled, features }, options),
    factoryOptions,
    information,
    options,
  };
}

function selectTools(served: ServedObject, selection: ToolSelection): OfferedTools {
  try {
    return new OfferedTools(served, selection);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message, { cause: error }) : error;
  }
}
