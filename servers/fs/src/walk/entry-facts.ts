import fs from 'node:fs';

import type { WorkerScope } from '@org/mcp-roots';

import { toEntryType } from '../storage/entry-type.ts';
import type { JobControl } from './job-control.ts';
import { openWalkDirectory } from './walk-directory.ts';
import { packListed, unpackListed, type Listed, type ListedBatch } from './listed-batch.ts';

export interface FactsSummary {
  /** Sum of the sizes of the reported entries. */
  readonly bytes: number;
  /** Whether all entries were examined before the time was over. */
  readonly isComplete: boolean;
}

/** Reports the entries of a batch with their facts. Omits removed entries, and the remaining entries when the time is over. */
export function addFacts(workerScope: WorkerScope, batch: ListedBatch, control: JobControl<ListedBatch>): FactsSummary {
  // If the directory is not pinned, this call verifies again that the directory was not replaced.
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
