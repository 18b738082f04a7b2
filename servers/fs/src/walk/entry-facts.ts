import fs from 'node:fs';

import type { WorkerScope } from '@org/mcp-roots';

import { toEntryType } from '../storage/entry-type.ts';
import type { JobControl } from './job-control.ts';
import { openWalkDirectory } from './walk-directory.ts';
import { packListed, unpackListed, type Listed, type ListedBatch } from './listed-batch.ts';

export interface FactsSummary {
  /** The sum of all sizes. */
  readonly bytes: number;
  /** Whether the time was sufficient. */
  readonly isComplete: boolean;
}

/** Adds the facts of entries to a batch of a directory. Removed entries are omitted. */
export function addFacts(workerScope: WorkerScope, batch: ListedBatch, control: JobControl<ListedBatch>): FactsSummary {
  // Verifies again that the directory was not replaced, where its path is not pinned.
  const directory = openWalkDirectory(workerScope, '');
  const known: Listed[] = [];
  let bytes = 0;
  let isComplete = true;
  for (const entry of unpackListed(batch)) {
    isComplete = !control.isOver;
    if (!isComplete) break;
    const found = readFacts(directory.way, entry);
    if (found === undefined) continue;
    bytes += found.size ?? 0;
    known.push(found);
  }
  directory.close();
  control.found(packListed(known));
  return { bytes, isComplete };
}

/** Returns an entry with facts from `lstat`, or `undefined` if the entry was removed. */
export function readFacts(directory: string, { name, target }: Listed): Listed | undefined {
  const facts = fs.lstatSync(`${directory}/${name}`, { throwIfNoEntry: false });
  if (facts === undefined) return undefined;
  const type = toEntryType(facts);
  return {
    name,
    type,
    mtimeMs: facts.mtimeMs,
    ...(type === 'file' && { size: facts.size }),
    ...(type === 'symlink' && target !== undefined && { target }),
  };
}
