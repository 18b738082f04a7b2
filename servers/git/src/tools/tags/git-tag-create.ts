import { Flag, Result, Text, ToolError, escapeInvisible } from '@org/mcp-decorators';

import { runWithHooks } from '../../repository/hooks.ts';
import { requireRefName } from '../../repository/refs/branch-name.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { readSigningOptions } from '../../repository/signing.ts';
import { formatCommitMessage } from '../../text/commit-message.ts';
import { shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';

export class GitTagCreateInput extends RepositoryInput {
  @Text('Name of the new tag') name!: string;
  @Text('Branch, tag or commit; default: HEAD', { optional: true }) target?: string;
  @Text('Message of an annotated tag; default: a lightweight tag', { optional: true, minLength: 1, maxLength: 1_000_000 })
  message?: string;
  @Flag("Sign the tag with the user's key; requires a message") sign = false;
}

/** A new tag. */
export interface CreatedTag {
  readonly name: string;
  readonly oid: string;
  readonly target: string;
  readonly annotated: boolean;
  readonly signed: boolean;
}

/**
 * Creates a tag. Never moves an existing tag.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, EMPTY_REPO, TAG_EXISTS, INVALID_ARGUMENTS, IDENTITY_REQUIRED,
 * SIGNING_FAILED, HOOK_FAILED, LOCKED
 */
export async function gitTagCreate(
  repository: Repository,
  { name, target = 'HEAD', message, sign }: GitTagCreateInput,
): Promise<Result> {
  await requireRefName(repository, 'tag', name);
  if (sign && message === undefined) throw new ToolError('INVALID_ARGUMENTS', 'a signed tag requires a message');
  const annotated =
    message === undefined ? [] : ['--annotate', '--cleanup=whitespace', '--file=-', sign ? '--sign' : '--no-sign'];
  const oid = message === undefined ? await resolveTagged(repository, target) : await resolveCommit(repository, target);
  const { config, env } = sign ? await readSigningOptions(repository) : { config: {}, env: {} };
  const reference = `refs/tags/${name}`;
  const outcome = await repository.withWriteLock(async () => {
    if ((await repository.objectInfo(reference)) !== undefined)
      throw new ToolError('TAG_EXISTS', `the tag ${quoteInput(name)} already exists`, {
        hint: 'tags are never moved; to replace the tag, delete it with git_tag_delete first',
      });
    await runWithHooks(repository, ['tag', ...annotated, '--', name, oid], {
      config: { 'tag.forceSignAnnotated': 'false', ...config },
      env,
      ...(message !== undefined && { input: formatCommitMessage(message) }),
    });
    const made = await repository.objectInfo(reference);
    if (made === undefined) throw new ToolError('GIT_FAILED', `git created no tag ${quoteInput(name)}`);
    return { name, oid: made.oid, target: oid, annotated: made.type === 'tag', signed: sign };
  });
  return formatCreatedTag(outcome);
}

/**
 * Returns the target itself if it is the full object name of a tag object, so that a deleted tag can be created again. Otherwise,
 * returns the commit.
 */
async function resolveTagged(repository: Repository, target: string): Promise<string> {
  const commit = await resolveCommit(repository, target);
  if (!FULL_NAME.test(target) || target === commit) return commit;
  return (await repository.objectInfo(target))?.type === 'tag' ? target : commit;
}

const FULL_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function formatCreatedTag(tag: CreatedTag): Result {
  return Result.of(tag, `Tagged ${shortOid(tag.target)} as ${escapeInvisible(tag.name)}${tag.signed ? ', signed' : ''}`);
}
