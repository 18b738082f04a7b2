import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

import type { Databases } from '../database/databases.ts';
import { describeRelation, type Description } from '../operations/describe.ts';

export const TABLE_URI = 'pg://{database}/{schema}/{table}';

/** The variables of `TABLE_URI`, decoded. */
export class TableUri {
  @Field('Id of the database')
  @IsString()
  database!: string;

  @IsString()
  schema!: string;

  @Field('Table or view')
  @IsString()
  table!: string;
}

/** @throws ToolError NOT_FOUND, and those of `Database.readOnly` */
export async function readTable(
  databases: Databases,
  { database, schema, table }: TableUri,
  context: RequestContext,
): Promise<Description> {
  try {
    return await describeRelation(databases.get(database), { schema, name: table }, context);
  } catch (error) {
    throw ToolError.is(error) && error.code === 'UNDEFINED_OBJECT' ? notFound(error.message) : error;
  }
}

function notFound(message: string): ToolError {
  return new ToolError('NOT_FOUND', message, { hint: 'list_databases and search_objects name what there is' });
}
