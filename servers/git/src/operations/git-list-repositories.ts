import { Flag, ListOf, Text, ToolError } from '@org/mcp-decorators';

import { MAX_FOUND } from '../repository/find.ts';
import type { CallScope, Repositories } from '../repository/repositories.ts';
import type { Repository } from '../repository/repository.ts';
import { listPage } from './list-page.ts';

export class GitListRepositoriesInput {
  @Text('next_cursor of the last answer', { optional: true }) cursor?: string;
}

export class ListedRepository {
  @Text('For repo_path') path!: string;
  @Text('In resource URIs', { optional: true }) id?: string;
  @Text('Absent on a detached HEAD', { optional: true }) branch?: string;
  @Flag({ optional: true }) bare?: boolean;
  @Text('Code of why it is refused', { optional: true }) refused?: string;
}

export class RepositoryList {
  @ListOf(() => ListedRepository) repositories!: ListedRepository[];
  @Text({ optional: true }) next_cursor?: string;

  /** Effect of the client's roots, and of the limit of the search. */
  @Text({ optional: true }) note?: string;
}

/**
 * The repositories inside the allowed directories, up to three levels down, and which of them are refused.
 *
 * @throws ToolError INVALID_ARGUMENTS
 */
export async function gitListRepositories(
  repositories: Repositories,
  { cursor }: GitListRepositoriesInput,
  scope: CallScope & { readonly maxBytes: number },
): Promise<RepositoryList> {
  const { narrowing } = scope.roots;
  const candidates = await repositories.candidates(scope.roots);
  const all = await Promise.all(candidates.map((path) => listed(path, repositories, scope)));
  const { items, ...next } = listPage(all, { cursor, most: all.length, maxBytes: scope.maxBytes });
  return {
    repositories: items,
    ...next,
    ...noteOf([...(narrowing === undefined ? [] : [narrowing.text]), ...(candidates.length >= MAX_FOUND ? [LIMIT_NOTE] : [])]),
  };
}

const LIMIT_NOTE = `the search ends at ${MAX_FOUND} repositories in each allowed directory; name others by repo_path`;

function noteOf(notes: readonly string[]): Pick<RepositoryList, 'note'> {
  return notes.length === 0 ? {} : { note: notes.join('\n') };
}

async function listed(path: string, repositories: Repositories, scope: CallScope): Promise<ListedRepository> {
  try {
    const repository = await repositories.open(path, scope);
    const branch = await branchOf(repository);
    return {
      path,
      id: repository.id,
      ...(branch !== '' && { branch }),
      ...(repository.ground.isBare && { bare: true }),
    };
  } catch (error) {
    scope.signal.throwIfAborted();
    return { path, refused: ToolError.is(error) ? error.code : 'INTERNAL' };
  }
}

/** Also of a branch without commits. */
async function branchOf(repository: Repository): Promise<string> {
  const { stdout } = await repository.read(['symbolic-ref', '--quiet', '--short', 'HEAD'], { codes: [0, 1] });
  return stdout.toString('utf8').trim();
}
