import { lstat, rm } from 'node:fs/promises';

import { listChangedFiles } from '../content/diff-flags.ts';
import { decodeNames } from '../parse/fields.ts';
import { encodePathList, listParentDirectories } from '../parse/path-bytes.ts';
import { readHead } from '../refs/head.ts';
import type { Repository } from '../repository.ts';
import { isInPlace, toDiskPath } from '../work-tree/paths.ts';
import { listUnmerged } from './conflicts.ts';
import { readOperation } from './operation.ts';

/** Time limit in milliseconds for the undo after a cancelled command. */
const UNDO_MS = 5000;

/**
 * Runs work that writes files first, then the index, and last the state of the operation. If the work is cancelled in between,
 * restores the files that it wrote. Files that were changed before, or that the work has no reason to write, are left unchanged.
 * If files are in conflict, nothing is restored.
 *
 * @param commits commits that the work applies: it may write their changes, and the differences between `before` and these commits
 */
export async function undoIfCancelled(
  repository: Repository,
  { before, commits }: { readonly before: string; readonly commits: readonly string[] },
  work: () => Promise<void>,
): Promise<void> {
  const changed = new Set(await listLocalChanges(repository));
  const began = Date.now();
  try {
    await work();
  } catch (error) {
    if (repository.signal.aborted) {
      const late = repository.withSignal(AbortSignal.timeout(UNDO_MS));
      const files = (await listWrittenFiles(late, before, commits)).filter((file) => !changed.has(file));
      await undo(late, { before, files: new Set(files), began });
    }
    throw error;
  }
}

interface UndoScope {
  readonly before: string;
  readonly files: ReadonlySet<string>;
  /** Time at which the work began, in milliseconds since 1970. */
  readonly began: number;
}

async function undo(repository: Repository, { before, files, began }: UndoScope): Promise<void> {
  const [operation, unmerged, { oid }] = await Promise.all([
    readOperation(repository),
    listUnmerged(repository),
    readHead(repository),
  ]);
  if (unmerged.length > 0) return;
  // If git has recorded the operation or moved HEAD, the index may contain the result, so the files are restored from the index.
  // Otherwise the files and the index are restored from HEAD.
  const isKnown = operation !== undefined || oid !== before;
  const touched = (await (isKnown ? listChangedFiles(repository) : listLocalChanges(repository))).filter((file) =>
    files.has(file),
  );
  const source = isKnown ? [] : ['--source=HEAD', '--staged'];
  if (touched.length > 0)
    await repository.write(['restore', '--quiet', ...source, '--worktree', '--pathspec-from-file=-', '--pathspec-file-nul'], {
      input: encodePathList(touched),
    });
  const others = decodeNames((await repository.read(['ls-files', '--others', '-z'])).stdout);
  for (const file of others.filter((name) => files.has(name))) await removeNewFile(repository, file, began);
}

async function listLocalChanges(repository: Repository): Promise<readonly string[]> {
  return [...new Set([...(await listChangedFiles(repository, '--cached')), ...(await listChangedFiles(repository))])];
}

async function listWrittenFiles(repository: Repository, before: string, commits: readonly string[]): Promise<readonly string[]> {
  const flags = ['-r', '-m', '-z', '--root', '--name-only', '--no-renames', '--no-commit-id', '--stdin'];
  const input = commits.map((oid) => `${oid}\n${before} ${oid}\n`).join('');
  return [...new Set(decodeNames((await repository.read(['diff-tree', ...flags], { input })).stdout))];
}

async function removeNewFile(repository: Repository, file: string, began: number): Promise<void> {
  const place = toDiskPath(repository, file);
  const facts = await lstat(place).catch(() => undefined);
  if (facts === undefined || facts.isDirectory() || facts.ctimeMs < began) return;
  if (await isInPlace(repository, listParentDirectories(file).at(-1) ?? '.')) await rm(place, { force: true });
}
