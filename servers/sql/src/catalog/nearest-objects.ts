import leven from 'leven';

import type { CatalogNames } from './catalog-names.ts';
import { MAX_OBJECT_NAME, parseObjectName } from './object-name.ts';

const SUGGESTIONS = 3;

interface Known {
  readonly shown: string;
  readonly name: string;
}

/**
 * Returns the names of schemas, tables, columns and functions that are most similar to a name. Names that are not found by themselves
 * are qualified.
 */
export function findNearestObjects(names: CatalogNames, name: string): readonly string[] {
  // The name comes from an error of the database and may have any length.
  if (name.length > MAX_OBJECT_NAME) return [];
  const { name: object } = parseObjectName(name);
  const wanted = object.toLowerCase();
  const most = Math.ceil(wanted.length / 3);
  return collectCandidates(names)
    .filter((known) => Math.abs(known.name.length - wanted.length) <= most)
    .map((known) => ({ ...known, distance: leven(known.name.toLowerCase(), wanted) }))
    .filter(({ distance, shown }) => distance <= most && shown !== name)
    .toSorted((first, second) => first.distance - second.distance)
    .slice(0, SUGGESTIONS)
    .map(({ shown }) => shown);
}

function collectCandidates({ schemas, relations, functions }: CatalogNames): readonly Known[] {
  const readable = relations.filter((relation) => relation.readable);
  const columns = new Set(readable.flatMap((relation) => relation.columns.map(({ name }) => name)));
  return [
    ...readable.map(({ shown, name }) => ({ shown, name })),
    ...Array.from(columns, (name) => ({ shown: name, name })),
    ...functions.map((shown) => ({ shown, name: parseObjectName(shown).name })),
    ...schemas.map((name) => ({ shown: name, name })),
  ];
}
