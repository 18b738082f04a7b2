import { ToolError } from '@org/mcp-decorators';

import { shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { pathNotFound } from './nearest-path.ts';
import type { ObjectInfo } from '../parse/object-responses.ts';
import { resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { resolvePath } from '../work-tree/paths.ts';

/** A revision without special characters, so that `^{commit}` and a path can be appended. */
const PLAIN = /^\w[\w./-]*$/;

/**
 * Reads a file at a revision, in most cases without resolving the commit first.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_NOT_FOUND, TOO_LARGE, GIT_FAILED, and the errors of {@link resolvePath}
 */
export async function readBlobAt(repository: Repository, revision: string, given: string): Promise<Buffer> {
  const path = resolvePath(repository, given);
  const isPlain = PLAIN.test(revision) && !path.includes('"');
  const found = isPlain ? await repository.objectInfo(`${revision}^{commit}:${path}`) : undefined;
  const blob = found?.type === 'blob' ? found : await requireBlob(repository, await resolveCommit(repository, revision), given);
  const read = await repository.content(blob, path);
  if (read !== undefined) return read.content;
  throw new ToolError('GIT_FAILED', `${quoteInput(given)} cannot be read`);
}

/**
 * Returns the object of a file in a commit. The file may have any size.
 *
 * @throws ToolError PATH_NOT_FOUND, and the errors of {@link resolvePath}
 */
export async function requireBlob(repository: Repository, oid: string, given: string): Promise<ObjectInfo> {
  const path = resolvePath(repository, given);
  const found = await repository.objectInfo(`${oid}:${path}`);
  if (found?.type === 'blob') return found;
  throw await pathNotFound(repository, {
    oid,
    path,
    problem: `${shortOid(oid)} contains no file ${quoteInput(given)}`,
    hint: 'list the entries of a directory with git_show',
  });
}
