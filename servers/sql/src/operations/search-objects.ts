import { Field, type RequestContext } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateNested } from 'class-validator';

import { nearestObjects } from '../catalog/nearest-objects.ts';
import { DETAILS, OBJECT_KINDS, searchCatalog, type FoundObject, type ObjectKind } from '../catalog/search.ts';
import { MAX_OBJECT_NAME } from '../catalog/object-name.ts';
import type { Database } from '../database/database.ts';
import { DatabaseInput } from './database-input.ts';

export class SearchObjectsInput extends DatabaseInput {
  @Field('Part of a name, or a glob such as order_*; default: everything')
  @IsString()
  @MaxLength(200)
  pattern = '';

  @Field('Kinds of objects to find')
  @IsIn([...OBJECT_KINDS], { each: true })
  kinds: ObjectKind[] = ['schema', 'table', 'view', 'materialized_view', 'foreign_table'];

  @Field('Only in this schema; those of PostgreSQL itself are searched only where they are named')
  @IsOptional()
  @IsString()
  @MaxLength(MAX_OBJECT_NAME)
  schema?: string;

  @Field('names; with comments (summary); with columns and row counts too (full)')
  @IsIn([...DETAILS])
  detail: (typeof DETAILS)[number] = 'summary';

  @Field('next_cursor of an earlier page of the same search')
  @IsOptional()
  @IsString()
  @MaxLength(4000)
  cursor?: string;

  @Field('Most objects to return')
  @IsInt()
  @Min(1)
  @Max(1000)
  limit = 100;
}

export class FoundDatabaseObject {
  @IsString()
  schema!: string;

  @IsString()
  name!: string;

  @IsIn([...OBJECT_KINDS])
  kind!: ObjectKind;

  @Field('What it belongs to; of a function, its arguments')
  @IsOptional()
  @IsString()
  detail?: string;

  @IsOptional()
  @IsString()
  comment?: string;

  @IsOptional()
  @IsInt()
  estimated_rows?: number;

  @IsOptional()
  @IsString({ each: true })
  columns?: string[];

  @Field('Columns that are not in columns')
  @IsOptional()
  @IsInt()
  columns_left_out?: number;
}

export class FoundObjects {
  @Field('The best match first', { type: () => FoundDatabaseObject })
  @ValidateNested({ each: true })
  objects!: FoundDatabaseObject[];

  @Field('There are more: pass it as cursor')
  @IsOptional()
  @IsString()
  next_cursor?: string;

  @Field('Names like the pattern, where nothing was found')
  @IsOptional()
  @IsString({ each: true })
  suggestions?: string[];
}

/** @throws ToolError INVALID_ARGUMENTS for a cursor that is none, and those of `Database.readOnly` */
export async function searchObjects(
  database: Database,
  input: SearchObjectsInput,
  context: RequestContext,
): Promise<FoundObjects> {
  const { pattern, kinds, schema, limit, detail, cursor } = input;
  // One more than fits says that there are more.
  const found = await searchCatalog(database, { pattern, kinds, schema, limit: limit + 1, detail, cursor }, context);
  const wanted = pattern === '' ? schema : pattern;
  const suggestions = found.length === 0 && wanted !== undefined ? await nearestObjects(database, wanted, context) : [];
  const { maxBytes } = database.limits;
  const known = found.filter(({ kind }) => kindOf(kind) !== undefined);
  const objects = known.slice(0, limit).flatMap((each) => foundObject(each, maxBytes / 2));
  const shown = firstThatFit(objects, maxBytes);
  const last = known.length > shown.length ? known[shown.length - 1] : undefined;
  return {
    objects: shown,
    ...(last !== undefined && { next_cursor: last.cursor }),
    ...(suggestions.length > 0 && { suggestions: [...suggestions] }),
  };
}

function kindOf(text: string): ObjectKind | undefined {
  return OBJECT_KINDS.find((known) => known === text);
}

/** @param maxBytes of the names of the columns */
function foundObject(found: FoundObject, maxBytes: number): FoundDatabaseObject[] {
  const { schema, name, detail, comment, estimatedRows } = found;
  const kind = kindOf(found.kind);
  if (kind === undefined) return [];
  const columns = firstThatFit(found.columns, maxBytes);
  const leftOut = found.columns.length - columns.length;
  return [
    {
      schema,
      name,
      kind,
      ...(detail !== undefined && { detail }),
      ...(comment !== undefined && { comment }),
      ...(estimatedRows !== undefined && { estimated_rows: estimatedRows }),
      ...(columns.length > 0 && { columns }),
      ...(leftOut > 0 && { columns_left_out: leftOut }),
    },
  ];
}
