import { ToolError } from '@org/mcp-decorators';

import type { ObjectInfo } from './parse/object-answers.ts';
import { pathInside } from './paths.ts';
import type { Repository } from './repository.ts';
import { resolveCommit } from './revision.ts';
import { short } from '../text/short.ts';
import { quoted } from '../text/visible.ts';

/** A name that is a revision and nothing else, whatever is put behind it. */
const PLAIN = /^\w[\w./-]*$/;

/**
 * A file as the commit that a revision names has it; mostly without asking for the commit first.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_NOT_FOUND, TOO_LARGE, and those of {@link pathInside}
 */
export async function readBlobAt(repository: Repository, revision: string, given: string): Promise<Buffer> {
  const path = pathInside(repository, given);
  const isPlain = PLAIN.test(revision) && !path.includes('"');
  const found = isPlain ? await repository.objectInfo(`${revision}^{commit}:${path}`) : undefined;
  const blob = found?.type === 'blob' ? found : await blobInfo(repository, await resolveCommit(repository, revision), given);
  const read = await repository.content(blob, path);
  if (read !== undefined) return read.content;
  throw new ToolError('GIT_FAILED', `${quoted(given)} cannot be read`);
}

/**
 * What a file is as a commit has it; it may be of any size.
 *
 * @throws ToolError PATH_NOT_FOUND, and those of {@link pathInside}
 */
export async function blobInfo(repository: Repository, oid: string, given: string): Promise<ObjectInfo> {
  const found = await repository.objectInfo(`${oid}:${pathInside(repository, given)}`);
  if (found?.type === 'blob') return found;
  throw new ToolError('PATH_NOT_FOUND', `there is no file ${quoted(given)} in ${short(oid)}`, {
    hint: 'git_show of a directory lists what is in it',
  });
}
