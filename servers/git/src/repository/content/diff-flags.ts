import { decodeNames } from '../parse/fields.ts';
import type { Repository } from '../repository.ts';

/**
 * Flags that prevent a diff from starting programs and fix the format of its output. Submodules are compared by their commits only,
 * because git would run inside a submodule whose configuration was not checked.
 */
export const DIFF_FLAGS = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
] as const;

/** Lists the changed files of `git diff` with the given arguments; without arguments, the tracked files that differ from the index. */
export async function listChangedFiles(repository: Repository, ...between: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await repository.read(['diff', ...DIFF_FLAGS, '--name-only', '--no-renames', '-z', ...between, '--']);
  return decodeNames(stdout);
}
