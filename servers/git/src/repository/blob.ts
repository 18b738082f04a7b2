import { ToolError } from '@org/mcp-decorators';

import { pathInside } from './paths.ts';
import type { Repository } from './repository.ts';
import { quoted } from '../text/visible.ts';

/**
 * A file as a commit has it.
 *
 * @throws ToolError PATH_NOT_FOUND, TOO_LARGE, and those of {@link pathInside}
 */
export async function readBlob(repository: Repository, oid: string, given: string): Promise<Buffer> {
  const { maxBytes } = repository.limits;
  const command = ['cat-file', 'blob', `${oid}:${pathInside(repository, given)}`];
  const { code, stdout, truncated } = await repository.read(command, { codes: [0, 128], maxBytes });
  if (code !== 0) throw new ToolError('PATH_NOT_FOUND', `there is no file ${quoted(given)} in ${oid.slice(0, 12)}`);
  if (truncated)
    throw new ToolError('TOO_LARGE', `${quoted(given)} has more than ${maxBytes} bytes`, {
      hint: '--max-bytes raises the limit',
    });
  return stdout;
}
