import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { ObjectName } from '../catalog/object-name.ts';
import type { Database } from '../database/database.ts';
import { describeObject, type Includable } from '../operations/describe.ts';
import type { Description } from '../operations/description.ts';
import { visible } from '../rows/shown-value.ts';
import type { SchemaUri, TableUri } from './uris.ts';

/** What a schema holds. @throws ToolError NOT_FOUND, and those of `Database.readOnly` */
export function readSchema(database: Database, { schema }: SchemaUri, context: RequestContext): Promise<Description> {
  return found(database, { schema: undefined, name: schema, of: 'schema' }, [], context);
}

/** Columns, keys and comments. @throws ToolError NOT_FOUND, and those of `Database.readOnly` */
export function readTable(database: Database, uri: TableUri, context: RequestContext): Promise<Description> {
  return found(database, relation(uri), ['columns', 'constraints', 'indexes'], context);
}

/** The SQL that makes it. @throws ToolError NOT_FOUND, and those of `Database.readOnly` */
export async function readDdl(database: Database, uri: TableUri, context: RequestContext): Promise<string> {
  const { ddl = '' } = await found(database, relation(uri), ['ddl'], context);
  return visible(ddl);
}

/** A few rows as CSV. @throws ToolError NOT_FOUND, PERMISSION where the role may read no column, and those of `query` */
export async function readSample(database: Database, uri: TableUri, context: RequestContext): Promise<string> {
  const { sample } = await found(database, relation(uri), ['sample'], context);
  if (sample !== undefined) return sample;
  throw new ToolError('PERMISSION', `the role may not read ${visible(`${uri.schema}.${uri.table}`)}`);
}

function relation({ schema, table }: TableUri): ObjectName {
  return { schema, name: table, of: 'relation' };
}

async function found(
  database: Database,
  name: ObjectName,
  include: readonly Includable[],
  context: RequestContext,
): Promise<Description> {
  try {
    return await describeObject(database, { name, include, timeoutMs: database.timeoutFor({}) }, context);
  } catch (error) {
    if (!ToolError.is(error) || error.code !== 'UNDEFINED_OBJECT') throw error;
    throw new ToolError('NOT_FOUND', error.message, {
      hint: 'list_databases and search_objects name what there is',
      cause: error,
    });
  }
}
