import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { Description, Includable } from '../catalog/description.ts';
import type { ObjectName } from '../catalog/object-name.ts';
import { timeoutFor } from '../engine/limits.ts';
import type { SqlDatabase } from '../engine/sql-database.ts';
import { visible } from '../rows/shown-value.ts';
import type { SchemaUri, TableUri } from './uris.ts';

/** Lists the objects of a schema. @throws ToolError NOT_FOUND, and errors of the database */
export function readSchema(database: SqlDatabase, { schema }: SchemaUri, context: RequestContext): Promise<Description> {
  return describeOrThrow(database, { schema: undefined, name: schema, of: 'schema' }, [], context);
}

/** Reads the columns, keys, indexes and comments of a table or view. @throws ToolError NOT_FOUND, and errors of the database */
export function readTable(database: SqlDatabase, uri: TableUri, context: RequestContext): Promise<Description> {
  return describeOrThrow(database, nameRelation(uri), ['columns', 'constraints', 'indexes'], context);
}

/** Reads the CREATE statements of a table or view. @throws ToolError NOT_FOUND, and errors of the database */
export async function readDdl(database: SqlDatabase, uri: TableUri, context: RequestContext): Promise<string> {
  const { ddl = '' } = await describeOrThrow(database, nameRelation(uri), ['ddl'], context);
  return visible(ddl);
}

/**
 * Reads up to five rows of a table or view as CSV.
 *
 * @throws ToolError NOT_FOUND, PERMISSION if the role may read no column, and errors of `query`
 */
export async function readSampleRows(database: SqlDatabase, uri: TableUri, context: RequestContext): Promise<string> {
  const { sample } = await describeOrThrow(database, nameRelation(uri), ['sample'], context);
  if (sample !== undefined) return sample;
  throw new ToolError('PERMISSION', `the role may not read ${visible(`${uri.schema}.${uri.table}`)}`);
}

function nameRelation({ schema, table }: TableUri): ObjectName {
  return { schema, name: table, of: 'relation' };
}

async function describeOrThrow(
  database: SqlDatabase,
  name: ObjectName,
  include: readonly Includable[],
  context: RequestContext,
): Promise<Description> {
  try {
    return await database.describe({ name, include, timeoutMs: timeoutFor(database, {}) }, context);
  } catch (error) {
    if (!ToolError.is(error) || error.code !== 'UNDEFINED_OBJECT') throw error;
    throw new ToolError('NOT_FOUND', error.message, {
      hint: 'list_databases and search_objects list the existing objects',
      cause: error,
    });
  }
}
