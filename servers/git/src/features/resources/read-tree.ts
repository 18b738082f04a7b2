import { ToolError } from '@org/mcp-decorators';

import { decodeOutput, splitTextFields } from '../../repository/parse/fields.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePath } from '../../repository/work-tree/paths.ts';
import { shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { listContents, type Contents } from './contents.ts';
import type { BlobUri } from './uris.ts';

const ENTRY = /^(?<mode>\d+) (?<type>\w+) (?<oid>[0-9a-f]+) +(?<size>\d+|-)\t(?<name>.*)$/s;

/**
 * Lists the entries of a directory in a commit. An empty path is the top.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_NOT_FOUND, and the errors of {@link resolvePath}
 */
export async function readTree(repository: Repository, { rev, path }: Pick<BlobUri, 'rev' | 'path'>): Promise<Contents> {
  const oid = await resolveCommit(repository, rev);
  const directory = path === '' ? '.' : resolvePath(repository, path);
  const tree = await repository.objectInfo(`${oid}:${directory === '.' ? '' : directory}`);
  if (tree?.type !== 'tree')
    throw new ToolError('PATH_NOT_FOUND', `the directory ${quoteInput(path)} does not exist in ${shortOid(oid)}`);
  const { text, name } = decodeOutput((await repository.read(['ls-tree', '-z', '-l', '--full-tree', tree.oid])).stdout);
  const entries = splitTextFields(text).map((line) => parseEntry(line, name));
  return listContents('entries', entries, repository.limits);
}

/** Parses a line of `ls-tree`. `type` is blob, tree, or commit for a submodule. */
function parseEntry(line: string, spelled: (part: string) => string): object {
  const { mode, type, oid, size, name = '' } = ENTRY.exec(line)?.groups ?? {};
  return { name: spelled(name), type, mode, oid, ...(size !== '-' && { size: Number(size) }) };
}
