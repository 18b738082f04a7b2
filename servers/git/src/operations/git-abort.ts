import type { Preview, RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { backUp } from '../repository/backup-ref.ts';
import { join, requireHead, unmergedIn } from '../repository/joining.ts';
import { operationIn, type Operation } from '../repository/operation.ts';
import type { Repository } from '../repository/repository.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { noOperation } from './git-continue.ts';
import { joined } from './joined.ts';
import type { JoinedHistory } from './joined-history.ts';
import { discardEdits, keepResolved, resolutionLoss } from './resolution-loss.ts';

export class GitAbortInput extends ConfirmInput {}

/**
 * Gives up the operation in progress and goes back to where it began; what was resolved by hand goes only if that is confirmed, and is kept.
 * Conflicts that belong to no operation, as of a squash, are given up, too.
 *
 * @throws ToolError NO_OPERATION, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, NO_WORK_TREE, EMPTY_REPO, LOCKED
 */
export function gitAbort(
  repository: Repository,
  input: GitAbortInput,
  context: RequestContext,
): Promise<JoinedHistory | Preview> {
  return whenConfirmed(
    { repository, input, context },
    async () => {
      const operation = await abortable(repository);
      return resolutionLoss(repository, operation, `Give up the ${operation?.kind ?? 'conflicts'}`);
    },
    async (loss) => {
      const kept = await keepResolved(repository, loss);
      await discardEdits(repository, loss);
      return abort(repository, kept);
    },
  );
}

async function abort(repository: Repository, kept: string | undefined): Promise<JoinedHistory> {
  const operation = await abortable(repository);
  const { oid } = await requireHead(repository);
  // Commits that a rebase made until now are on no branch.
  const isLoose = operation?.kind === 'rebase' && oid !== operation.onto && oid !== operation.before;
  if (isLoose) await backUp(repository, oid);
  await join(repository, operation === undefined ? ['reset', '--quiet', '--merge'] : [operation.kind, '--abort']);
  const { recover_with, ...outcome } = await joined(repository, oid, () => 'aborted');
  const commands = [isLoose ? recover_with : undefined, kept].filter((command) => command !== undefined);
  return commands.length === 0 ? outcome : { ...outcome, recover_with: commands.join(' && ') };
}

/** `undefined` where there are conflicts without an operation. */
async function abortable(repository: Repository): Promise<Operation | undefined> {
  requireWorkTree(repository);
  const operation = await operationIn(repository);
  if (operation !== undefined && operation.kind !== 'bisect') return operation;
  if ((await unmergedIn(repository)).length === 0) throw noOperation(operation);
  return undefined;
}
