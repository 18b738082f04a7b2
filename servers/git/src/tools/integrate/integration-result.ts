import { Result, escapeInvisible } from '@org/mcp-decorators';

import { readHead } from '../../repository/refs/head.ts';
import type { Repository } from '../../repository/repository.ts';
import { shortOid } from '../../text/format.ts';
import { formatUndo, resetTo } from '../results/undo.ts';

export type IntegrationOutcome =
  | 'merged'
  | 'fast_forward'
  | 'up_to_date'
  | 'staged'
  | 'rebased'
  | 'picked'
  | 'reverted'
  | 'finished'
  | 'in_progress'
  | 'aborted';

/** The outcome of an operation that integrates commits, with the commit of HEAD before and after. */
export interface IntegrationResult {
  readonly outcome: IntegrationOutcome;
  /** Current branch; absent on a detached HEAD. */
  readonly branch?: string;
  /** Commit of HEAD before the operation. */
  readonly before: string;
  readonly after: string;
  /**
   * The tool call or git command that undoes the operation, or restores the files that the operation discarded; absent if there
   * is nothing to undo.
   */
  readonly recover_with?: string;
}

const OUTCOME_TEXTS: Readonly<Record<IntegrationOutcome, string>> = {
  merged: 'Merged',
  fast_forward: 'Fast-forwarded',
  up_to_date: 'Already up to date',
  staged: 'Staged, not committed',
  rebased: 'Rebased',
  picked: 'Cherry-picked',
  reverted: 'Reverted',
  finished: 'Finished',
  in_progress: 'Still in progress: continue with git_continue',
  aborted: 'Aborted',
};

export function formatIntegration(history: IntegrationResult): Result {
  const { outcome, branch, before, after, recover_with } = history;
  const place = branch === undefined ? 'HEAD' : escapeInvisible(branch);
  const moved =
    before === after ? `${place} is at ${shortOid(after)}` : `${place} moved from ${shortOid(before)} to ${shortOid(after)}`;
  const back = recover_with === undefined ? [] : [`To undo: ${escapeInvisible(recover_with)}`];
  const hint = outcome === 'in_progress' ? { hint: 'continue with git_continue' } : {};
  return Result.of({ ...history, ...hint }, [`${OUTCOME_TEXTS[outcome]}; ${moved}`, ...back].join('\n'));
}

/**
 * Returns the outcome of an operation from the commit of HEAD before and after it.
 *
 * @param before full object name of HEAD before the operation
 * @param chooseOutcome returns the name of the outcome for the current commit of HEAD
 */
export async function readOutcome(
  repository: Repository,
  before: string,
  chooseOutcome: (after: string) => IntegrationOutcome,
): Promise<IntegrationResult> {
  const { oid: after = before, branch } = await readHead(repository);
  return {
    outcome: chooseOutcome(after),
    ...(branch !== undefined && { branch }),
    before,
    after,
    ...(after !== before && { recover_with: formatUndo(repository, [resetTo('keep', before)]) }),
  };
}
