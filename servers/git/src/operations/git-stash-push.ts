import { Flag, Text, TextList, ToolError } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import { changesIn } from '../repository/uncommitted.ts';
import { headOf, type Head } from '../repository/head.ts';
import { keepChanges } from '../repository/keep-changes.ts';
import { bodyOf, decodeList } from '../repository/parse/fields.ts';
import { namesDirectory, pathList } from '../repository/path-bytes.ts';
import { pathsInside } from '../repository/paths.ts';
import { removeFiles } from '../repository/remove-files.ts';
import type { Repository } from '../repository/repository.ts';
import { requireCommits } from '../repository/revision.ts';
import { dropStash } from '../repository/stashes.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { short } from '../text/short.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitStashPushInput extends RepositoryInput {
  @Text({ optional: true, maxLength: 1000 }) message?: string;
  @TextList('Only changes at or below these; default: all', { optional: true, maxItems: 1000 }) paths?: string[];
  @Flag('Untracked files, too') untracked = false;
  @Flag('Leave what is staged as it is') keep_index = false;
}

/** Changes that were put aside. */
export interface StashedChanges {
  readonly oid: string;
  readonly message: string;
  readonly files: readonly string[];
  /** Of all files, listed or not. */
  readonly total: number;
}

/**
 * Puts changes aside, and sets their files to what HEAD has. Not by `git stash push`, which starts another git in a submodule.
 *
 * @throws ToolError NOTHING_TO_COMMIT, CONFLICT, EMPTY_REPO, PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, INVALID_PATH, INVALID_ARGUMENTS,
 * NO_WORK_TREE, LOCKED
 */
export async function gitStashPush(repository: Repository, input: GitStashPushInput): Promise<StashedChanges> {
  requireWorkTree(repository);
  await requireCommits(repository);
  if (/\p{Cc}/u.test(input.message ?? '')) throw new ToolError('INVALID_ARGUMENTS', 'the message is one line');
  const paths = pathsInside(repository, input.paths ?? []);
  return repository.alone(() => push(repository, input, paths));
}

async function push(repository: Repository, input: GitStashPushInput, paths: readonly string[]): Promise<StashedChanges> {
  const head = await headOf(repository);
  const [{ entries }, untracked] = await Promise.all([
    changesIn(repository, paths),
    input.untracked ? untrackedIn(repository, paths) : [],
  ]);
  if (entries.some(({ conflict }) => conflict === true))
    throw new ToolError('CONFLICT', 'there are unresolved conflicts', { hint: 'resolve them, then git_add the files' });
  const files = [...entries.map((entry) => entry.path), ...untracked];
  if (files.length === 0)
    throw new ToolError('NOTHING_TO_COMMIT', 'there is nothing to put aside', {
      hint: input.untracked ? 'git_status lists what has changed' : 'untracked files are put aside with `untracked`',
    });
  const message = `On ${head.branch ?? '(no branch)'}: ${input.message ?? (await subjectOf(repository, head))}`;
  const oid = await keepChanges(repository, { head: head.oid, message, paths, untracked });
  await repository.write(['stash', 'store', '--quiet', `--message=${message}`, oid]);
  const changed = entries.map((entry) => entry.path);
  await setBack(repository, input.keep_index ? `${oid}^2` : 'HEAD', changed).catch(async (error: unknown) => {
    // The files are as they were: what was put aside would be there twice.
    if (ToolError.is(error) && error.code === 'LOCKED') await dropStash(repository, 0);
    throw error;
  });
  await removeFiles(repository, untracked);
  return {
    oid,
    message,
    files: firstThatFit(files.slice(0, repository.limits.maxEntries), repository.limits.maxBytes),
    total: files.length,
  };
}

async function setBack(repository: Repository, from: string, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const flags = [`--source=${from}`, '--staged', '--worktree', '--quiet', '--no-recurse-submodules'];
  await repository.write(['restore', ...flags, '--pathspec-from-file=-', '--pathspec-file-nul'], { input: pathList(files) });
}

async function untrackedIn(repository: Repository, paths: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await repository.read(['ls-files', '-z', '--others', '--exclude-standard', '--', ...paths]);
  return decodeList(stdout).filter((each) => !namesDirectory(each));
}

async function subjectOf(repository: Repository, { oid = '' }: Head): Promise<string> {
  const command = ['log', '--max-count=1', '--no-show-signature', '--encoding=UTF-8', '--format=%s', oid, '--'];
  return `${short(oid)} ${bodyOf((await repository.read(command)).stdout).trim()}`;
}
