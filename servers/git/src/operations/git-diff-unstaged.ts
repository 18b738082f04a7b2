import type { Body } from '../repository/diff.ts';
import type { Repository } from '../repository/repository.ts';
import { readDiff, type DiffInput } from './diff-input.ts';

/**
 * What is in the work tree and not in the index; untracked files are not in a diff.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS
 */
export function gitDiffUnstaged(repository: Repository, input: DiffInput): Promise<Body> {
  return readDiff(repository, input, []);
}
