import type { Body } from '../repository/diff.ts';
import type { Repository } from '../repository/repository.ts';
import { readDiff, type DiffInput } from './diff-input.ts';

/**
 * What is in the index and not in HEAD; before the first commit, all of the index.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS
 */
export function gitDiffStaged(repository: Repository, input: DiffInput): Promise<Body> {
  return readDiff(repository, input, ['--cached']);
}
