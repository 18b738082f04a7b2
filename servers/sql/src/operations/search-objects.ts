import { Field, type RequestContext } from '@org/mcp-decorators';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateNested } from 'class-validator';

import { nearestObjects } from '../catalog/nearest-objects.ts';
import { OBJECT_KINDS, searchCatalog, type FoundObject, type ObjectKind } from '../catalog/search.ts';
import type { Database } from '../database/database.ts';
import { DatabaseInput } from './database-input.ts';

export class SearchObjectsInput extends DatabaseInput {
  @Field('Part of a name, or a glob such as order_*; without it everything is found')
  @IsString()
  @MaxLength(200)
  pattern = '';

  @Field('Kinds of objects to find')
  @IsIn([...OBJECT_KINDS], { each: true })
  kinds: ObjectKind[] = ['schema', 'table', 'view', 'materialized_view', 'foreign_table'];

  @Field('Only in this schema; those of PostgreSQL itself are searched only where they are named')
  @IsOptional()
  @IsString()
  schema?: string;

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

  @Field('What it belongs to, or the arguments of a function')
  @IsOptional()
  @IsString()
  detail?: string;

  @IsOptional()
  @IsString()
  comment?: string;
}

export class FoundObjects {
  @Field('The best match first', { type: () => FoundDatabaseObject })
  @ValidateNested({ each: true })
  objects!: FoundDatabaseObject[];

  @Field('There are more than the limit')
  @IsBoolean()
  truncated!: boolean;

  @Field('Names like the pattern, where nothing was found')
  @IsOptional()
  @IsString({ each: true })
  suggestions?: string[];
}

/** @throws ToolError those of `Database.readOnly` */
export async function searchObjects(
  database: Database,
  input: SearchObjectsInput,
  context: RequestContext,
): Promise<FoundObjects> {
  const { pattern, kinds, schema, limit } = input;
  const found = await searchCatalog(database, { pattern, kinds, schema, limit: limit + 1 }, context);
  const suggestions = found.length === 0 && pattern !== '' ? await nearestObjects(database, pattern, context) : [];
  return {
    objects: found.slice(0, limit).flatMap(foundObject),
    truncated: found.length > limit,
    ...(suggestions.length > 0 && { suggestions: [...suggestions] }),
  };
}

function foundObject({ schema, name, kind: text, detail, comment }: FoundObject): readonly FoundDatabaseObject[] {
  const kind = OBJECT_KINDS.find((known) => known === text);
  if (kind === undefined) return [];
  return [{ schema, name, kind, ...(detail !== undefined && { detail }), ...(comment !== undefined && { comment }) }];
}
