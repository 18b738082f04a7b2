import type { Candidate } from '../candidates/candidate.ts';

/** A statement to be planned. */
export interface PlannableStatement {
  readonly sql: string;
  readonly params: readonly (string | null)[];
  /** Whether to plan for any values of the parameters. */
  readonly generic: boolean;
}

/** An index that exists only for the planner. On a partitioned table, each partition has its own index, with its own name. */
export interface AssumedIndex {
  /** Names in plans. */
  readonly names: ReadonlySet<string>;
}

export interface CandidateIndex extends AssumedIndex {
  readonly candidate: Candidate;
}

/** Plans statements as if indexes existed. The database itself remains unchanged. */
export interface Planner {
  /**
   * Adds candidates, and returns the added ones. PostgreSQL may reject a candidate, for example if its expression is not
   * immutable.
   */
  addCandidates: (candidates: readonly Candidate[], signal: AbortSignal) => Promise<readonly CandidateIndex[]>;
  /**
   * Returns the plan as EXPLAIN (FORMAT JSON) writes it, as if only the `visible` ones of the added indexes existed.
   *
   * @throws an error if the statement cannot be planned
   */
  explain: (statement: PlannableStatement, visible: readonly AssumedIndex[], signal: AbortSignal) => Promise<string>;
}

export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Replaces the names of assumed indexes in a plan by a label with their numbers, such as `proposal 1`. */
export function nameIndexes(json: string, indexes: readonly AssumedIndex[], label: string): string {
  return indexes.reduce(
    (text, { names }, place) =>
      [...names].reduce((replaced, name) => replaced.replaceAll(JSON.stringify(name), `"${label} ${place + 1}"`), text),
    json,
  );
}
