import path from 'node:path';

import type { PutStep } from '../journal/change.ts';
import { DEFAULT_MODE, NONE, type Snapshot } from '../journal/snapshot.ts';
import type { Leaf } from './leaf.ts';
import type { VirtualFiles } from './virtual-files.ts';

/** The steps that make virtual changes, and the paths at which a file or link would replace a directory or the reverse. */
export interface RewindSteps {
  readonly steps: readonly PutStep[];
  readonly replaced: readonly string[];
}

/** Creates the steps that change the disk to the state of virtual files. Steps that only remove an entry come last. */
export async function createSteps(files: VirtualFiles): Promise<RewindSteps> {
  const tops = new Set<string>();
  for (const place of await files.listChanged()) tops.add(await findTop(files, place));
  const all: PutStep[] = [];
  for (const top of [...tops].sort()) {
    const before = await createSnapshot(files, top, (place) => files.readDisk(place));
    const after = await createSnapshot(files, top, (place) => files.get(place));
    const isPartial = before.type === 'directory' || after.type === 'directory';
    all.push({ kind: 'put', path: top, before, after, ...(isPartial && { partial: true }) });
  }
  const [adding, removing] = [all.filter(({ after }) => after.type !== 'none'), all.filter(({ after }) => after.type === 'none')];
  return {
    steps: [...adding, ...removing].filter((step) => !isReplaced(step)),
    replaced: all.filter(isReplaced).map((step) => step.path),
  };
}

function isReplaced({ before, after }: PutStep): boolean {
  const isChanged = (before.type === 'directory') !== (after.type === 'directory');
  return isChanged && before.type !== 'none' && after.type !== 'none';
}

/** Returns the path, or its nearest ancestor, whose parent is a directory both before and after the change. */
async function findTop(files: VirtualFiles, place: string): Promise<string> {
  let top = place;
  for (let above = path.dirname(place); above !== path.dirname(above); above = path.dirname(above)) {
    const [before, after] = [await files.readDisk(above), await files.get(above)];
    if (before.type === 'directory' && after.type === 'directory') return top;
    top = above;
  }
  return top;
}

async function createSnapshot(files: VirtualFiles, place: string, read: (place: string) => Promise<Leaf>): Promise<Snapshot> {
  const leaf = await read(place);
  if (leaf.type === 'file') return { type: 'file', hash: leaf.hash, size: leaf.size, mode: leaf.mode };
  if (leaf.type === 'symlink') return leaf;
  const entries: [string, Snapshot][] = [];
  for (const name of listNamesBelow(files.known, place)) {
    const entry = await createSnapshot(files, path.join(place, name), read);
    if (entry.type !== 'none') entries.push([name, entry]);
  }
  if (leaf.type === 'none' && entries.length === 0) return NONE;
  return { type: 'directory', mode: leaf.type === 'directory' ? leaf.mode : DEFAULT_MODE, entries };
}

function listNamesBelow(known: readonly string[], place: string): readonly string[] {
  const below = known.filter((each) => each.startsWith(`${place}${path.sep}`));
  return [...new Set(below.map((each) => each.slice(place.length + 1).split(path.sep)[0] ?? ''))];
}
