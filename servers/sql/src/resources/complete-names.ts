import type { RequestContext } from '@org/mcp-decorators';

import type { Database } from '../postgres/database/database.ts';

/** PostgreSQL's own schemas, whose tables are completed only if the schema is given. */
const SYSTEM_SCHEMAS = new Set(['pg_catalog', 'information_schema']);

/** Returns the names of all schemas except PostgreSQL's own. */
export async function completeSchemas(database: Database, context: RequestContext): Promise<readonly string[]> {
  return (await database.catalog.snapshot(context)).schemas;
}

/** Completes the last name of a list that is separated by commas. */
export async function completeTableList(list: string, database: Database, context: RequestContext): Promise<readonly string[]> {
  const [before = ''] = /^.*,\s*/s.exec(list) ?? [];
  const names = await completeTables(database, {}, context);
  return names.map((name) => before + name);
}

/** Returns the names of the tables and views of one schema. Without a schema, returns the names for all schemas except PostgreSQL's own. */
export async function completeTables(
  database: Database,
  { schema }: { readonly schema?: string | undefined },
  context: RequestContext,
): Promise<readonly string[]> {
  const { relations } = await database.catalog.snapshot(context);
  const wanted = relations.filter((relation) =>
    schema === undefined ? !SYSTEM_SCHEMAS.has(relation.schema) : relation.schema === schema,
  );
  return [...new Set(wanted.map(({ name }) => name))];
}
