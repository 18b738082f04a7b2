import type { RequestContext } from '@org/mcp-decorators';

import { searchCatalog } from '../catalog/search.ts';
import type { Database } from '../database/database.ts';

/** More candidates than this are not worth ranking. */
const CANDIDATES = 1000;

/** Names of schemas that contain what was typed. */
export async function completeSchema(database: Database, value: string, context: RequestContext): Promise<readonly string[]> {
  const found = await searchCatalog(
    database,
    { pattern: value, kinds: ['schema'], schema: undefined, limit: CANDIDATES },
    context,
  );
  return found.map(({ name }) => name);
}

/** Names of tables and views that contain what was typed, of the schema if one was chosen. */
export async function completeTable(
  database: Database,
  value: string,
  { schema }: { readonly schema?: string | undefined },
  context: RequestContext,
): Promise<readonly string[]> {
  const kinds = ['table', 'view', 'materialized_view', 'foreign_table'];
  const found = await searchCatalog(database, { pattern: value, kinds, schema, limit: CANDIDATES }, context);
  return [...new Set(found.map(({ name }) => name))];
}
