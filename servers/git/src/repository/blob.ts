import { ToolError } from '@org/mcp-decorators';

import { pathInside } from './paths.ts';
import type { Repository } from './repository.ts';
import { short } from '../text/short.ts';
import { quoted } from '../text/visible.ts';

/**
 * A file as a commit has it.
 *
 * @throws ToolError PATH_NOT_FOUND, TOO_LARGE, and those of {@link pathInside}
 */
export async function readBlob(repository: Repository, oid: string, given: string): Promise<Buffer> {
  const found = await repository.object(`${oid}:${pathInside(repository, given)}`);
  if (found?.type === 'blob') return found.content;
  throw new ToolError('PATH_NOT_FOUND', `there is no file ${quoted(given)} in ${short(oid)}`, {
    hint: 'git_show of a directory lists what is in it',
  });
}
