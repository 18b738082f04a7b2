import type { RequestContext } from '@org/mcp-decorators';

import type { SqlDatabase } from '../engine/sql-database.ts';

/** Returns the names of all schemas except system schemas. */
export async function completeSchemas(database: SqlDatabase, context: RequestContext): Promise<readonly string[]> {
  return (await database.names(context)).schemas;
}

/** Returns completions of a list that is separated by commas: the list with each table name in place of its last name. */
export async function completeTableList(
  list: string,
  database: SqlDatabase,
  context: RequestContext,
): Promise<readonly string[]> {
  const [before = ''] = /^.*,\s*/s.exec(list) ?? [];
  const names = await completeTables(database, {}, context);
  return names.map((name) => before + name);
}

/** Returns the names of the tables and views of one schema. Without a schema, returns the names for all schemas except system schemas. */
export async function completeTables(
  database: SqlDatabase,
  { schema }: { readonly schema?: string | undefined },
  context: RequestContext,
): Promise<readonly string[]> {
  const { schemas, relations } = await database.names(context);
  const wanted = relations.filter((relation) =>
    schema === undefined ? schemas.includes(relation.schema) : relation.schema === schema,
  );
  return [...new Set(wanted.map(({ name }) => name))];
}
