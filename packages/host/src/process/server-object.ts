import type { ToolDefinition } from '@org/mcp-decorators';

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

/** Optional methods of a server class, in addition to its annotated methods. */
export interface ServerObject {
  /**
   * Opens the resources of the server, once, before the server accepts requests. Throws a `UsageError` if the operator has to act.
   *
   * @param log absent if `runServer` does not run the server
   */
  open?(log?: OperatorLog): Promise<void> | void;
  /** Whether a tool is offered with the object's options. Not called for tools that the operator disabled. */
  offers?(tool: ToolDefinition): boolean;
  /** Returns the lines of `check`. Called after {@link ServerObject.open}. */
  diagnose?(): Promise<readonly Diagnosis[]> | readonly Diagnosis[];
  /** Releases the resources that {@link ServerObject.open} opened. */
  [Symbol.asyncDispose]?(): Promise<void>;
}

/** A server class. A process creates one instance from the options; each method of {@link ServerObject} is optional. */
export type ServerClass<Options> = new (options: Options) => object;
