import type { BigIntStats } from 'node:fs';

import { ToolError } from '@org/mcp-decorators';
import { spelled, type Place } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { withPlaces } from './with-places.ts';
import type { Target } from './write-atomically.ts';

/** A target, and the name as the caller spelled it. */
export type EntryTarget = Target & Pick<Place, 'asked'>;

/** An entry that is there. */
export type Entry = EntryTarget & { readonly facts: BigIntStats };

/**
 * Does something to entries, links themselves included, while nobody else with the same state directory does.
 *
 * @throws ToolError TIMEOUT, those of `Roots.placeToMove`
 */
export async function withEntries<Value>(
  files: Files,
  paths: readonly string[],
  signal: AbortSignal,
  work: (targets: readonly EntryTarget[]) => Promise<Value>,
): Promise<Value> {
  const { roots, changes } = files;
  return withPlaces(paths, roots.placeToMove.bind(roots), (places) =>
    changes.locks.during(places, signal, async () => {
      const targets: EntryTarget[] = [];
      for (const { directory, name, shown, asked } of places)
        targets.push({ directory, name, shown, asked, facts: await directory.facts(name) });
      return work(targets);
    }),
  );
}

/** @throws ToolError NOT_FOUND, with the nearest name */
export async function requireThere(files: Files, target: EntryTarget | undefined, given: string): Promise<Entry> {
  if (target?.facts !== undefined) return { ...target, facts: target.facts };
  await files.roots.existing(given);
  throw new ToolError('NOT_FOUND', `${spelled(given)} does not exist`);
}
