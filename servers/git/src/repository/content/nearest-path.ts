import { findNearestName, ToolError } from '@org/mcp-decorators';

import { decodeNames } from '../parse/fields.ts';
import type { Repository } from '../repository.ts';
import { formatPath } from '../parse/path-bytes.ts';
import { shortOid } from '../../text/format.ts';

/** Maximum number of bytes of the list of files that is compared with a path. Files beyond this limit are not suggested. */
const MAX_LIST_BYTES = 4_194_304;
const MAX_SUGGESTIONS = 3;

/** A path for which a commit has no entry that the call can use. */
interface MissingPath {
  readonly oid: string;
  readonly path: string;
  /** Describes what is missing. */
  readonly problem: string;
  /** Hint if no file has a similar path. */
  readonly hint: string;
}

const SUBMODULE = /^160000 commit /;

/** Creates the error for a path that a commit does not contain, or that is a submodule in it. */
export async function pathNotFound(repository: Repository, missing: MissingPath): Promise<ToolError> {
  const { oid, path, problem, hint } = missing;
  const { stdout } = await repository.read(['ls-tree', '-z', '--full-tree', oid, '--', path]);
  if (SUBMODULE.test(stdout.toString()))
    return new ToolError('PATH_NOT_FOUND', `${formatPath(path)} is a submodule in ${shortOid(oid)}`, {
      hint: 'to read its files, pass its directory as repo_path',
    });
  return new ToolError('PATH_NOT_FOUND', problem, { hint: (await suggestPath(repository, oid, path)) ?? hint });
}

/**
 * Returns the sentence that suggests the files of a commit that were probably meant: files with the same name in other directories,
 * or a file with a similar path. Returns `undefined` if no file is similar.
 */
async function suggestPath(repository: Repository, oid: string, path: string): Promise<string | undefined> {
  const { stdout } = await repository.read(['ls-tree', '-r', '-z', '--name-only', '--full-tree', oid], {
    maxBytes: MAX_LIST_BYTES,
  });
  const files = decodeNames(stdout);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const same = files.filter((file) => file === name || file.endsWith(`/${name}`));
  const near = same.length > 0 && same.length <= MAX_SUGGESTIONS ? same : [findNearestName(path, files) ?? []].flat();
  return near.length === 0 ? undefined : `did you mean ${near.map(formatPath).join(', ')}?`;
}
