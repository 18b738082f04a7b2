import { lstat } from 'node:fs/promises';

import { confirmedResult, Flag, Result, TextList, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { decodeNames } from '../../repository/parse/fields.ts';
import { encodePath, endsWithSlash, listParentDirectories, formatPath } from '../../repository/parse/path-bytes.ts';
import { backUpCommit } from '../../repository/refs/backup-ref.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePaths, toDiskPath, requireWorkTree } from '../../repository/work-tree/paths.ts';
import { removeFiles } from '../../repository/work-tree/remove-files.ts';
import { createFilesCommit } from '../../repository/work-tree/stash-commit.ts';
import { stampWorkTreeFiles } from '../../repository/work-tree/uncommitted.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { formatRecovery } from '../results/result-text.ts';
import { formatUndo, KEPT, restoreFiles } from '../results/undo.ts';

export class GitCleanInput extends ConfirmInput {
  @TextList('Restrict to these files or directories; default: all', { optional: true, maxItems: 1000 }) paths?: string[];
  @Flag('Delete untracked files (default true); backed up if at most 16 MiB in total') untracked = true;
  @Flag('Delete ignored files; they cannot be recovered') ignored = false;
  @Flag('Include files in untracked directories') directories = false;
}

/** The deleted files. */
export interface CleanOutcome {
  readonly deleted: readonly string[];
  /** Number of all deleted files, including those that are not listed. */
  readonly total: number;
  /** Nested repositories, which are never deleted. */
  readonly skipped: readonly string[];
  /** The tool call or git command that restores the untracked files; absent if the files were not kept. */
  readonly recover_with?: string;
}

interface DeletableFiles {
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  readonly repositories: readonly string[];
  /**
   * Whether the untracked files are backed up, which requires that they have at most `MAX_KEPT` bytes in total. Ignored files are
   * never backed up, because secrets in them must not enter the object database.
   */
  readonly isKept: boolean;
}

const MAX_KEPT = 16_777_216;

/**
 * Deletes untracked files after confirmation. Never deletes a nested repository.
 *
 * @throws ToolError CONFIRMATION_REQUIRED, PRECONDITION_FAILED, PATH_OUTSIDE_ROOTS, INVALID_PATH, NO_WORK_TREE
 */
export async function gitClean(repository: Repository, input: GitCleanInput, context: RequestContext): Promise<Result> {
  requireWorkTree(repository);
  const paths = resolvePaths(repository, input.paths ?? []);
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    async () => findLoss(repository, await findDeletable(repository, input, paths)),
    async () => deleteFound(repository, await findDeletable(repository, input, paths)),
  );
  return confirmedResult(outcome, formatCleaned);
}

async function findLoss(repository: Repository, { untracked, ignored, isKept }: DeletableFiles): Promise<Loss | undefined> {
  const files = [...untracked, ...ignored];
  if (files.length === 0) return undefined;
  return {
    question: `Delete ${files.length === 1 ? 'this file' : `these ${files.length} files`}?`,
    lost: [...untracked, ...ignored.map((file) => `${file} (ignored: cannot be recovered)`)],
    ...(isKept && { recoverWith: formatUndo(repository, [restoreFiles(KEPT, ['.'])]) }),
    seen: { files: await stampWorkTreeFiles(repository, files) },
  };
}

async function deleteFound(
  repository: Repository,
  { untracked, ignored, repositories, isKept }: DeletableFiles,
): Promise<CleanOutcome> {
  const { maxEntries, maxBytes } = repository.limits;
  const kept = isKept ? await createFilesCommit(repository, untracked, 'before a clean') : undefined;
  if (kept !== undefined) await backUpCommit(repository, kept);
  const deleted = await removeFiles(repository, [...untracked, ...ignored]);
  return {
    deleted: takeFittingItems(deleted.slice(0, maxEntries), maxBytes / 2),
    total: deleted.length,
    skipped: takeFittingItems(repositories.slice(0, maxEntries), maxBytes / 2),
    ...(kept !== undefined && { recover_with: formatUndo(repository, [restoreFiles(kept, ['.'])]) }),
  };
}

async function findDeletable(repository: Repository, input: GitCleanInput, paths: readonly string[]): Promise<DeletableFiles> {
  const list = async (...flags: readonly string[]): Promise<readonly string[]> => {
    const command = ['ls-files', '-z', '--others', '--exclude-standard', ...flags];
    const { stdout } = await repository.read([...command, ...(input.directories ? [] : ['--directory']), '--', ...paths]);
    return decodeNames(stdout);
  };
  const [others, hidden] = await Promise.all([input.untracked ? list() : [], input.ignored ? list('--ignored') : []]);
  // A name that ends with a slash is a nested repository, or a directory that was not requested.
  const files = [...others, ...hidden].filter((each) => !endsWithSlash(each));
  const bare = await findBareRepositories(repository, files);
  const isFile = (each: string): boolean =>
    !endsWithSlash(each) && !listParentDirectories(each).some((directory) => bare.includes(directory));
  const untracked = others.filter(isFile);
  const nested = input.directories ? [...others, ...hidden].filter(endsWithSlash) : [];
  return {
    untracked,
    ignored: hidden.filter(isFile),
    repositories: [...nested, ...bare.map((directory) => `${directory}/`)],
    isKept: untracked.length > 0 && (await sumSizes(repository, untracked)) <= MAX_KEPT,
  };
}

/** Finds directories that look like bare repositories among the directories of the files. */
async function findBareRepositories(repository: Repository, files: readonly string[]): Promise<readonly string[]> {
  const heads = files.filter((each) => encodePath(each).toString('latin1').endsWith('/HEAD'));
  const found: string[] = [];
  for (const directory of heads.flatMap((each) => listParentDirectories(each).at(-1) ?? [])) {
    const place = toDiskPath(repository, directory);
    const parts = ['/objects', '/refs'].map((name) => lstat(Buffer.concat([place, Buffer.from(name)])).catch(() => undefined));
    if ((await Promise.all(parts)).every((facts) => facts?.isDirectory() === true)) found.push(directory);
  }
  return found;
}

async function sumSizes(repository: Repository, files: readonly string[]): Promise<number> {
  const sizes = files.map((file) =>
    lstat(toDiskPath(repository, file)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function formatCleaned(cleaned: CleanOutcome): Result {
  const { deleted, total, skipped } = cleaned;
  const lines = [
    ...deleted.map((path) => `deleted ${formatPath(path)}`),
    ...(total > deleted.length ? [`… and ${total - deleted.length} more`] : []),
    ...skipped.map((path) => `skipped ${formatPath(path)} (nested repository)`),
  ];
  return formatRecovery(cleaned, lines.length === 0 ? 'Nothing to delete' : lines.join('\n'));
}
