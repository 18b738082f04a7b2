import { Flag, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { quotePath, type OpenDirectory, type OpenFile } from '@org/mcp-roots';

import { changeFile } from '../../change/change-file.ts';
import { copyTree } from '../../change/copy-tree.ts';
import { runRecorded } from '../../change/run-recorded.ts';
import { withEntries, withFile } from '../../change/with-targets.ts';
import { hashFile, readParts, type NamedPlace } from '../../journal/contents.ts';
import { SnapshotRestorer } from '../../journal/restore.ts';
import { NONE, requireNoGit, takeDirectorySnapshot, type Snapshot } from '../../journal/snapshot.ts';
import { requireEtag } from '../../storage/target.ts';
import type { Files } from '../files.ts';
import type { MadeChange } from './change-result.ts';

export class CopyFileInput {
  @Text('Existing path') source!: string;
  @Text('New path') destination!: string;
  @Flag('Replace an existing file', { optional: true }) overwrite?: boolean;
  @Text('The source must have this etag', { optional: true }) ifMatch?: string;
  @Flag('Change cannot be undone', { optional: true }) permanent?: boolean;
}

/**
 * Copies a file or a directory with its contents. A source that is a link is followed. Links in a directory are copied as links;
 * denied entries and protected git directories and configuration are skipped.
 *
 * @throws ToolError ALREADY_EXISTS, CONFLICT, TOO_LARGE, TIMEOUT, NOT_REGULAR_FILE, NO_SPACE, the codes of `Roots.openFile` and
 * `Roots.findEntryToWrite`
 */
export async function copyFile(files: Files, input: CopyFileInput, context: RequestContext): Promise<MadeChange> {
  const { facts } = await files.roots.resolveExisting(input.source);
  return facts.isDirectory() ? copyDirectory(files, input, context.signal) : copyRegularFile(files, input, context);
}

async function copyRegularFile(files: Files, input: CopyFileInput, context: RequestContext): Promise<MadeChange> {
  const { signal } = context;
  await using source: OpenFile = await files.roots.openFile(input.source);
  requireEtag(input.source, source.facts, input.ifMatch);
  return await withFile(files, { path: input.destination }, signal, async (target) => {
    if (target.facts !== undefined && input.overwrite !== true)
      throw alreadyExists(input.destination, 'set overwrite to replace the file');
    const change = {
      tool: 'copy_file',
      content: reportProgress(readParts(source, signal), source.size, context),
      permanent: input.permanent,
      mode: target.facts === undefined ? Number(source.facts.mode) : undefined,
    };
    const { path, undoId } = await changeFile(files, target, change, signal);
    return { path, ...(undoId !== undefined && { undoId }) };
  });
}

/** Yields the parts of a content, and reports the number of copied bytes as progress. */
async function* reportProgress(
  parts: AsyncIterable<Uint8Array>,
  total: number,
  context: RequestContext,
): AsyncGenerator<Uint8Array> {
  let copied = 0;
  for await (const part of parts) {
    yield part;
    copied += part.length;
    context.progress(copied, total, 'bytes copied');
  }
}

async function copyDirectory(files: Files, input: CopyFileInput, signal: AbortSignal): Promise<MadeChange> {
  await using source: OpenDirectory = await files.roots.openDirectory(input.source);
  requireEtag(input.source, source.self, input.ifMatch);
  return await withEntries(files, [input.destination], signal, async ([target]) => {
    if (target === undefined || target.facts !== undefined)
      throw alreadyExists(input.destination, 'a directory can be copied only to a new path');
    const { durability, stale } = files.changes.settings;
    const limits = { maxEntries: files.limits.maxTreeEntries, maxBytes: Infinity, skipsDenied: true };
    const { snapshot, entries, skipped } = await takeDirectorySnapshot(source, { signal, keep: hashFile, ...limits });
    requireNoGit(target.directory, snapshot, target.shown);
    const steps = [{ kind: 'put', path: target.shown, before: NONE, after: snapshot } as const];
    const copy = (): Promise<void> => copyTree(source, snapshot, target, { durability, stale, signal });
    // A failed copy is removed even if the call was cancelled.
    const never = new AbortController().signal;
    const revert = (): Promise<void> => removeCopy(new SnapshotRestorer(files.changes, never), target, snapshot);
    const { undoId } = await runRecorded(files, { tool: 'copy_file', steps, bytes: 0 }, copy, revert);
    return { path: target.shown, entries, ...(skipped > 0 && { skipped }), ...(undoId !== undefined && { undoId }) };
  });
}

async function removeCopy(restorer: SnapshotRestorer, at: NamedPlace, snapshot: Snapshot): Promise<void> {
  if (await restorer.matchesAny(at, [NONE, snapshot])) await restorer.restore(at, NONE);
}

function alreadyExists(given: string, hint: string): ToolError {
  return new ToolError('ALREADY_EXISTS', `${quotePath(given)} already exists`, { hint });
}
