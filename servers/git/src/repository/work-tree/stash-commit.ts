import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { quoteForShell } from '../../text/format.ts';
import { encodePath } from '../parse/path-bytes.ts';
import { backUpCommit } from '../refs/backup-ref.ts';
import type { StatusEntry } from '../parse/status.ts';
import type { Repository } from '../repository.ts';
import { copyIndex } from './copy-index.ts';
import { stagePaths } from './stage-paths.ts';
import { listWorkTreePaths, readUncommittedChanges } from './uncommitted.ts';

/** The content of a stash commit that will be created. Every stash commit contains the changes of tracked files. */
export interface StashContent {
  /** The commit of HEAD; `undefined` before the first commit. Without this commit, the result is not a valid stash. */
  readonly head: string | undefined;
  /** First line of the commit message. */
  readonly message: string;
  /** Paths at or below which changes are included; all by default. */
  readonly paths?: readonly string[];
  /** The changes at or below these paths, if they are known. Default: they are read. */
  readonly entries?: readonly StatusEntry[];
  /** Untracked files that are included as if they were tracked. */
  readonly files?: readonly string[];
  /** Untracked files that are included as the untracked part of the stash. */
  readonly untracked?: readonly string[];
}

// Git also uses this identity for a stash if no user is configured.
export const STASH_IDENTITY = {
  GIT_AUTHOR_NAME: 'git stash',
  GIT_AUTHOR_EMAIL: 'git@stash',
  GIT_COMMITTER_NAME: 'git stash',
  GIT_COMMITTER_EMAIL: 'git@stash',
} as const;

/**
 * Creates a commit with the changes of the index and the work tree that `git stash apply` can apply. Index and work tree remain
 * unchanged.
 *
 * This function does not use `git stash create`, which runs git inside submodules, whose configuration was not checked.
 *
 * @returns the object name of the commit, to which no reference points
 */
export async function createStashCommit(
  repository: Repository,
  { head, message, paths, entries, files = [], untracked = [] }: StashContent,
): Promise<string> {
  const changes = entries ?? (await readUncommittedChanges(repository, paths)).entries;
  const parents = head === undefined ? [] : [head];
  const unmerged = changes.some(({ conflict }) => conflict === true);
  const parts = [
    createTree(repository, [...listWorkTreePaths(changes), ...files]),
    createIndexCommit(repository, { parents, message: `index: ${message}`, tree: unmerged ? `${head ?? ''}^{tree}` : undefined }),
    ...(untracked.length === 0 ? [] : [createFilesCommit(repository, untracked, `untracked files: ${message}`)]),
  ];
  // If one part fails, the other parts still use temporary files of the repository. All parts must end before the lock of the
  // repository is released.
  await Promise.allSettled(parts);
  const [tree = '', ...commits] = await Promise.all(parts);
  return commitTree(repository, tree, [...parents, ...commits], message);
}

interface IndexCommit {
  readonly parents: readonly string[];
  readonly message: string;
  /** Tree of the commit, because an index with conflicts cannot be written as a tree; `undefined` for the tree of the index. */
  readonly tree: string | undefined;
}

/** Creates a commit with the content of the index. */
async function createIndexCommit(repository: Repository, { parents, message, tree }: IndexCommit): Promise<string> {
  return commitTree(repository, tree ?? (await createTree(repository, [])), parents, message);
}

/** Creates a tree with the content of the index, and with these files as they are in the work tree. */
async function createTree(repository: Repository, files: readonly string[]): Promise<string> {
  return withTemporaryIndex(repository, `${repository.layout.gitDir}/index`, async (env) => {
    await stagePaths(repository, files, env);
    return writeTree(repository, env);
  });
}

/** Creates a commit as {@link createStashCommit} does, and a backup reference to it. */
export async function backUpChanges(repository: Repository, kept: StashContent): Promise<string> {
  const oid = await createStashCommit(repository, kept);
  await backUpCommit(repository, oid);
  return oid;
}

/** Formats the command that restores files from a stash commit. */
export function formatRestoreCommand(oid: string, paths: readonly string[]): string {
  return `git restore --overlay --source=${oid} -- ${paths.map(quotePathForShell).join(' ')}`;
}

/** Quotes a path for a shell. A path that is not UTF-8 is quoted in a form that most shells support. */
function quotePathForShell(path: string): string {
  const bytes = encodePath(path);
  if (isUtf8(bytes)) return quoteForShell(bytes.toString('utf8'));
  return `$'${Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`;
}

/** Creates a commit that contains only the given files as they are in the work tree. No reference points to it. */
export async function createFilesCommit(repository: Repository, files: readonly string[], message: string): Promise<string> {
  return withTemporaryIndex(repository, undefined, async (env) => {
    await stagePaths(repository, files, env);
    return commitTree(repository, await writeTree(repository, env), [], message);
  });
}

/** Runs work with a temporary index file beside the index of the user. */
async function withTemporaryIndex<Outcome>(
  { layout }: Repository,
  from: string | undefined,
  work: (env: Readonly<Record<string, string>>) => Promise<Outcome>,
): Promise<Outcome> {
  const file = path.join(layout.gitDir, `mcp-index-${randomUUID()}`);
  try {
    if (from !== undefined) await copyIndex(from, file);
    return await work({ GIT_INDEX_FILE: file });
  } finally {
    await Promise.all([rm(file, { force: true }), rm(`${file}.lock`, { force: true })]);
  }
}

async function writeTree(repository: Repository, env: Readonly<Record<string, string>>): Promise<string> {
  return (await repository.write(['write-tree'], { env })).stdout.toString('utf8').trim();
}

async function commitTree(repository: Repository, tree: string, parents: readonly string[], message: string): Promise<string> {
  const command = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])];
  return (await repository.write(command, { input: message, env: STASH_IDENTITY })).stdout.toString('utf8').trim();
}
