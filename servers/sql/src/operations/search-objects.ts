import { Field, Integer, ListOf, OneOf, Text, TextList, type RequestContext } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';
import { IsIn } from 'class-validator';

import { nearestObjects } from '../catalog/nearest-objects.ts';
import { DETAILS, OBJECT_KINDS, searchCatalog, type FoundObject, type ObjectKind } from '../catalog/search.ts';
import { MAX_OBJECT_NAME } from '../catalog/object-name.ts';
import type { Database } from '../database/database.ts';
import { DatabaseInput } from './database-input.ts';

export class SearchObjectsInput extends DatabaseInput {
  @Text('Part of a name, or a glob such as order_*; default: everything', { maxLength: 200 }) pattern = '';

  @Field('Kinds of objects to find')
  @IsIn([...OBJECT_KINDS], { each: true })
  kinds: ObjectKind[] = ['schema', 'table', 'view', 'materialized_view', 'foreign_table'];

  @Text('Only in this schema; those of PostgreSQL itself are searched only where they are named', {
    optional: true,
    maxLength: MAX_OBJECT_NAME,
  })
  schema?: string;

  @OneOf(DETAILS, 'names; with comments (summary); with columns and row counts too (full)')
  detail: (typeof DETAILS)[number] = 'summary';

  @Text('next_cursor of an earlier page of the same search', { optional: true, maxLength: 4000 }) cursor?: string;
  @Integer('Most objects to return', { min: 1, max: 1000 }) limit = 100;
}

export class FoundDatabaseObject {
  @Text() schema!: string;
  @Text() name!: string;
  @OneOf(OBJECT_KINDS) kind!: ObjectKind;
  @Text('What it belongs to; of a function, its arguments', { optional: true }) detail?: string;
  @Text({ optional: true }) comment?: string;
  @Integer({ optional: true }) estimated_rows?: number;
  @TextList({ optional: true }) columns?: string[];
  @Integer('Columns that are not in columns', { optional: true }) columns_left_out?: number;
}

export class FoundObjects {
  @ListOf(() => FoundDatabaseObject, 'The best match first') objects!: FoundDatabaseObject[];
  @Text('There are more: pass it as cursor', { optional: true }) next_cursor?: string;
  @TextList('Names like the pattern, where nothing was found', { optional: true }) suggestions?: string[];
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
