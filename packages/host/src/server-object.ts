import type { ToolDefinition } from '@org/mcp-decorators';

/** One thing `check` says of a server. */
export interface Diagnosis {
  /** What it is about, in a word or two: `root /srv/files`. */
  readonly subject: string;
  /** `false` makes `check` exit with 1. */
  readonly ok: boolean;
  /** What was found, or what the operator has to do. */
  readonly detail: string;
}

/** Where a server object tells the operator what it copes with; each a line of the process's log. */
export interface OperatorLog {
  info(message: string): void;
  warning(message: string): void;
  /** Who did what, of level `info`. Of the others at most 100 are written in a second; these are written however many there are. */
  audit(message: string): void;
}

/** What a server class may implement besides its annotated methods. */
export interface ServerObject {
  /**
   * Opens what the server needs, once, before it serves; throws a `UsageError` where the operator has to act.
   *
   * @param log missing where the object is not served by a process of its own
   */
  open?(log?: OperatorLog): Promise<void> | void;
  /** Whether a tool is offered, with the options that the object has; not asked of tools that the operator left out. */
  offers?(tool: ToolDefinition): boolean;
  /** What `check` says of the server; called after {@link ServerObject.open}. */
  diagnose?(): Promise<readonly Diagnosis[]> | readonly Diagnosis[];
  /** Releases what {@link ServerObject.open} opened. */
  [Symbol.asyncDispose]?(): Promise<void>;
}

/** A class of servers, made once for each process from its options; of {@link ServerObject} it may have nothing. */
export type ServerClass<Options> = new (options: Options) => object;
