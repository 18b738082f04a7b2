import { ToolError } from '@org/mcp-decorators';

import { decodeBody, decodeNames } from '../parse/fields.ts';
import { encodePathList } from '../parse/path-bytes.ts';
import type { Repository } from '../repository.ts';
import { removeFiles } from './remove-files.ts';
import { STASH_IDENTITY } from './stash-commit.ts';

/** Files of one commit. */
interface CommitFiles {
  readonly source: string;
  readonly files: readonly string[];
}

/** The files that a backup commit restores: only those that had been changed when the backup was made. */
export interface Backup {
  readonly workTree: CommitFiles;
  /** Files that had been deleted in the work tree. */
  readonly deleted: readonly string[];
  /** Files that had been staged; `undefined` for a backup of untracked files. */
  readonly staged: CommitFiles | undefined;
  /** Untracked files that the backup contains separately. */
  readonly untracked: CommitFiles | undefined;
}

/** The parents, the subject and the committer of a commit. */
export interface CommitHeader {
  readonly parents: readonly string[];
  readonly subject: string;
  /** Email address. */
  readonly committer: string;
}

/** Reads the header of a commit. */
export async function readHeader(repository: Repository, oid: string): Promise<CommitHeader> {
  const format = '--format=%P%x00%ce%x00%s';
  const { stdout } = await repository.read(['log', '--no-walk', '--no-show-signature', '--encoding=UTF-8', format, oid, '--']);
  const [parents = '', committer = '', subject = ''] = decodeBody(stdout).trimEnd().split('\0');
  return { parents: parents.split(' ').filter((parent) => parent !== ''), committer, subject };
}

/**
 * Reads what a backup restores at or below the paths. Returns `undefined` for a commit that is no backup of files.
 *
 * @param oid a full object name
 * @throws ToolError PATH_NOT_FOUND if the backup contains no file at or below the paths
 */
export async function readBackup(repository: Repository, oid: string, paths: readonly string[]): Promise<Backup | undefined> {
  const { stdout } = await repository.read(['for-each-ref', '--count=1', `--points-at=${oid}`, '--format=x', 'refs/mcp-backup/']);
  if (stdout.length === 0) return undefined;
  const { parents, committer } = await readHeader(repository, oid);
  if (committer !== STASH_IDENTITY.GIT_COMMITTER_EMAIL) return undefined;
  const backup = await listBackup(repository, { oid, parents, paths });
  const { workTree, deleted, staged, untracked } = backup;
  if ([workTree, staged, untracked].some((part) => part !== undefined && part.files.length > 0) || deleted.length > 0)
    return backup;
  throw new ToolError('PATH_NOT_FOUND', 'the backup contains no file at these paths', {
    hint: 'the path . restores all files of the backup',
  });
}

async function listBackup(
  repository: Repository,
  { oid, parents, paths }: { readonly oid: string; readonly parents: readonly string[]; readonly paths: readonly string[] },
): Promise<Backup> {
  const headers = await Promise.all(parents.map((parent) => readHeader(repository, parent)));
  const place = headers.findIndex(({ subject, committer }) => subject.startsWith('index: ') && committer.endsWith('@stash'));
  const [head, index, others] = [parents[place - 1], parents[place], parents[place + 1]];
  if (index === undefined)
    return {
      workTree: { source: oid, files: await listFiles(repository, oid, paths) },
      deleted: [],
      staged: undefined,
      untracked: undefined,
    };
  const [files, deleted, staged, untracked] = await Promise.all([
    head === undefined ? listFiles(repository, oid, paths) : listChanged(repository, [head, oid], { paths, filter: 'd' }),
    listChanged(repository, [index, oid], { paths, filter: 'D' }),
    head === undefined ? listFiles(repository, index, paths) : listChanged(repository, [head, index], { paths }),
    others === undefined ? [] : listFiles(repository, others, paths),
  ]);
  return {
    workTree: { source: oid, files },
    deleted,
    staged: { source: index, files: staged },
    untracked: others === undefined ? undefined : { source: others, files: untracked },
  };
}

async function listFiles(repository: Repository, oid: string, paths: readonly string[]): Promise<readonly string[]> {
  const within = paths.filter((path) => path !== '.');
  return decodeNames((await repository.read(['ls-tree', '-r', '-z', '--name-only', oid, '--', ...within])).stdout);
}

/** Returns the files that differ between two commits. @param filter kinds of changes, as `--diff-filter` has them; default: all */
export async function listChanged(
  repository: Repository,
  [from, to]: readonly [string, string],
  { paths, filter = '' }: { readonly paths: readonly string[]; readonly filter?: string },
): Promise<readonly string[]> {
  const flags = ['-r', '-z', '--name-only', '--no-renames', ...(filter === '' ? [] : [`--diff-filter=${filter}`])];
  return decodeNames((await repository.read(['diff-tree', ...flags, from, to, '--', ...paths])).stdout);
}

/**
 * Restores the files of a backup to the index, to the work tree, or to both. In the work tree, deletes the files that the backup
 * records as deleted.
 */
export async function restoreBackup(
  repository: Repository,
  { workTree, deleted, staged, untracked }: Backup,
  into: { readonly staged: boolean; readonly worktree: boolean },
): Promise<void> {
  if (into.staged && staged !== undefined) await restoreFrom(repository, staged, ['--staged']);
  if (!into.worktree) return;
  await restoreFrom(repository, workTree, ['--overlay', '--worktree']);
  if (untracked !== undefined) await restoreFrom(repository, untracked, ['--overlay', '--worktree']);
  await removeFiles(repository, deleted);
}

/** Restores files from a commit. @param flags where to restore the files */
export async function restoreFrom(
  repository: Repository,
  { source, files }: CommitFiles,
  flags: readonly string[],
): Promise<void> {
  if (files.length === 0) return;
  const command = ['restore', `--source=${source}`, ...flags, '--quiet', '--no-recurse-submodules'];
  await repository.write([...command, '--pathspec-from-file=-', '--pathspec-file-nul'], { input: encodePathList(files) });
}
