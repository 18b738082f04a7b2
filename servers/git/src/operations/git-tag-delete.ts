import { Text, type Preview, type RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { backUp } from '../repository/backup-ref.ts';
import { requireRefName } from '../repository/branch-name.ts';
import { hooksOf } from '../repository/hooks.ts';
import type { Repository } from '../repository/repository.ts';
import { requireTag } from '../repository/tags.ts';
import { shellQuoted } from '../text/shell-quoted.ts';
import { short } from '../text/short.ts';

export class GitTagDeleteInput extends ConfirmInput {
  @Text('A local tag; remotes keep theirs') name!: string;
}

/** A tag that was deleted, and what it was. */
export interface DeletedTag {
  readonly name: string;
  readonly oid: string;
  readonly recover_with: string;
}

/**
 * Deletes a tag, once that is confirmed; what it named, and its message, are kept.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, LOCKED
 */
export async function gitTagDelete(
  repository: Repository,
  input: GitTagDeleteInput,
  context: RequestContext,
): Promise<DeletedTag | Preview> {
  const { name } = input;
  await requireRefName(repository, 'tag', name);
  return whenConfirmed(
    { repository, input, context },
    async () => {
      const { oid, subject } = await requireTag(repository, name);
      return {
        question: `Delete the tag ${name}?`,
        lost: [`${name} at ${short(oid)}: ${subject}`],
        recoverWith: recovering(name, oid),
        seen: { tag: oid },
      };
    },
    async () => {
      const { oid } = await requireTag(repository, name);
      await backUp(repository, oid);
      await repository.write(['update-ref', '-d', `refs/tags/${name}`, oid], hooksOf(repository.policy));
      return { name, oid, recover_with: recovering(name, oid) };
    },
  );
}

function recovering(name: string, oid: string): string {
  return `git update-ref ${shellQuoted(`refs/tags/${name}`)} ${oid}`;
}
