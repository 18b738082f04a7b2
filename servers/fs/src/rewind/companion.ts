import type { RequestContext } from '@org/mcp-decorators';

import type { RewindConflict } from './rewind-plan.ts';

/** The changes that a return to an earlier state would make, and the conflicts that prevent them. */
export interface CompanionPlan {
  /** Descriptions such as `main moves from 1a2b3c4d5e6f to 7a8b9c0d1e2f`. */
  readonly changes: readonly string[];
  readonly conflicts: readonly RewindConflict[];
}

/**
 * State beside the files that `checkpoint` records and `rewind` restores, such as the repositories of a server for git in the
 * same process.
 */
export interface RewindCompanion {
  /** Records the state of this moment, as a JSON value. */
  record(context: RequestContext): Promise<unknown>;
  /** Describes what `restore` would change, and what prevents it. @param state a value that `record` returned */
  plan(state: unknown, context: RequestContext): Promise<CompanionPlan>;
  /** Restores a state after the files were rewound. Returns what stays as it is. @param state a value that `record` returned */
  restore(state: unknown, context: RequestContext): Promise<readonly RewindConflict[]>;
}
