import type { Loss, RequestContext } from '@org/mcp-decorators';

import type { StreamSink } from './reading.ts';

/** One statement that a caller wants to run and commit. */
export interface WriteRequest {
  readonly sql: string;
  /** The values of the placeholders, in order; `null` is NULL. */
  readonly params: readonly (string | null)[];
  /** Timeout of the statement, in ms. */
  readonly timeoutMs: number;
  /** Maximum number of rows that the statement may affect; `undefined` for no limit. */
  readonly maxAffected: number | undefined;
  /** Maximum number of bytes of returned rows that can be stored. */
  readonly maxStoredBytes: number;
}

/** A statement that the database has accepted as a write, and that has not run yet. */
export interface PreparedWrite<Plan extends WritePlan = WritePlan> {
  /**
   * Determines the effects of the statement. If a rollback undoes all its effects, the statement runs and is rolled back.
   *
   * @throws ToolError TOO_LARGE if the statement affects more rows than the request allows; errors of the database
   */
  plan(context: RequestContext): Promise<Plan>;
  /**
   * Runs the statement and commits it. Before the commit, awaits `sink.finish()` and compares the effects with the plan. A
   * statement that cannot run in a transaction takes effect at once, without a comparison.
   *
   * @throws ToolError PRECONDITION_FAILED if the effects differ from the plan; TOO_LARGE if the statement affects more rows than
   * the request allows; errors of the database. A transaction is rolled back before the method rejects
   */
  commit(plan: Plan, sink: WriteSink, context: RequestContext): Promise<CommittedWrite>;
}

/** Facts about a write that are known before the write runs, for its confirmation. */
export interface WritePlan {
  readonly loss: Loss;
  /** Fingerprint of the facts that the user confirms. The confirmation is invalid if the fingerprint changes. */
  readonly state: string;
}

/** Receives the rows that a writing statement returns. */
export interface WriteSink extends StreamSink {
  /** Called after the last row. Resolves when the rows that must be stored are stored. */
  finish(): Promise<void>;
}

/** Result of a committed statement, without its rows. */
export interface CommittedWrite {
  /** First words of the statement, such as `UPDATE` or `CREATE TABLE`. */
  readonly command: string;
  /** Number of changed rows, or of returned rows for SELECT; `undefined` for a command that counts no rows, such as DROP. */
  readonly affected: number | undefined;
  readonly notices: readonly string[];
}
