import { ToolError } from '@org/mcp-decorators';

import { decodeList } from '../repository/parse/fields.ts';
import { pathInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { short } from '../text/short.ts';
import { quoted } from '../text/visible.ts';
import { listContents, type Contents } from './contents.ts';
import type { BlobUri } from './uris.ts';

const ENTRY = /^(?<mode>\d+) (?<type>\w+) (?<oid>[0-9a-f]+) +(?<size>\d+|-)\t(?<name>.*)$/s;

/**
 * What a directory holds in a commit; an empty path is the top.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_NOT_FOUND, and those of `pathInside`
 */
export async function readTree(repository: Repository, { rev, path }: Pick<BlobUri, 'rev' | 'path'>): Promise<Contents> {
  const oid = await resolveCommit(repository, rev);
  const directory = path === '' ? '.' : pathInside(repository, path);
  const tree = directory === '.' ? oid : `${oid}:${directory}`;
  const { code, stdout } = await repository.read(['ls-tree', '-z', '-l', '--full-tree', tree], { codes: [0, 128] });
  if (code !== 0) throw new ToolError('PATH_NOT_FOUND', `there is no directory ${quoted(path)} in ${short(oid)}`);
  return listContents('entries', decodeList(stdout).map(entryOf), repository.limits);
}

/** `type`: blob, tree, or commit for a submodule. */
function entryOf(line: string): object {
  const { mode, type, oid, size, name } = ENTRY.exec(line)?.groups ?? {};
  return { name, type, mode, oid, ...(size !== '-' && { size: Number(size) }) };
}
