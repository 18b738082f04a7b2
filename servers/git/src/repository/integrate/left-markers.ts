import { ToolError } from '@org/mcp-decorators';

import { findMarkedRanges, type MarkedLines } from '../parse/markers.ts';
import { parseUnmerged, type UnmergedFile } from '../parse/unmerged.ts';
import type { Repository } from '../repository.ts';
import { formatFirst } from './conflicts.ts';
import { formatPath } from '../parse/path-bytes.ts';

/** A staged file that still contains conflict markers. */
export interface MarkedFile {
  readonly path: string;
  readonly markers: readonly MarkedLines[];
}

/** Number of files that one command lists, because the arguments of a process are limited. */
const FILES_AT_ONCE = 200;
/** Maximum number of bytes of a file that is searched for markers. */
const MAX_BYTES = 1_048_576;
/** Maximum number of files in the data of an error. */
const MAX_LISTED = 200;

/**
 * Finds conflict markers in staged files that were in conflict since the last commit. A file is not reported if one of its sides
 * contained at least as many markers, as in a test of a merge tool.
 */
export async function findLeftMarkers(repository: Repository): Promise<readonly MarkedFile[]> {
  const resolved = await listEntries(repository, '--resolve-undo');
  const sides = new Map(resolved.map(({ path, stages }) => [path, stages]));
  const found: MarkedFile[] = [];
  for (const { path, stages } of await listStaged(repository, [...sides.keys()])) {
    const [markers = []] = await readMarkers(repository, stages);
    if (markers.length === 0) continue;
    const before = await readMarkers(repository, sides.get(path) ?? []);
    if (before.every((each) => each.length < markers.length)) found.push({ path, markers });
  }
  return found;
}

/** @throws ToolError CONFLICT if a resolved file still contains conflict markers */
export async function requireNoMarkers(repository: Repository): Promise<void> {
  const files = await findLeftMarkers(repository);
  if (files.length === 0) return;
  throw new ToolError('CONFLICT', `staged files still contain conflict markers: ${formatFirst(files.map(describeMarkers))}`, {
    hint: 'edit the files and stage them with git_add; with keep_markers: true, git_continue commits the markers',
    data: { files: files.slice(0, MAX_LISTED) },
  });
}

/** Formats a file with the lines of its markers, such as `a.txt (lines 1-5, 11-15)`. */
export function describeMarkers({ path, markers }: MarkedFile): string {
  const lines = markers.map(({ start_line, end_line }) => `${start_line}-${end_line}`).join(', ');
  return `${formatPath(path)} (lines ${lines})`;
}

async function listStaged(repository: Repository, paths: readonly string[]): Promise<readonly UnmergedFile[]> {
  const found: UnmergedFile[] = [];
  for (let start = 0; start < paths.length; start += FILES_AT_ONCE)
    found.push(...(await listEntries(repository, '--stage', '--', ...paths.slice(start, start + FILES_AT_ONCE))));
  return found;
}

async function listEntries(repository: Repository, ...how: readonly string[]): Promise<readonly UnmergedFile[]> {
  return parseUnmerged((await repository.read(['ls-files', '-z', ...how])).stdout);
}

async function readMarkers(repository: Repository, stages: UnmergedFile['stages']): Promise<readonly (readonly MarkedLines[])[]> {
  return Promise.all(
    stages.map(async ({ oid }) => {
      const info = await repository.objectInfo(oid);
      if (info?.type !== 'blob' || info.size > MAX_BYTES) return [];
      const blob = await repository.content(info, oid, MAX_BYTES);
      return blob === undefined || blob.content.includes(0) ? [] : findMarkedRanges(blob.content.toString('utf8'));
    }),
  );
}
