import { decodeOutput, splitTextFields } from '../parse/fields.ts';
import type { Repository } from '../repository.ts';

/** A file in the index. */
export interface TrackedFile {
  readonly path: string;
  readonly isSubmodule: boolean;
}

/**
 * Lists the files in the index at or below the paths. A file in conflict is listed once per stage.
 *
 * @throws ToolError PATH_NOT_FOUND for a path that matches no file
 */
export async function listTrackedFiles(repository: Repository, paths: readonly string[]): Promise<readonly TrackedFile[]> {
  const { stdout } = await repository.read(['ls-files', '-z', '--stage', '--error-unmatch', '--', ...paths]);
  return decodeTracked(stdout);
}

/** Lists the submodules in the index at or below the paths. */
export async function listSubmodules(repository: Repository, paths: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await repository.read(['ls-files', '-z', '--stage', '--', ...paths]);
  return decodeTracked(stdout).flatMap(({ path, isSubmodule }) => (isSubmodule ? path : []));
}

function decodeTracked(stdout: Buffer): readonly TrackedFile[] {
  const { text, name } = decodeOutput(stdout);
  return splitTextFields(text).map((line) => ({
    path: name(line.slice(line.indexOf('\t') + 1)),
    isSubmodule: line.startsWith('160000 '),
  }));
}
