import { ToolError, type Candidates } from '@org/mcp-decorators';

import { oidOf } from '../repository/object.ts';
import { decodeList, decodeWords } from '../repository/parse/fields.ts';
import type { Repository } from '../repository/repository.ts';
import { refNames, resolveCommit } from '../repository/revision.ts';
import { gitLog, GitLogInput } from '../operations/git-log.ts';
import { isAbsence } from './contents.ts';
import { readConflicts } from './read-conflict.ts';
import { LOG_PAGE } from './read-log.ts';

/** As much as is worth ranking. */
const MAX_BYTES = 1_048_576;
/** Commits whose authors are offered. */
const RECENT = 2000;

/** What is offered; nothing for what is not there. */
export async function completing(candidates: () => Promise<Candidates>): Promise<Candidates> {
  try {
    return await candidates();
  } catch (error) {
    if (ToolError.is(error) && isAbsence(error)) return [];
    throw error;
  }
}

/** Branches and tags, and HEAD. */
export async function revisionCandidates(repository: Repository): Promise<readonly string[]> {
  return ['HEAD', ...(await refNames(repository))];
}

/** The files of a commit, or its directories; where there are too many, those in the directory that was typed. */
export async function pathCandidates(
  repository: Repository,
  { revision, typed, kind }: { readonly revision: string; readonly typed: string; readonly kind: 'file' | 'directory' },
): Promise<Candidates> {
  const oid = await resolveCommit(repository, revision);
  const all = await list(repository, ['-r', ...(kind === 'directory' ? ['-d'] : []), oid]);
  if (!all.hasMore) return all;
  const directory = typed.slice(0, typed.lastIndexOf('/') + 1);
  const tree = await oidOf(repository, `${oid}:${directory}`);
  const below = tree === undefined ? { values: [] } : await list(repository, [tree]);
  return { values: below.values.map((name) => directory + name), hasMore: true };
}

/** The files that have conflicts. */
export async function conflictCandidates(repository: Repository): Promise<readonly string[]> {
  return (await readConflicts(repository)).map(({ path }) => path);
}

/** Who wrote the last commits of HEAD. */
export async function authorCandidates(repository: Repository): Promise<readonly string[]> {
  const command = [
    'log',
    '-z',
    '--no-show-signature',
    '--encoding=UTF-8',
    `--max-count=${RECENT}`,
    '--format=%an <%ae>',
    'HEAD',
    '--',
  ];
  const { stdout } = await repository.read(command, { codes: [0, 128] });
  return [...new Set(decodeWords(stdout))];
}

/** Where the log goes on after its first page. */
export async function cursorCandidates(repository: Repository, revision: string = 'HEAD'): Promise<readonly string[]> {
  const { next_cursor } = await gitLog(repository, Object.assign(new GitLogInput(), { revision, max_count: LOG_PAGE }));
  return next_cursor === undefined ? [] : [next_cursor];
}

async function list(
  repository: Repository,
  args: readonly string[],
): Promise<{ readonly values: readonly string[]; readonly hasMore: boolean }> {
  const command = ['ls-tree', '-z', '--name-only', '--full-tree', ...args];
  const { stdout, truncated } = await repository.read(command, { codes: [0, 128], maxBytes: MAX_BYTES });
  // The last of what was cut is a part of a name.
  const whole = truncated ? stdout.subarray(0, stdout.lastIndexOf(0) + 1) : stdout;
  return { values: decodeList(whole), hasMore: truncated };
}
