import { lstat } from 'node:fs/promises';

import { Flag, TextList, type Preview, type RequestContext } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import type { Loss } from '../confirm/loss.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { backUp } from '../repository/backup-ref.ts';
import { stampsOf } from '../repository/uncommitted.ts';
import { keepFiles, recovering } from '../repository/keep-changes.ts';
import { decodeList } from '../repository/parse/fields.ts';
import { bytesOfPath, directoriesAbove, namesDirectory } from '../repository/path-bytes.ts';
import { onDisk, pathsInside } from '../repository/paths.ts';
import { removeFiles } from '../repository/remove-files.ts';
import type { Repository } from '../repository/repository.ts';
import { requireWorkTree } from '../repository/work-tree.ts';

export class GitCleanInput extends ConfirmInput {
  @TextList('Only at or below these; default: everywhere', { optional: true, maxItems: 1000 }) paths?: string[];
  @Flag('Untracked files that are not ignored; up to 16 MiB of them are kept in a backup') untracked = true;
  @Flag('Ignored files; they cannot be recovered') ignored = false;
  @Flag('Files in untracked directories, too') directories = false;
}

/** What was deleted. */
export interface CleanOutcome {
  readonly deleted: readonly string[];
  /** Of all that was deleted, listed or not. */
  readonly total: number;
  /** Repositories in the work tree, which are never deleted. */
  readonly skipped: readonly string[];
  /** A command that brings back what was not ignored; absent where it was not kept. */
  readonly recover_with?: string;
}

interface Found {
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  readonly repositories: readonly string[];
  /** Whether the untracked files are kept. Ignored ones never are: they may be secret, and do not belong into the objects. */
  readonly isKept: boolean;
}

const MAX_KEPT = 16_777_216;

/**
 * Deletes files that are not tracked, once that is confirmed; never a repository in the work tree.
 *
 * @throws ToolError CONFIRMATION_REQUIRED, PRECONDITION_FAILED, PATH_OUTSIDE_ROOTS, INVALID_PATH, NO_WORK_TREE
 */
export async function gitClean(
  repository: Repository,
  input: GitCleanInput,
  context: RequestContext,
): Promise<CleanOutcome | Preview> {
  requireWorkTree(repository);
  const paths = pathsInside(repository, input.paths ?? []);
  return whenConfirmed(
    { repository, input, context },
    async () => lossOf(repository, await find(repository, input, paths)),
    async () => clean(repository, await find(repository, input, paths)),
  );
}

async function lossOf(repository: Repository, { untracked, ignored, isKept }: Found): Promise<Loss | undefined> {
  const files = [...untracked, ...ignored];
  if (files.length === 0) return undefined;
  return {
    question: `Delete ${files.length === 1 ? 'this file' : `these ${files.length} files`}?`,
    lost: [...untracked, ...ignored.map((file) => `${file} (ignored: cannot be recovered)`)],
    ...(isKept && { recoverWith: `${recovering('KEPT', ['.'])}, where KEPT is the commit that the result will name` }),
    seen: { files: await stampsOf(repository, files) },
  };
}

async function clean(repository: Repository, { untracked, ignored, repositories, isKept }: Found): Promise<CleanOutcome> {
  const { maxEntries, maxBytes } = repository.limits;
  const kept = isKept ? await keepFiles(repository, untracked, 'before a clean') : undefined;
  if (kept !== undefined) await backUp(repository, kept);
  const deleted = await removeFiles(repository, [...untracked, ...ignored]);
  return {
    deleted: firstThatFit(deleted.slice(0, maxEntries), maxBytes / 2),
    total: deleted.length,
    skipped: firstThatFit(repositories.slice(0, maxEntries), maxBytes / 2),
    ...(kept !== undefined && { recover_with: recovering(kept, ['.']) }),
  };
}

async function find(repository: Repository, input: GitCleanInput, paths: readonly string[]): Promise<Found> {
  const list = async (...flags: readonly string[]): Promise<readonly string[]> => {
    const command = ['ls-files', '-z', '--others', '--exclude-standard', ...flags];
    const { stdout } = await repository.read([...command, ...(input.directories ? [] : ['--directory']), '--', ...paths]);
    return decodeList(stdout);
  };
  const [others, hidden] = await Promise.all([input.untracked ? list() : [], input.ignored ? list('--ignored') : []]);
  // What ends with a slash is a repository, or a directory that was not asked for.
  const files = [...others, ...hidden].filter((each) => !namesDirectory(each));
  const bare = await bareRepositories(repository, files);
  const isFile = (each: string): boolean =>
    !namesDirectory(each) && !directoriesAbove(each).some((directory) => bare.includes(directory));
  const untracked = others.filter(isFile);
  const nested = input.directories ? [...others, ...hidden].filter(namesDirectory) : [];
  return {
    untracked,
    ignored: hidden.filter(isFile),
    repositories: [...nested, ...bare.map((directory) => `${directory}/`)],
    isKept: untracked.length > 0 && (await bytesOf(repository, untracked)) <= MAX_KEPT,
  };
}

/** Directories of files that are repositories without a work tree. */
async function bareRepositories(repository: Repository, files: readonly string[]): Promise<readonly string[]> {
  const heads = files.filter((each) => bytesOfPath(each).toString('latin1').endsWith('/HEAD'));
  const found: string[] = [];
  for (const directory of heads.flatMap((each) => directoriesAbove(each).at(-1) ?? [])) {
    const place = onDisk(repository, directory);
    const parts = ['/objects', '/refs'].map((name) => lstat(Buffer.concat([place, Buffer.from(name)])).catch(() => undefined));
    if ((await Promise.all(parts)).every((facts) => facts?.isDirectory() === true)) found.push(directory);
  }
  return found;
}

async function bytesOf(repository: Repository, files: readonly string[]): Promise<number> {
  const sizes = files.map((file) =>
    lstat(onDisk(repository, file)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
