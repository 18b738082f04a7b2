import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { findObjectStores } from '../guard/repository-layout.ts';
import { decodeNames } from '../parse/fields.ts';
import type { Repository } from '../repository.ts';
import { copyIndex } from '../work-tree/copy-index.ts';
import { stagePaths } from '../work-tree/stage-paths.ts';

type Variables = Readonly<Record<string, string>>;

/**
 * A temporary object store for merges that are only tried. With this store, git also finds the objects of the repository, which
 * all its work trees share.
 */
export interface TrialObjects {
  readonly directory: string;
  /** Environment variables that make git write new objects to the temporary store. */
  readonly env: Variables;
}

/** A commit as the base of a snapshot, and the files that differ from it in the work tree. */
export interface SnapshotContent {
  readonly head: string;
  readonly files: readonly string[];
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'snapshot',
  GIT_AUTHOR_EMAIL: 'snapshot@localhost',
  GIT_COMMITTER_NAME: 'snapshot',
  GIT_COMMITTER_EMAIL: 'snapshot@localhost',
};

/** Runs work with a temporary object store, so that a tool that only reads leaves no objects in the repository. */
export async function withTrialObjects<Outcome>(
  { layout }: Repository,
  work: (objects: TrialObjects) => Promise<Outcome>,
): Promise<Outcome> {
  const directory = await mkdtemp(path.join(await realpath(tmpdir()), 'mcp-git-trial-'));
  try {
    // Git ignores relative paths in the alternates of an alternate, so all stores are named here.
    const { stores } = await findObjectStores(path.join(layout.commonDir, 'objects'));
    const env = {
      GIT_OBJECT_DIRECTORY: directory,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: stores.map(quoteStore).join(path.delimiter),
    };
    return await work({ directory, env });
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

function quoteStore(store: string): string {
  return `"${store.replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** Creates a commit of a work tree with its uncommitted changes. The index and the work tree remain unchanged. */
export async function createSnapshot(
  tree: Repository,
  { head, files }: SnapshotContent,
  { directory, env: objects }: TrialObjects,
): Promise<string> {
  const index = path.join(directory, `index-${crypto.randomUUID()}`);
  const env = { ...objects, GIT_INDEX_FILE: index };
  await copyIndex(path.join(tree.layout.gitDir, 'index'), index);
  await stagePaths(tree, files, env);
  const written = (await tree.write(['write-tree'], { env })).stdout.toString('utf8').trim();
  const command = ['commit-tree', written, '-p', head];
  const { stdout } = await tree.write(command, { input: 'snapshot', env: { ...env, ...IDENTITY } });
  return stdout.toString('utf8').trim();
}

/** Merges two commits without a work tree, and returns the files in conflict. */
export async function findMergeConflicts(
  repository: Repository,
  [one, other]: readonly [string, string],
  { env }: TrialObjects,
): Promise<readonly string[]> {
  const command = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', one, other];
  const { stdout } = await repository.read(command, { env, codes: [0, 1] });
  // The first field is the object name of the merged tree.
  return [...new Set(decodeNames(stdout).slice(1))];
}
