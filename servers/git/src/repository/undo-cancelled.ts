import { lstat, rm } from 'node:fs/promises';

import { headOf } from './head.ts';
import { changedNames, unmergedIn } from './joining.ts';
import { operationIn } from './operation.ts';
import { decodeList } from './parse/fields.ts';
import { directoriesAbove, pathList } from './path-bytes.ts';
import { isInPlace, onDisk } from './paths.ts';
import type { Repository } from './repository.ts';

/** Putting back what a cancelled command wrote may take this long. */
const UNDO_MS = 5000;

/**
 * Does work that writes to files and only then to the index, and tells git last that it is in progress: where it is cancelled in
 * between, what it wrote is put back. Files that were changed before are left alone, and so are those that it has no reason to write to.
 *
 * @param commits whose changes, and those from `before` to them, it may write
 */
export async function undoneIfCancelled(
  repository: Repository,
  { before, commits }: { readonly before: string; readonly commits: readonly string[] },
  work: () => Promise<void>,
): Promise<void> {
  const changed = new Set(await localChanges(repository));
  const began = Date.now();
  try {
    await work();
  } catch (error) {
    if (repository.signal.aborted) {
      const late = repository.after(AbortSignal.timeout(UNDO_MS));
      const files = (await reachOf(late, before, commits)).filter((file) => !changed.has(file));
      await undo(late, { before, files: new Set(files), began });
    }
    throw error;
  }
}

interface Reach {
  readonly before: string;
  readonly files: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly began: number;
}

async function undo(repository: Repository, { before, files, began }: Reach): Promise<void> {
  const [operation, unmerged, { oid }] = await Promise.all([operationIn(repository), unmergedIn(repository), headOf(repository)]);
  if (unmerged.length > 0) return;
  // What git knows to be in progress may have its result staged; it can be given up.
  const isKnown = operation !== undefined || oid !== before;
  const touched = (await (isKnown ? changedNames(repository) : localChanges(repository))).filter((file) => files.has(file));
  const source = isKnown ? [] : ['--source=HEAD', '--staged'];
  if (touched.length > 0)
    await repository.write(['restore', '--quiet', ...source, '--worktree', '--pathspec-from-file=-', '--pathspec-file-nul'], {
      input: pathList(touched),
    });
  const others = decodeList((await repository.read(['ls-files', '--others', '-z'])).stdout);
  for (const file of others.filter((name) => files.has(name))) await removeNew(repository, file, began);
}

async function localChanges(repository: Repository): Promise<readonly string[]> {
  return [...new Set([...(await changedNames(repository, '--cached')), ...(await changedNames(repository))])];
}

async function reachOf(repository: Repository, before: string, commits: readonly string[]): Promise<readonly string[]> {
  const flags = ['-r', '-m', '-z', '--root', '--name-only', '--no-renames', '--no-commit-id', '--stdin'];
  const input = commits.map((oid) => `${oid}\n${before} ${oid}\n`).join('');
  return [...new Set(decodeList((await repository.read(['diff-tree', ...flags], { input })).stdout))];
}

async function removeNew(repository: Repository, file: string, began: number): Promise<void> {
  const place = onDisk(repository, file);
  const facts = await lstat(place).catch(() => undefined);
  if (facts === undefined || facts.isDirectory() || facts.ctimeMs < began) return;
  if (await isInPlace(repository, directoriesAbove(file).at(-1) ?? '.')) await rm(place, { force: true });
}
