import { ToolError } from '@org/mcp-decorators';

import { decode, endedFields } from '../repository/parse/fields.ts';
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
  const tree = await repository.objectInfo(`${oid}:${directory === '.' ? '' : directory}`);
  if (tree?.type !== 'tree') throw new ToolError('PATH_NOT_FOUND', `there is no directory ${quoted(path)} in ${short(oid)}`);
  const { text, name } = decode((await repository.read(['ls-tree', '-z', '-l', '--full-tree', tree.oid])).stdout);
  const entries = endedFields(text).map((line) => entryOf(line, name));
  return listContents('entries', entries, repository.limits);
}

/** `type`: blob, tree, or commit for a submodule. */
function entryOf(line: string, spelled: (part: string) => string): object {
  const { mode, type, oid, size, name = '' } = ENTRY.exec(line)?.groups ?? {};
  return { name: spelled(name), type, mode, oid, ...(size !== '-' && { size: Number(size) }) };
}
