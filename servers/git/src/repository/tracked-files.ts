import { decode, endedFields } from './parse/fields.ts';
import type { Repository } from './repository.ts';

/** A file in the index. */
export interface TrackedFile {
  readonly path: string;
  readonly isSubmodule: boolean;
}

/**
 * The files in the index at or below some paths; one in conflict is listed more than once.
 *
 * @throws ToolError PATH_NOT_FOUND for a path without any
 */
export async function trackedFiles(repository: Repository, paths: readonly string[]): Promise<readonly TrackedFile[]> {
  const { stdout } = await repository.read(['ls-files', '-z', '--stage', '--error-unmatch', '--', ...paths]);
  return decodeTracked(stdout);
}

/** Returns the submodules in the index at or below the paths. */
export async function submodulesAmong(repository: Repository, paths: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await repository.read(['ls-files', '-z', '--stage', '--', ...paths]);
  return decodeTracked(stdout).flatMap(({ path, isSubmodule }) => (isSubmodule ? path : []));
}

function decodeTracked(stdout: Buffer): readonly TrackedFile[] {
  const { text, name } = decode(stdout);
  return endedFields(text).map((line) => ({
    path: name(line.slice(line.indexOf('\t') + 1)),
    isSubmodule: line.startsWith('160000 '),
  }));
}
