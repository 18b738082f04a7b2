import { ToolError, type Candidates } from '@org/mcp-decorators';

import { decodeNames, decodeTexts } from '../../repository/parse/fields.ts';
import { findOid } from '../../repository/refs/object.ts';
import { listRefNames, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { GitLogInput, readLogPage } from '../../tools/history/git-log.ts';
import { isAbsence } from './contents.ts';
import { readConflicts } from './read-conflict.ts';
import { LOG_PAGE } from './read-log.ts';

/** Maximum number of bytes of names that are read for one completion. */
const MAX_BYTES = 1_048_576;
/** Maximum number of commits whose authors are suggested. */
const MAX_RECENT_COMMITS = 2000;

/** Returns the candidates, or an empty list if the repository, revision or path does not exist. */
export async function completeNames(candidates: () => Promise<Candidates>): Promise<Candidates> {
  try {
    return await candidates();
  } catch (error) {
    if (ToolError.is(error) && isAbsence(error)) return [];
    throw error;
  }
}

/** Returns HEAD and all branches and tags. */
export async function completeRevisions(repository: Repository): Promise<readonly string[]> {
  return ['HEAD', ...(await listRefNames(repository))];
}

/**
 * Returns all files or all directories of a commit. If their paths exceed `MAX_BYTES`, returns the entries of the typed directory
 * instead, also up to `MAX_BYTES`.
 */
export async function completePaths(
  repository: Repository,
  { revision, typed, kind }: { readonly revision: string; readonly typed: string; readonly kind: 'file' | 'directory' },
): Promise<Candidates> {
  const oid = await resolveCommit(repository, revision);
  const all = await list(repository, ['-r', ...(kind === 'directory' ? ['-d'] : []), oid]);
  if (!all.hasMore) return all;
  const directory = typed.slice(0, typed.lastIndexOf('/') + 1);
  const tree = await findOid(repository, `${oid}:${directory}`);
  const below = tree === undefined ? { values: [] } : await list(repository, [tree]);
  return { values: below.values.map((name) => directory + name), hasMore: true };
}

/** Returns the files with conflicts. */
export async function completeConflicts(repository: Repository): Promise<readonly string[]> {
  return (await readConflicts(repository)).map(({ path }) => path);
}

/** Returns the authors of the latest commits of HEAD. */
export async function completeAuthors(repository: Repository): Promise<readonly string[]> {
  const command = [
    'log',
    '-z',
    '--no-show-signature',
    '--encoding=UTF-8',
    `--max-count=${MAX_RECENT_COMMITS}`,
    '--format=%an <%ae>',
    'HEAD',
    '--',
  ];
  const { stdout } = await repository.read(command, { codes: [0, 128] });
  return [...new Set(decodeTexts(stdout))];
}

/** Returns a list with the cursor of the second page of the log. The list is empty if the log has only one page. */
export async function completeCursors(repository: Repository, revision: string = 'HEAD'): Promise<readonly string[]> {
  const { next_cursor } = await readLogPage(repository, Object.assign(new GitLogInput(), { revision, max_count: LOG_PAGE }));
  return next_cursor === undefined ? [] : [next_cursor];
}

async function list(
  repository: Repository,
  args: readonly string[],
): Promise<{ readonly values: readonly string[]; readonly hasMore: boolean }> {
  const command = ['ls-tree', '-z', '--name-only', '--full-tree', ...args];
  const { stdout, isTruncated } = await repository.read(command, { codes: [0, 128], maxBytes: MAX_BYTES });
  // Truncated output may end within a name, so the text after the last NUL is dropped.
  const whole = isTruncated ? stdout.subarray(0, stdout.lastIndexOf(0) + 1) : stdout;
  return { values: decodeNames(whole), hasMore: isTruncated };
}
