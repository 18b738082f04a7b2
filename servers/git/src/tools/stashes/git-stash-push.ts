import { Flag, Result, Text, TextList, ToolError, escapeInvisible } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { decodeBody, decodeNames } from '../../repository/parse/fields.ts';
import { endsWithSlash } from '../../repository/parse/path-bytes.ts';
import { readHead, type Head } from '../../repository/refs/head.ts';
import { requireCommits, resolveCommit } from '../../repository/refs/revision.ts';
import { dropStash } from '../../repository/refs/stashes.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePaths, requireWorkTree } from '../../repository/work-tree/paths.ts';
import { readHeader, restoreFrom } from '../../repository/work-tree/backup.ts';
import { removeFiles } from '../../repository/work-tree/remove-files.ts';
import { createStashCommit } from '../../repository/work-tree/stash-commit.ts';
import { readUncommittedChanges } from '../../repository/work-tree/uncommitted.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';

export class GitStashPushInput extends RepositoryInput {
  @Text('Stash message', { optional: true, maxLength: 1000 }) message?: string;
  @TextList('Restrict to these files or directories', { optional: true, maxItems: 1000 }) paths?: string[];
  @Flag('Include untracked files') untracked = false;
  @Flag('Keep staged changes staged') keep_index = false;
  @Text('Dropped stash to put back', { optional: true }) dropped?: string;
}

/** A new stash. */
export interface StashedChanges {
  readonly oid: string;
  readonly message: string;
  readonly files: readonly string[];
  /** Number of all stashed files, including files that are not listed. */
  readonly total: number;
}

/**
 * Stashes uncommitted changes and restores the files to HEAD, or puts a dropped stash back. With `keep_index`, restores the files
 * to the index. Does not run `git stash push`, which would run git inside submodules.
 *
 * @throws ToolError NOTHING_TO_COMMIT, CONFLICT, EMPTY_REPO, PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, INVALID_PATH, INVALID_ARGUMENTS,
 * NO_WORK_TREE, LOCKED
 */
export async function gitStashPush(repository: Repository, input: GitStashPushInput): Promise<Result> {
  requireWorkTree(repository);
  await requireCommits(repository);
  if (input.dropped !== undefined) return formatStashed(await storeDropped(repository, input, input.dropped));
  if (/\p{Cc}/u.test(input.message ?? ''))
    throw new ToolError('INVALID_ARGUMENTS', 'the message must be one line without control characters');
  const paths = resolvePaths(repository, input.paths ?? []);
  return formatStashed(await repository.withWriteLock(() => stashPaths(repository, input, paths)));
}

/** @throws ToolError INVALID_REVISION, INVALID_ARGUMENTS for a commit that is not a stash */
async function storeDropped(
  repository: Repository,
  { message, paths, untracked: includes, keep_index: keeps }: GitStashPushInput,
  dropped: string,
): Promise<StashedChanges> {
  if (message !== undefined || paths !== undefined || includes || keeps)
    throw new ToolError('INVALID_ARGUMENTS', 'dropped cannot be combined with message, paths, untracked or keep_index');
  const oid = await resolveCommit(repository, dropped);
  const { parents, subject } = await readHeader(repository, oid);
  if (parents.length !== 2 && parents.length !== 3)
    throw new ToolError('INVALID_ARGUMENTS', 'this commit is not a stash', {
      hint: 'git_stash_drop names the commit of a dropped stash',
    });
  const [changed, untracked] = await Promise.all([
    repository.read(['diff-tree', '-r', '-z', '--name-only', `${oid}^1`, oid]),
    parents.length === 3 ? repository.read(['ls-tree', '-r', '-z', '--name-only', `${oid}^3`]) : undefined,
  ]);
  const files = [...decodeNames(changed.stdout), ...(untracked === undefined ? [] : decodeNames(untracked.stdout))];
  await repository.withWriteLock(() => repository.write(['stash', 'store', '--quiet', `--message=${subject}`, oid]));
  const { maxEntries, maxBytes } = repository.limits;
  return { oid, message: subject, files: takeFittingItems(files.slice(0, maxEntries), maxBytes), total: files.length };
}

async function stashPaths(repository: Repository, input: GitStashPushInput, paths: readonly string[]): Promise<StashedChanges> {
  const head = await readHead(repository);
  const [{ entries }, untracked, title] = await Promise.all([
    readUncommittedChanges(repository, paths),
    input.untracked ? listUntracked(repository, paths) : [],
    input.message ?? readSubject(repository, head),
  ]);
  if (entries.some(({ conflict }) => conflict === true))
    throw new ToolError('CONFLICT', 'some files have unresolved conflicts', {
      hint: 'resolve the conflicts, then stage the files with git_add',
    });
  const files = [...entries.map((entry) => entry.path), ...untracked];
  if (files.length === 0)
    throw new ToolError('NOTHING_TO_COMMIT', 'no changes to stash were found', {
      hint: input.untracked ? 'git_status lists the changed files' : 'to include untracked files, set `untracked`',
    });
  const message = `On ${head.branch ?? '(no branch)'}: ${title}`;
  const oid = await createStashCommit(repository, { head: head.oid, message, entries, untracked });
  await repository.write(['stash', 'store', '--quiet', `--message=${message}`, oid]);
  const changed = entries.map((entry) => entry.path);
  await restoreFrom(repository, { source: input.keep_index ? `${oid}^2` : 'HEAD', files: changed }, [
    '--staged',
    '--worktree',
  ]).catch(async (error: unknown) => {
    // The index is locked, so the files were not restored, and the stash would duplicate their changes. Therefore the new stash
    // is dropped.
    if (ToolError.is(error) && error.code === 'LOCKED') await dropStash(repository, 0);
    throw error;
  });
  await removeFiles(repository, untracked);
  return {
    oid,
    message,
    files: takeFittingItems(files.slice(0, repository.limits.maxEntries), repository.limits.maxBytes),
    total: files.length,
  };
}

async function listUntracked(repository: Repository, paths: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await repository.read(['ls-files', '-z', '--others', '--exclude-standard', '--', ...paths]);
  return decodeNames(stdout).filter((each) => !endsWithSlash(each));
}

async function readSubject(repository: Repository, { oid = '' }: Head): Promise<string> {
  const command = ['log', '--max-count=1', '--no-show-signature', '--encoding=UTF-8', '--format=%s', oid, '--'];
  return `${shortOid(oid)} ${decodeBody((await repository.read(command)).stdout).trim()}`;
}

function formatStashed(stashed: StashedChanges): Result {
  const { oid, message, total } = stashed;
  return Result.of(stashed, `Stashed ${formatCount(total, 'file')} as ${shortOid(oid)}: ${escapeInvisible(message)}`);
}
