import { confirmedResult, Integer, Result, escapeInvisible, type RequestContext } from '@org/mcp-decorators';

import { backUpCommit } from '../../repository/refs/backup-ref.ts';
import { dropStash, requireStash } from '../../repository/refs/stashes.ts';
import type { Repository } from '../../repository/repository.ts';
import { quoteForShell, shortOid } from '../../text/format.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed } from '../confirm/run-when-confirmed.ts';
import { formatRecovery } from '../results/result-text.ts';
import { formatUndo, type UndoStep } from '../results/undo.ts';

export class GitStashDropInput extends ConfirmInput {
  @Integer('Default: 0, the newest', { min: 0 }) stash = 0;
}

/** A dropped stash. */
export interface DroppedStash {
  readonly oid: string;
  readonly message: string;
  readonly recover_with: string;
}

/**
 * Drops a stash after confirmation. Keeps its commit under a backup ref.
 *
 * @throws ToolError STASH_NOT_FOUND, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, LOCKED
 */
export async function gitStashDrop(repository: Repository, input: GitStashDropInput, context: RequestContext): Promise<Result> {
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    async () => {
      const { oid, message } = await requireStash(repository, input.stash);
      return {
        question: 'Drop this stash?',
        lost: [message],
        recoverWith: formatUndo(repository, [storeStash(oid, message)]),
        seen: { stash: oid },
      };
    },
    async () => {
      const { oid, message } = await requireStash(repository, input.stash);
      await backUpCommit(repository, oid);
      await dropStash(repository, input.stash);
      return { oid, message, recover_with: formatUndo(repository, [storeStash(oid, message)]) };
    },
  );
  return confirmedResult(outcome, formatDropped);
}

function storeStash(oid: string, message: string): UndoStep {
  const command = `git stash store -m ${quoteForShell(message)} ${oid}`;
  return { tool: 'git_stash_push', args: { dropped: oid }, command };
}

function formatDropped(stash: DroppedStash): Result {
  return formatRecovery(stash, `Dropped ${shortOid(stash.oid)}: ${escapeInvisible(stash.message)}`);
}
