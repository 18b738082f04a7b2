import { Integer, type Preview, type RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { backUp } from '../repository/backup-ref.ts';
import type { Repository } from '../repository/repository.ts';
import { dropStash, requireStash } from '../repository/stashes.ts';
import { shellQuoted } from '../text/shell-quoted.ts';

export class GitStashDropInput extends ConfirmInput {
  @Integer('Which one; default: 0, the newest', { min: 0 }) stash = 0;
}

/** A stash that is not in the list any more. */
export interface DroppedStash {
  readonly oid: string;
  readonly message: string;
  readonly recover_with: string;
}

/**
 * Drops a stash, once that is confirmed; its commit is kept.
 *
 * @throws ToolError STASH_NOT_FOUND, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, LOCKED
 */
export async function gitStashDrop(
  repository: Repository,
  input: GitStashDropInput,
  context: RequestContext,
): Promise<DroppedStash | Preview> {
  return whenConfirmed(
    { repository, input, context },
    async () => {
      const { oid, message } = await requireStash(repository, input.stash);
      return { question: 'Drop this stash?', lost: [message], recoverWith: recovering(oid, message), seen: { stash: oid } };
    },
    async () => {
      const { oid, message } = await requireStash(repository, input.stash);
      await backUp(repository, oid);
      await dropStash(repository, input.stash);
      return { oid, message, recover_with: recovering(oid, message) };
    },
  );
}

function recovering(oid: string, message: string): string {
  return `git stash store -m ${shellQuoted(message)} ${oid}`;
}
