import type { OpenDirectory } from '@org/mcp-roots';

import { readParts } from '../journal/contents.ts';
import type { DirectorySnapshot, Snapshot } from '../journal/snapshot.ts';
import type { StaleFiles } from '../storage/stale-files.ts';
import { writeAtomically, type Durability } from '../storage/write-atomically.ts';

interface CopyOptions {
  readonly durability: Durability;
  readonly stale: StaleFiles;
  readonly signal: AbortSignal;
}

/** Creates a directory, and copies the entries to it that a snapshot of the source directory names. */
export async function copyTree(
  source: OpenDirectory,
  { entries, mode }: DirectorySnapshot,
  to: { readonly directory: OpenDirectory; readonly name: string },
  options: CopyOptions,
): Promise<void> {
  await to.directory.makeDirectory(to.name);
  await using copy = await to.directory.openDirectory(to.name);
  for (const [name, entry] of entries) {
    options.signal.throwIfAborted();
    await copyEntry({ directory: source, name }, entry, copy, options);
  }
  await copy.setMode(mode);
  if (options.durability === 'full') await copy.flush();
}

async function copyEntry(
  { directory, name }: { readonly directory: OpenDirectory; readonly name: string },
  entry: Snapshot,
  copy: OpenDirectory,
  options: CopyOptions,
): Promise<void> {
  if (entry.type === 'symlink') await copy.makeLink(name, entry.target);
  if (entry.type === 'directory') {
    await using below = await directory.openDirectory(name);
    await copyTree(below, entry, { directory: copy, name }, options);
  }
  if (entry.type !== 'file') return;
  await using file = await directory.openFile(name);
  const target = { directory: copy, name, shown: `${copy.shown}/${name}`, facts: undefined };
  // Files are not flushed one by one, because the originals still exist.
  await writeAtomically(target, readParts(file, options.signal), { ...options, durability: 'fast', mode: entry.mode });
}
