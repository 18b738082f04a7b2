import type { RequestContext } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';

/** PostgreSQL's own tables are not offered until their schema is named. */
const OWN = new Set(['pg_catalog', 'information_schema']);

/** Names of all schemas but PostgreSQL's own. */
export async function completeSchema(database: Database, context: RequestContext): Promise<readonly string[]> {
  return (await database.catalog.of(database, context)).schemas;
}

/** Names of tables and views, of the schema if one was chosen. */
export async function completeTable(
  database: Database,
  { schema }: { readonly schema?: string | undefined },
  context: RequestContext,
): Promise<readonly string[]> {
  const { relations } = await database.catalog.of(database, context);
  const wanted = relations.filter((relation) => (schema === undefined ? !OWN.has(relation.schema) : relation.schema === schema));
  return [...new Set(wanted.map(({ name }) => name))];
}
