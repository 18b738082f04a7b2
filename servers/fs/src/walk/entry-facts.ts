import fs from 'node:fs';

import type { WorkerScope } from '@org/mcp-roots';

import { toEntryType } from '../storage/entry-type.ts';
import type { JobControl } from './job-control.ts';
import { packListed, unpackListed, type Listed, type ListedBatch } from './listed-batch.ts';

export interface FactsQuery {
  readonly batches: readonly ListedBatch[];
}

export interface FactsSummary {
  /** The sum of all sizes. */
  readonly bytes: number;
  /** Whether the time was sufficient for all batches. */
  readonly isComplete: boolean;
}

/** Adds the facts of entries to batches of a directory. Removed entries are omitted. */
export function addFacts({ base }: WorkerScope, { batches }: FactsQuery, control: JobControl<ListedBatch>): FactsSummary {
  let bytes = 0;
  for (const batch of batches) {
    const known: Listed[] = [];
    for (const entry of unpackListed(batch)) {
      if (control.isOver) return { bytes, isComplete: false };
      const found = readFacts(base, entry);
      if (found === undefined) continue;
      bytes += found.size ?? 0;
      known.push(found);
    }
    control.found(packListed(known));
    control.flush();
  }
  return { bytes, isComplete: true };
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
