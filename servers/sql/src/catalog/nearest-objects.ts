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
 * Returns at most three names of schemas, tables, columns and functions that are similar to a name, the most similar name first.
 * Excludes tables that the role may not read. The name of a table or function includes the schema if SQL does not find the object
 * by its name alone.
 *
 * @param kind restricts the names to one kind. Default: all kinds
 */
export function findNearestObjects(names: CatalogNames, name: string, kind?: NamedKind): readonly string[] {
  // The name comes from an error and may have any length. Comparing a very long name would take too long.
  if (name.length > MAX_OBJECT_NAME) return [];
  const { name: object } = parseObjectName(name);
  const wanted = object.toLowerCase();
  // At most a third of the letters may differ, rounded up. A name that differs in every letter is not similar.
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
