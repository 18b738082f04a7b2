import { confirmedResult, type RequestContext, type Result } from '@org/mcp-decorators';

import { listUnmerged } from '../../repository/integrate/conflicts.ts';
import { requireHead } from '../../repository/integrate/idle-head.ts';
import { runIntegration } from '../../repository/integrate/integrate.ts';
import { readOperation, type Operation } from '../../repository/integrate/operation.ts';
import { backUpCommit } from '../../repository/refs/backup-ref.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed } from '../confirm/run-when-confirmed.ts';
import { noOperationError } from './git-continue.ts';
import { formatIntegration, readOutcome, type IntegrationResult } from './integration-result.ts';
import { discardEdits, findResolutionLoss, keepResolved } from './resolution-loss.ts';
import { formatUndo, resetTo, type UndoStep } from '../results/undo.ts';

export class GitAbortInput extends ConfirmInput {}

/**
 * Aborts the operation in progress and restores the state before it. Losing manually resolved files requires confirmation, and the files are
 * kept in a backup commit. Conflicts without an operation, such as the conflicts of a squash, are discarded as well.
 *
 * @throws ToolError NO_OPERATION, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, NO_WORK_TREE, EMPTY_REPO, LOCKED
 */
export async function gitAbort(repository: Repository, input: GitAbortInput, context: RequestContext): Promise<Result> {
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    async () => {
      const operation = await requireAbortable(repository);
      const question = operation === undefined ? 'Restore the files in conflict' : `Abort the ${operation.kind}`;
      return findResolutionLoss(repository, operation, question);
    },
    async (loss) => {
      const kept = await keepResolved(repository, loss);
      await discardEdits(repository, loss);
      return abort(repository, kept);
    },
  );
  return confirmedResult(outcome, formatIntegration);
}

async function abort(repository: Repository, kept: UndoStep | undefined): Promise<IntegrationResult> {
  const operation = await requireAbortable(repository);
  const { oid } = await requireHead(repository);
  // No branch contains the commits that the rebase created so far, so the last of them is backed up.
  const isLoose = operation?.kind === 'rebase' && oid !== operation.onto && oid !== operation.before;
  if (isLoose) await backUpCommit(repository, oid);
  await runIntegration(repository, operation === undefined ? ['reset', '--quiet', '--merge'] : [operation.kind, '--abort']);
  const { recover_with: _, ...outcome } = await readOutcome(repository, oid, () => 'aborted');
  const steps = [...(isLoose && outcome.after !== oid ? [resetTo('keep', oid)] : []), ...(kept === undefined ? [] : [kept])];
  return steps.length === 0 ? outcome : { ...outcome, recover_with: formatUndo(repository, steps) };
}

/** Returns the operation in progress, or `undefined` if there are conflicts without an operation. */
async function requireAbortable(repository: Repository): Promise<Operation | undefined> {
  requireWorkTree(repository);
  const operation = await readOperation(repository);
  if (operation !== undefined && operation.kind !== 'bisect') return operation;
  if ((await listUnmerged(repository)).length === 0) throw noOperationError(operation);
  return undefined;
}
