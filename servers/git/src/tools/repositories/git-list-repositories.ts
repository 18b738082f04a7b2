import { Flag, ListOf, Result, Text, ToolError, escapeInvisible } from '@org/mcp-decorators';

import { MAX_REPOSITORIES } from '../../repository/guard/find.ts';
import type { CallScope, Repositories } from '../../repository/repositories.ts';
import type { Repository } from '../../repository/repository.ts';
import { quoteInput } from '../../text/visible.ts';
import { listPage } from '../inputs/list-page.ts';

export class GitListRepositoriesInput {
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
}

export class ListedRepository {
  @Text('Value for repo_path') path!: string;
  @Text('Repository name in URIs', { optional: true }) id?: string;
  @Text('Current branch, if any', { optional: true }) branch?: string;
  @Flag({ optional: true }) bare?: boolean;
  @Text('Error code if unusable', { optional: true }) refused?: string;
}

export class RepositoryList {
  @ListOf(() => ListedRepository) repositories!: ListedRepository[];
  @Text({ optional: true }) next_cursor?: string;

  /** Effect of the client's roots, unavailable directories, and whether the search limit was reached; absent if nothing applies. */
  @Text({ optional: true }) note?: string;
}

/** The directories of a call, and the maximum size of its result. */
interface BoundedScope extends CallScope {
  readonly maxBytes: number;
}

/**
 * Lists the repositories at most three levels below the allowed directories, including repositories that cannot be used.
 *
 * @throws ToolError INVALID_ARGUMENTS
 */
export async function gitListRepositories(
  repositories: Repositories,
  { cursor }: GitListRepositoriesInput,
  scope: BoundedScope,
): Promise<Result> {
  const { narrowing } = scope.roots;
  const candidates = await repositories.findCandidates(scope.roots);
  const all = await Promise.all(candidates.map((path) => inspectRepository(path, repositories, scope)));
  const { items, ...next } = listPage(all, { cursor, most: all.length, maxBytes: scope.maxBytes });
  return formatRepositories({
    repositories: items,
    ...next,
    ...buildNote([
      ...(narrowing === undefined ? [] : [narrowing.text]),
      ...(await describeMissing(scope.roots)),
      ...(candidates.length >= MAX_REPOSITORIES ? [LIMIT_NOTE] : []),
    ]),
  });
}

const LIMIT_NOTE = `the search stops at ${MAX_REPOSITORIES} repositories in each allowed directory; use repo_path for others`;

async function describeMissing({ directories }: CallScope['roots']): Promise<readonly string[]> {
  const states = await Promise.all(directories.map((directory) => directory.state()));
  const missing = directories.filter((_, index) => states[index] !== 'available');
  return missing.map(({ path }) => `the allowed directory ${quoteInput(path)} is not available`);
}

function buildNote(notes: readonly string[]): Pick<RepositoryList, 'note'> {
  return notes.length === 0 ? {} : { note: notes.join('\n') };
}

async function inspectRepository(path: string, repositories: Repositories, scope: CallScope): Promise<ListedRepository> {
  try {
    const repository = await repositories.open(path, scope);
    const branch = await readBranch(repository);
    return {
      path,
      id: repository.id,
      ...(branch !== '' && { branch }),
      ...(repository.layout.isBare && { bare: true }),
    };
  } catch (error) {
    scope.signal.throwIfAborted();
    return { path, refused: ToolError.is(error) ? error.code : 'INTERNAL' };
  }
}

/** Returns the current branch, even if it has no commits; an empty string on a detached HEAD. */
async function readBranch(repository: Repository): Promise<string> {
  const { stdout } = await repository.read(['symbolic-ref', '--quiet', '--short', 'HEAD'], { codes: [0, 1] });
  return stdout.toString('utf8').trim();
}

function formatRepositories(list: RepositoryList): Result {
  const lines = list.repositories.map(({ path, branch, bare, refused }) => {
    const state =
      refused ?? `${bare === true ? 'bare, ' : ''}${branch === undefined ? 'no branch' : `on ${escapeInvisible(branch)}`}`;
    return `${escapeInvisible(path)}: ${state}`;
  });
  if (list.next_cursor !== undefined) lines.push(`… continue with cursor ${list.next_cursor}`);
  const found = lines.length === 0 ? ['No repositories found'] : lines;
  return Result.of(list, [...found, ...(list.note === undefined ? [] : [list.note])].join('\n'));
}
