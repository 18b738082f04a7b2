import { Flag, Text, ToolError } from '@org/mcp-decorators';

import { requireRefName } from '../repository/branch-name.ts';
import { runWithHooks } from '../repository/run-with-hooks.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { signing } from '../repository/signing.ts';
import { listTags, requireTag } from '../repository/tags.ts';
import { commitMessage } from '../text/commit-message.ts';
import { quoted } from '../text/visible.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitTagCreateInput extends RepositoryInput {
  @Text() name!: string;
  @Text('Branch, tag or commit; default: HEAD', { optional: true }) target?: string;
  @Text('Makes it an annotated tag', { optional: true, minLength: 1, maxLength: 1_000_000 }) message?: string;
  @Flag("Sign it with the user's key; needs a message") sign = false;
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
 * Creates a tag, and never moves one.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, EMPTY_REPO, TAG_EXISTS, INVALID_ARGUMENTS, IDENTITY_REQUIRED,
 * SIGNING_FAILED, HOOK_FAILED, LOCKED
 */
export async function gitTagCreate(
  repository: Repository,
  { name, target = 'HEAD', message, sign }: GitTagCreateInput,
): Promise<CreatedTag> {
  await requireRefName(repository, 'tag', name);
  if (sign && message === undefined) throw new ToolError('INVALID_ARGUMENTS', 'a signed tag has a message');
  const annotated =
    message === undefined ? [] : ['--annotate', '--cleanup=whitespace', '--file=-', sign ? '--sign' : '--no-sign'];
  const oid = await resolveCommit(repository, target);
  const { config, env } = sign ? await signing(repository) : { config: {}, env: {} };
  return repository.alone(async () => {
    if ((await listTags(repository)).some((each) => each.name === name))
      throw new ToolError('TAG_EXISTS', `there is a tag ${quoted(name)} already`, {
        hint: 'tags are not moved; git_tag_delete deletes one',
      });
    await runWithHooks(repository, ['tag', ...annotated, '--', name, oid], {
      config: { 'tag.forceSignAnnotated': 'false', ...config },
      env,
      ...(message !== undefined && { input: commitMessage(message) }),
    });
    const made = await requireTag(repository, name);
    return { name, oid: made.oid, target: oid, annotated: made.annotated, signed: sign };
  });
}
