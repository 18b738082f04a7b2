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
  const shown = firstThatFit(found.slice(0, limit), database.limits.maxBytes);
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  return {
    objects: shown.flatMap(foundObject),
    ...(last !== undefined && { next_cursor: last.cursor }),
    ...(suggestions.length > 0 && { suggestions: [...suggestions] }),
  };
}

function foundObject({ schema, name, kind: text, detail, comment, estimatedRows, columns }: FoundObject): FoundDatabaseObject[] {
  const kind = OBJECT_KINDS.find((known) => known === text);
  if (kind === undefined) return [];
  return [
    {
      schema,
      name,
      kind,
      ...(detail !== undefined && { detail }),
      ...(comment !== undefined && { comment }),
      ...(estimatedRows !== undefined && { estimated_rows: estimatedRows }),
      ...(columns.length > 0 && { columns: [...columns] }),
    },
  ];
}
