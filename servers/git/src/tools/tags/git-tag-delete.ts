import { confirmedResult, Result, Text, escapeInvisible, type RequestContext } from '@org/mcp-decorators';

import { configureHooks } from '../../repository/hooks.ts';
import { backUpCommit } from '../../repository/refs/backup-ref.ts';
import { requireRefName } from '../../repository/refs/branch-name.ts';
import { requireTag } from '../../repository/refs/tags.ts';
import type { Repository } from '../../repository/repository.ts';
import { quoteForShell, shortOid } from '../../text/format.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed } from '../confirm/run-when-confirmed.ts';
import { formatRecovery } from '../results/result-text.ts';
import { formatUndo, type UndoStep } from '../results/undo.ts';

export class GitTagDeleteInput extends ConfirmInput {
  @Text('Local tag; remotes keep their tags') name!: string;
}

/** A deleted tag and its object. */
export interface DeletedTag {
  readonly name: string;
  readonly oid: string;
  readonly recover_with: string;
}

/**
 * Deletes a tag after confirmation. Keeps the tagged object and the message under a backup ref.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, LOCKED
 */
export async function gitTagDelete(repository: Repository, input: GitTagDeleteInput, context: RequestContext): Promise<Result> {
  const { name } = input;
  await requireRefName(repository, 'tag', name);
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    async () => {
      const { oid, subject } = await requireTag(repository, name);
      return {
        question: `Delete the tag ${name}?`,
        lost: [`${name} at ${shortOid(oid)}: ${subject}`],
        recoverWith: formatUndo(repository, [recreateTag(name, oid)]),
        seen: { tag: oid },
      };
    },
    async () => {
      const { oid } = await requireTag(repository, name);
      await backUpCommit(repository, oid);
      await repository.write(['update-ref', '-d', `refs/tags/${name}`, oid], configureHooks(repository.policy));
      return { name, oid, recover_with: formatUndo(repository, [recreateTag(name, oid)]) };
    },
  );
  return confirmedResult(outcome, formatDeletedTag);
}

/** Returns the undo step that creates a tag again. For an annotated tag, `oid` names the tag object with its message. */
function recreateTag(name: string, oid: string): UndoStep {
  const command = `git update-ref ${quoteForShell(`refs/tags/${name}`)} ${oid}`;
  return { tool: 'git_tag_create', args: { name, target: oid }, command };
}

function formatDeletedTag(tag: DeletedTag): Result {
  return formatRecovery(tag, `Deleted the tag ${escapeInvisible(tag.name)} at ${shortOid(tag.oid)}`);
}
