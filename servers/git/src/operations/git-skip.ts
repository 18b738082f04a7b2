import { type Preview, type RequestContext, ToolError } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { join, requireHead } from '../repository/joining.ts';
import type { Operation } from '../repository/operation.ts';
import { requireHarmlessSteps } from '../repository/planted-steps.ts';
import type { Repository } from '../repository/repository.ts';
import { discardEdits, keepResolved, resolutionLoss } from './resolution-loss.ts';
import { endedOf, requireOperation } from './git-continue.ts';
import type { JoinedHistory } from './joined-history.ts';

export class GitSkipInput extends ConfirmInput {}

/**
 * Leaves out the commit that a rebase, cherry-pick or revert stopped at and goes on; what was resolved of it goes only
 * if that is confirmed, and is kept.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, NO_OPERATION, CONFIRMATION_REQUIRED, PRECONDITION_FAILED,
 * REPO_UNTRUSTED, NO_WORK_TREE, INVALID_ARGUMENTS, LOCKED
 */
export function gitSkip(repository: Repository, input: GitSkipInput, context: RequestContext): Promise<JoinedHistory | Preview> {
  return whenConfirmed(
    { repository, input, context },
    async () => {
      const operation = await skippable(repository);
      return resolutionLoss(repository, operation, `Leave out this commit of the ${operation.kind}`);
    },
    async (loss) => {
      const operation = await skippable(repository);
      const kept = await keepResolved(repository, loss);
      await discardEdits(repository, loss);
      const { oid } = await requireHead(repository);
      await join(repository, [operation.kind, '--skip'], { env: { GIT_EDITOR: ':' } });
      const { recover_with, ...ended } = await endedOf(repository, operation.before ?? oid);
      const command = kept ?? recover_with;
      return { ...ended, ...(command !== undefined && { recover_with: command }) };
    },
  );
}

async function skippable(repository: Repository): Promise<Operation> {
  const operation = await requireOperation(repository);
  if (operation.kind === 'merge')
    throw new ToolError('INVALID_ARGUMENTS', 'a merge has nothing to skip to', { hint: 'git_abort gives it up' });
  await requireHarmlessSteps(repository.ground.gitDir, operation);
  return operation;
}
