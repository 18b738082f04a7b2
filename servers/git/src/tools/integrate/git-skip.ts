import { confirmedResult, ToolError, type RequestContext, type Result } from '@org/mcp-decorators';

import { requireHead } from '../../repository/integrate/idle-head.ts';
import { runIntegration } from '../../repository/integrate/integrate.ts';
import type { Operation } from '../../repository/integrate/operation.ts';
import { requireHarmlessSteps } from '../../repository/integrate/planted-steps.ts';
import type { Repository } from '../../repository/repository.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed } from '../confirm/run-when-confirmed.ts';
import { readEndOutcome, requireOperation } from './git-continue.ts';
import { formatIntegration } from './integration-result.ts';
import { discardEdits, findResolutionLoss, keepResolved } from './resolution-loss.ts';
import { formatUndo } from '../results/undo.ts';

export class GitSkipInput extends ConfirmInput {}

/**
 * Skips the commit at which a rebase, cherry-pick or revert stopped, and continues. Losing manually resolved files requires confirmation, and
 * the files are kept in a backup commit.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, NO_OPERATION, CONFIRMATION_REQUIRED, PRECONDITION_FAILED,
 * REPO_UNTRUSTED, NO_WORK_TREE, INVALID_ARGUMENTS, LOCKED
 */
export async function gitSkip(repository: Repository, input: GitSkipInput, context: RequestContext): Promise<Result> {
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    async () => {
      const operation = await requireSkippable(repository);
      return findResolutionLoss(repository, operation, `Skip this commit of the ${operation.kind}`);
    },
    async (loss) => {
      const operation = await requireSkippable(repository);
      const kept = await keepResolved(repository, loss);
      await discardEdits(repository, loss);
      const { oid } = await requireHead(repository);
      await runIntegration(repository, [operation.kind, '--skip'], { env: { GIT_EDITOR: ':' } });
      const { recover_with, ...ended } = await readEndOutcome(repository, operation.before ?? oid);
      const command = kept === undefined ? recover_with : formatUndo(repository, [kept]);
      return { ...ended, ...(command !== undefined && { recover_with: command }) };
    },
  );
  return confirmedResult(outcome, formatIntegration);
}

async function requireSkippable(repository: Repository): Promise<Operation> {
  const operation = await requireOperation(repository);
  if (operation.kind === 'merge')
    throw new ToolError('INVALID_ARGUMENTS', 'a merge cannot be skipped', { hint: 'abort the merge with git_abort' });
  await requireHarmlessSteps(repository.layout.gitDir, operation);
  return operation;
}
