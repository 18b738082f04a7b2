import { ToolError, type RequestContext } from '@org/mcp-decorators';
import { spelled, type OpenDirectory, type OpenFile } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { partsOf } from '../journal/contents.ts';
import { Restoring } from '../journal/restore.ts';
import { NONE, onlyHash, takeDirectorySnapshot, type Snapshot } from '../journal/snapshot.ts';
import { changeFile, withFile } from '../write/change-file.ts';
import { copyTree } from '../write/copy-tree.ts';
import { withEntries } from '../write/entry-places.ts';
import { requireNoGit } from '../write/nothing-denied.ts';
import { recorded } from '../write/recorded.ts';
import { requireEtag } from '../write/unchanged.ts';
import type { MadeChange } from './made-change.ts';
import { TransferInput } from './transfer-input.ts';

export class CopyFileInput extends TransferInput {}

/**
 * Copies a file, or a directory with all that is in it: links as they are, nothing that is denied.
 *
 * @throws ToolError ALREADY_EXISTS, CONFLICT, TOO_LARGE, TIMEOUT, NOT_REGULAR_FILE, NO_SPACE, those of `Roots.openFile` and `Roots.placeToWrite`
 */
export async function copyFile(files: Files, input: CopyFileInput, { signal }: RequestContext): Promise<MadeChange> {
  const { facts } = await files.roots.existing(input.source);
  return facts.isDirectory() ? copyDirectory(files, input, signal) : copyOneFile(files, input, signal);
}

async function copyOneFile(files: Files, input: CopyFileInput, signal: AbortSignal): Promise<MadeChange> {
  await using source: OpenFile = await files.roots.openFile(input.source);
  requireEtag(input.source, source.facts, input.ifMatch);
  return await withFile(files, { path: input.destination }, signal, async (target) => {
    if (target.facts !== undefined && input.overwrite !== true) throw taken(input.destination, 'overwrite replaces it');
    const { path, undoId } = await changeFile(
      files,
      target,
      {
        tool: 'copy_file',
        content: partsOf(source, signal),
        permanent: input.permanent,
        mode: target.facts === undefined ? Number(source.facts.mode) : undefined,
      },
      signal,
    );
    return { path, ...(undoId !== undefined && { undoId }) };
  });
}

async function copyDirectory(files: Files, input: CopyFileInput, signal: AbortSignal): Promise<MadeChange> {
  await using source: OpenDirectory = await files.roots.openDirectory(input.source);
  requireEtag(input.source, source.self, input.ifMatch);
  return await withEntries(files, [input.destination], signal, async ([target]) => {
    if (target === undefined || target.facts !== undefined)
      throw taken(input.destination, 'a directory is copied to a new path only');
    const { durability, stale } = files.changes;
    const limits = { maxEntries: files.limits.maxTreeEntries, maxBytes: Infinity, skipsDenied: true };
    const { snapshot, entries, skipped } = await takeDirectorySnapshot(source, { signal, keep: onlyHash, ...limits });
    requireNoGit(target.directory, snapshot, target.shown);
    const steps = [{ kind: 'put', path: target.shown, before: NONE, after: snapshot } as const];
    const copy = (): Promise<void> => copyTree(source, snapshot, target, { durability, stale, signal });
    const never = new AbortController().signal;
    const revert = (): Promise<void> => removeCopy(new Restoring(files.changes, never), target, snapshot);
    const { undoId } = await recorded(files, { tool: 'copy_file', steps, bytes: 0 }, copy, revert);
    return { path: target.shown, entries, ...(skipped > 0 && { skipped }), ...(undoId !== undefined && { undoId }) };
  });
}

async function removeCopy(
  restoring: Restoring,
  at: { readonly directory: OpenDirectory; readonly name: string },
  snapshot: Snapshot,
): Promise<void> {
  if (await restoring.isOneOf(at, [NONE, snapshot])) await restoring.restore(at, NONE);
}

function taken(given: string, hint: string): ToolError {
  return new ToolError('ALREADY_EXISTS', `${spelled(given)} exists already`, { hint });
}
