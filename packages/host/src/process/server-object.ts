import { listServerParts, type ServerPart, type ToolDefinition } from '@org/mcp-decorators';

import type { OperatorLog } from './log.ts';

/** A line of `check`. */
export interface Diagnosis {
  /** Subject of the line in one or two words, such as `root /srv/files`. */
  readonly subject: string;
  /** `false` if `check` found a problem; `check` then exits with 1. */
  readonly ok: boolean;
  /** Finding, or the necessary action of the operator. */
  readonly detail: string;
}

/** Optional methods of a server class, and of the classes of its features, in addition to their annotated methods. */
export interface ServerObject {
  /**
   * Opens the resources of the object, once, before the server accepts requests. The features of an object are opened before the
   * object. Throws a `UsageError` if the operator has to act.
   *
   * @param log log of the process; absent in `check`, and if `runServer` does not run the server
   */
  open?(log?: OperatorLog): Promise<void> | void;
  /** Whether a tool is offered with the object's options. Not called for tools that the operator disabled. */
  offers?(tool: ToolDefinition): boolean;
  /** Returns the lines of `check`. Called after {@link ServerObject.open}. */
  diagnose?(): Promise<readonly Diagnosis[]> | readonly Diagnosis[];
  /**
   * Releases the resources that {@link ServerObject.open} opened; called even if `open` failed or was not called. An object is disposed of
   * before its features.
   */
  [Symbol.asyncDispose]?(): Promise<void>;
}

/**
 * Opens a server object and its features in order of declaration, each after its own features, and then the extra features. Rejects
 * with the first error.
 *
 * @param extraFeatures objects that are served in addition; the option `features` of `serverFactory`
 */
export async function openServer(server: object, log?: OperatorLog, extraFeatures: readonly object[] = []): Promise<void> {
  for (const part of listInOpeningOrder(server, extraFeatures)) await part.open?.(log);
}

/** Returns the lines of `check` of a server object, its features and the extra features. */
export async function diagnoseServer(server: object, extraFeatures: readonly object[] = []): Promise<readonly Diagnosis[]> {
  const lines: Diagnosis[] = [];
  for (const part of listParts(server, extraFeatures)) lines.push(...((await part.diagnose?.()) ?? []));
  return lines;
}

/** Disposes of the objects that {@link openServer} opens, in the reverse order. Rejects with the first error, after all are disposed of. */
export async function disposeServer(server: object, extraFeatures: readonly object[] = []): Promise<void> {
  const errors: unknown[] = [];
  for (const part of [...listInOpeningOrder(server, extraFeatures)].reverse()) {
    try {
      await part[Symbol.asyncDispose]?.();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Lists a server object, its features and the extra features, each once. */
function listParts(server: object, extraFeatures: readonly object[]): readonly ServerObject[] {
  return [...new Set(listServerParts(server, extraFeatures).map(({ object }) => object))];
}

/** Lists the objects in order of declaration, each once and after its own features. */
function listInOpeningOrder(server: object, extraFeatures: readonly object[]): readonly ServerObject[] {
  const parts = listServerParts(server, extraFeatures);
  const withFeatures = (part: ServerPart): readonly object[] => [
    ...parts.filter((each) => isFeatureOf(each, part)).flatMap(withFeatures),
    part.object,
  ];
  return [...new Set(parts.filter(({ owner }) => owner.length === 0).flatMap(withFeatures))];
}

function isFeatureOf({ owner, extraFeature }: ServerPart, holder: ServerPart): boolean {
  if (extraFeature !== holder.extraFeature || owner.length !== holder.owner.length + 1) return false;
  return holder.owner.every((name, index) => name === owner[index]);
}

/** A server class. A process creates one instance from the options; each method of {@link ServerObject} is optional. */
export type ServerClass<Options> = new (options: Options) => object;
