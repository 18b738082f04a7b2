import type { RequestContext } from '@org/mcp-decorators';
import leven from 'leven';

import type { CachedCatalog } from '../postgres/catalog/cached-catalog.ts';
import type { CatalogSnapshot } from '../postgres/catalog/catalog-snapshot.ts';
import { MAX_OBJECT_NAME, parseObjectName } from './object-name.ts';

const SUGGESTIONS = 3;

interface Known {
  readonly shown: string;
  readonly name: string;
}

/**
 * Returns the names of schemas, tables, columns and functions that are most similar to a name. Names that the search path does not
 * find are qualified.
 */
export async function findNearestObjects(
  catalog: CachedCatalog,
  name: string,
  context: Pick<RequestContext, 'signal'>,
): Promise<readonly string[]> {
  // The name comes from an error of PostgreSQL and may have any length.
  if (name.length > MAX_OBJECT_NAME) return [];
  const { name: object } = parseObjectName(name);
  const wanted = object.toLowerCase();
  const most = Math.ceil(wanted.length / 3);
  return collectCandidates(await catalog.snapshot(context))
    .filter((known) => Math.abs(known.name.length - wanted.length) <= most)
    .map((known) => ({ ...known, distance: leven(known.name.toLowerCase(), wanted) }))
    .filter(({ distance, shown }) => distance <= most && shown !== name)
    .toSorted((first, second) => first.distance - second.distance)
    .slice(0, SUGGESTIONS)
    .map(({ shown }) => shown);
}

function collectCandidates({ schemas, relations, functions }: CatalogSnapshot): readonly Known[] {
  const readable = relations.filter((relation) => relation.readable);
  const columns = new Set(readable.flatMap((relation) => relation.columns.map(({ name }) => name)));
  return [
    ...readable.map(({ shown, name }) => ({ shown, name })),
    ...Array.from(columns, (name) => ({ shown: name, name })),
    ...functions.map((shown) => ({ shown, name: parseObjectName(shown).name })),
    ...schemas.map((name) => ({ shown: name, name })),
  ];
}
