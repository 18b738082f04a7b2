import type { OpenDirectory } from '@org/mcp-roots';

import { partsOf } from '../journal/contents.ts';
import type { DirectorySnapshot, Snapshot } from '../journal/snapshot.ts';
import type { Durability } from '../options/writing-options.ts';
import type { StaleFiles } from './stale-files.ts';
import { writeAtomically } from './write-atomically.ts';

interface CopyOptions {
  readonly durability: Durability;
  readonly stale: StaleFiles;
  readonly signal: AbortSignal;
}

/** Copies what a snapshot of a directory has to a name that is free. */
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
  // Each file is not flushed by itself: the originals are still there.
  await writeAtomically(target, partsOf(file, options.signal), { ...options, durability: 'fast', mode: entry.mode });
}
