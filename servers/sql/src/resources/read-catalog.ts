import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { ObjectName } from '../catalog/object-name.ts';
import type { Database } from '../postgres/database/database.ts';
import { readDescription, type Includable } from '../tools/schema/describe.ts';
import type { Description } from '../tools/schema/description.ts';
import { visible } from '../rows/shown-value.ts';
import type { SchemaUri, TableUri } from './uris.ts';

/** Lists the objects of a schema. @throws ToolError NOT_FOUND, and errors of `Database.readOnly` */
export function readSchema(database: Database, { schema }: SchemaUri, context: RequestContext): Promise<Description> {
  return describeOrThrow(database, { schema: undefined, name: schema, of: 'schema' }, [], context);
}

/** Reads columns, keys and comments. @throws ToolError NOT_FOUND, and errors of `Database.readOnly` */
export function readTable(database: Database, uri: TableUri, context: RequestContext): Promise<Description> {
  return describeOrThrow(database, nameRelation(uri), ['columns', 'constraints', 'indexes'], context);
}

/** Reads the CREATE statements. @throws ToolError NOT_FOUND, and errors of `Database.readOnly` */
export async function readDdl(database: Database, uri: TableUri, context: RequestContext): Promise<string> {
  const { ddl = '' } = await describeOrThrow(database, nameRelation(uri), ['ddl'], context);
  return visible(ddl);
}

/** Reads five rows as CSV. @throws ToolError NOT_FOUND, PERMISSION if the role may read no column, and errors of `query` */
export async function readSampleRows(database: Database, uri: TableUri, context: RequestContext): Promise<string> {
  const { sample } = await describeOrThrow(database, nameRelation(uri), ['sample'], context);
  if (sample !== undefined) return sample;
  throw new ToolError('PERMISSION', `the role may not read ${visible(`${uri.schema}.${uri.table}`)}`);
}

function nameRelation({ schema, table }: TableUri): ObjectName {
  return { schema, name: table, of: 'relation' };
}

async function describeOrThrow(
  database: Database,
  name: ObjectName,
  include: readonly Includable[],
  context: RequestContext,
): Promise<Description> {
  try {
    return await readDescription(database, { name, include, timeoutMs: database.timeoutFor({}) }, context);
  } catch (error) {
    if (!ToolError.is(error) || error.code !== 'UNDEFINED_OBJECT') throw error;
    throw new ToolError('NOT_FOUND', error.message, {
      hint: 'list_databases and search_objects list the existing objects',
      cause: error,
    });
  }
}
