import leven from 'leven';

import type { CatalogNames } from './catalog-names.ts';
import { MAX_OBJECT_NAME, parseObjectName } from './object-name.ts';

const SUGGESTIONS = 3;

/** Kind of object that a name refers to. */
export type NamedKind = 'schema' | 'relation' | 'column' | 'function';

interface Known {
  readonly shown: string;
  readonly name: string;
}

/**
 * Returns at most three names of schemas, tables, columns and functions that are most similar to a name. A name includes its
 * schema if SQL does not find the object by its name alone.
 *
 * @param kind restricts the names to one kind. Default: all kinds
 */
export function findNearestObjects(names: CatalogNames, name: string, kind?: NamedKind): readonly string[] {
  // The name comes from an error of the database and may have any length.
  if (name.length > MAX_OBJECT_NAME) return [];
  const { name: object } = parseObjectName(name);
  const wanted = object.toLowerCase();
  // A name with another letter at each place is not similar.
  const most = Math.min(Math.ceil(wanted.length / 3), wanted.length - 1);
  return collectCandidates(names, kind)
    .filter((known) => Math.abs(known.name.length - wanted.length) <= most)
    .map((known) => ({ ...known, distance: leven(known.name.toLowerCase(), wanted) }))
    .filter(({ distance, shown }) => distance <= most && shown !== name && shown !== object)
    .toSorted((first, second) => first.distance - second.distance)
    .slice(0, SUGGESTIONS)
    .map(({ shown }) => shown);
}

function collectCandidates({ schemas, relations, functions }: CatalogNames, kind?: NamedKind): readonly Known[] {
  const readable = relations.filter((relation) => relation.readable);
  const columns = new Set(readable.flatMap((relation) => relation.columns.map(({ name }) => name)));
  const candidates: Readonly<Record<NamedKind, readonly Known[]>> = {
    relation: readable.map(({ shown, name }) => ({ shown, name })),
    column: Array.from(columns, (name) => ({ shown: name, name })),
    function: functions.map((shown) => ({ shown, name: parseObjectName(shown).name })),
    schema: schemas.map((name) => ({ shown: name, name })),
  };
  return kind === undefined ? Object.values(candidates).flat() : candidates[kind];
}
