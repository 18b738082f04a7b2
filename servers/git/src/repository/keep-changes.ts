import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { shellQuoted } from '../text/shell-quoted.ts';
import { backUp } from './backup-ref.ts';
import { bytesOfPath } from './path-bytes.ts';
import { changesIn, inWorkTree } from './uncommitted.ts';
import type { Repository } from './repository.ts';
import { stage } from './stage.ts';

/** What of the work tree is kept, besides the changes of tracked files. */
export interface Kept {
  /** The commit of HEAD; absent before the first, and then it is no stash. */
  readonly head: string | undefined;
  /** First line of the commit's message. */
  readonly message: string;
  /** Only changes at or below these; default: all. */
  readonly paths?: readonly string[];
  /** Untracked files, taken as if they were tracked. */
  readonly files?: readonly string[];
  /** Untracked files, kept apart as untracked ones. */
  readonly untracked?: readonly string[];
}

// As git does for a stash: nobody's identity is needed to keep something.
const KEEPER = {
  GIT_AUTHOR_NAME: 'git stash',
  GIT_AUTHOR_EMAIL: 'git@stash',
  GIT_COMMITTER_NAME: 'git stash',
  GIT_COMMITTER_EMAIL: 'git@stash',
};

/**
 * Writes the changes of index and work tree as a commit that `git stash apply` understands, and leaves both as they are.
 *
 * Not by `git stash create`: where there is a submodule it starts another git in it, and nobody looked at the configuration there.
 *
 * @returns the commit, which nothing refers to yet
 */
export async function keepChanges(
  repository: Repository,
  { head, message, paths, files = [], untracked = [] }: Kept,
): Promise<string> {
  const { entries } = await changesIn(repository, paths);
  const parents = head === undefined ? [] : [head];
  const unmerged = entries.some(({ conflict }) => conflict === true);
  return withIndex(repository, `${repository.ground.gitDir}/index`, async (env) => {
    // An index with conflicts has no tree.
    const staged = unmerged ? `${head ?? ''}^{tree}` : await writeTree(repository, env);
    const index = await commitTree(repository, staged, parents, `index: ${message}`);
    await stage(repository, [...inWorkTree(entries), ...files], env);
    const apart = untracked.length === 0 ? [] : [await keepFiles(repository, untracked, `untracked files: ${message}`)];
    return commitTree(repository, await writeTree(repository, env), [...parents, index, ...apart], message);
  });
}

/** As {@link keepChanges}, under a backup reference. */
export async function keepBefore(repository: Repository, kept: Kept): Promise<string> {
  const oid = await keepChanges(repository, kept);
  await backUp(repository, oid);
  return oid;
}

/** The command that brings files back from what was kept. */
export function recovering(oid: string, paths: readonly string[]): string {
  return `git restore --overlay --source=${oid} -- ${paths.map(shellWord).join(' ')}`;
}

/** What is not UTF-8 is written as most shells read it. */
function shellWord(path: string): string {
  const bytes = bytesOfPath(path);
  if (isUtf8(bytes)) return shellQuoted(bytes.toString('utf8'));
  return `$'${Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`;
}

/** A commit that holds these files alone, as they are in the work tree; nothing refers to it yet. */
export async function keepFiles(repository: Repository, files: readonly string[], message: string): Promise<string> {
  return withIndex(repository, undefined, async (env) => {
    await stage(repository, files, env);
    return commitTree(repository, await writeTree(repository, env), [], message);
  });
}

/** Works with an index of its own, beside the one that the user sees. */
async function withIndex<Outcome>(
  { ground }: Repository,
  from: string | undefined,
  work: (env: Readonly<Record<string, string>>) => Promise<Outcome>,
): Promise<Outcome> {
  const file = path.join(ground.gitDir, `mcp-index-${randomUUID()}`);
  try {
    if (from !== undefined) await copyFile(from, file).catch(() => undefined);
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
  return (await repository.write(command, { input: message, env: KEEPER })).stdout.toString('utf8').trim();
}
