import { ToolError } from '@org/mcp-decorators';

import { decodeList } from '../repository/parse/fields.ts';
import { pathInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { quoted } from '../text/visible.ts';
import type { Contents } from './contents.ts';
import { fileContents } from './read-blob-resource.ts';
import type { ConflictUri } from './uris.ts';

/** One side of a file with a conflict. */
export interface UnmergedFile {
  readonly oid: string;
  readonly stage: string;
  readonly path: string;
}

const ENTRY = /^\d+ (?<oid>[0-9a-f]+) (?<stage>[1-3])\t(?<path>.*)$/s;

/**
 * One side of a file with a conflict, of at most `maxBytes`.
 *
 * @throws ToolError PATH_NOT_FOUND where that side has no such file, TOO_LARGE, NO_WORK_TREE, and those of `pathInside`
 */
export async function readConflict(
  repository: Repository,
  { stage, path }: Pick<ConflictUri, 'stage' | 'path'>,
): Promise<Contents> {
  const file = pathInside(repository, path);
  const found = (await unmergedFiles(repository)).find((each) => each.path === file && each.stage === stage);
  if (found === undefined) throw new ToolError('PATH_NOT_FOUND', `there is no conflict in ${quoted(path)} with a stage ${stage}`);
  const { maxBytes } = repository.limits;
  const { stdout, truncated } = await repository.read(['cat-file', 'blob', found.oid], { maxBytes });
  if (!truncated) return fileContents(stdout);
  throw new ToolError('TOO_LARGE', `${quoted(path)} has more than ${maxBytes} bytes`, { hint: '--max-bytes raises the limit' });
}

/** Every side of every file with a conflict, by path. */
export async function unmergedFiles(repository: Repository): Promise<readonly UnmergedFile[]> {
  requireWorkTree(repository);
  const { stdout } = await repository.read(['ls-files', '--unmerged', '--full-name', '-z']);
  return decodeList(stdout).map((line) => {
    const { oid = '', stage = '', path = '' } = ENTRY.exec(line)?.groups ?? {};
    return { oid, stage, path };
  });
}
