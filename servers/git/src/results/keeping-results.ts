import { Result, visibleName } from '@org/mcp-decorators';

import type { AppliedStash } from '../operations/git-stash-apply.ts';
import type { DroppedStash } from '../operations/git-stash-drop.ts';
import type { StashList } from '../operations/git-stash-list.ts';
import type { StashedChanges } from '../operations/git-stash-push.ts';
import type { CreatedTag } from '../operations/git-tag-create.ts';
import type { DeletedTag } from '../operations/git-tag-delete.ts';
import type { TagList } from '../operations/git-tag-list.ts';
import type { VerifiedTag } from '../operations/git-tag-verify.ts';
import { counted } from '../text/counted.ts';
import { short } from '../text/short.ts';
import { withRecovery } from './recovery.ts';
import { restOf } from './rest-of.ts';

export function stashesResult(list: StashList): Result {
  const lines = list.stashes.map(({ stash, oid, message, date }) => `${stash} ${short(oid)} ${date} ${visibleName(message)}`);
  if (list.truncated) lines.push(restOf(list, list.stashes.length, 'stashes'));
  return Result.of(list, lines.length === 0 ? 'Nothing is stashed' : lines.join('\n'));
}

export function pushedResult(stashed: StashedChanges): Result {
  const { oid, message, total } = stashed;
  return Result.of(stashed, `Stashed ${counted(total, 'file')} as ${short(oid)}: ${visibleName(message)}`);
}

export function appliedResult(applied: AppliedStash): Result {
  const { oid, message, dropped } = applied;
  return Result.of(applied, `Applied ${short(oid)}${dropped ? ' and dropped it' : ''}: ${visibleName(message)}`);
}

export function droppedResult(stash: DroppedStash): Result {
  return withRecovery(stash, `Dropped ${short(stash.oid)}: ${visibleName(stash.message)}`);
}

export function tagsResult(list: TagList): Result {
  const lines = list.tags.map(
    ({ name, target, annotated, date, subject }) =>
      `${visibleName(name)} ${short(target)} ${date}${annotated ? '' : ' (no message)'} ${visibleName(subject)}`,
  );
  if (list.truncated) lines.push(restOf(list, list.tags.length, 'tags'));
  return Result.of(list, lines.length === 0 ? 'No tags found' : lines.join('\n'));
}

export function taggedResult(tag: CreatedTag): Result {
  return Result.of(tag, `Tagged ${short(tag.target)} as ${visibleName(tag.name)}${tag.signed ? ', signed' : ''}`);
}

export function tagDeletedResult(tag: DeletedTag): Result {
  return withRecovery(tag, `Deleted the tag ${visibleName(tag.name)} at ${short(tag.oid)}`);
}

export function verifiedResult(tag: VerifiedTag): Result {
  const name = visibleName(tag.name);
  if (!tag.signed) return Result.of(tag, `${name} is not signed`);
  const signer = `${tag.signer === undefined ? '' : ` by ${visibleName(tag.signer)}`}${tag.key === undefined ? '' : ` with ${visibleName(tag.key)}`}`;
  return Result.of(tag, tag.valid ? `${name} is signed${signer}` : `${name} has a signature${signer} that is not valid here`);
}
