import {
  Field,
  Integer,
  ListOf,
  OneOf,
  openCursor,
  Result,
  sealCursor,
  Text,
  TextList,
  type RequestContext,
} from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';
import { IsIn } from 'class-validator/cjs/decorator/common/IsIn.js';

import { findNearestObjects } from '../../catalog/nearest-objects.ts';
import { DETAILS, OBJECT_KINDS, type FoundObject, type ObjectKind } from '../../catalog/found-object.ts';
import { MAX_OBJECT_NAME, quoteName } from '../../catalog/object-name.ts';
import type { SqlDatabase } from '../../engine/sql-database.ts';
import { oneLine } from '../../rows/shown-value.ts';
import { DatabaseInput } from '../database-input.ts';
import { formatComment } from './description-text.ts';

export class SearchObjectsInput extends DatabaseInput {
  @Text('Part of a name or comment, or a glob such as order_*; default: everything', { maxLength: 200 }) pattern = '';

  @Field('Kinds of objects to find')
  @IsIn([...OBJECT_KINDS], { each: true })
  kinds: ObjectKind[] = ['schema', 'table', 'view', 'materialized_view', 'foreign_table'];

  @Text('Restrict to this schema; system schemas only if named here', {
    optional: true,
    maxLength: MAX_OBJECT_NAME,
  })
  schema?: string;

  @OneOf(DETAILS, 'summary: with comments; full: with columns and row counts too')
  detail: (typeof DETAILS)[number] = 'summary';

  @Text('next_cursor of the previous page of the same search', { optional: true, maxLength: 4000 }) cursor?: string;
  @Integer('Maximum number of objects', { min: 1, max: 1000 }) limit = 100;
}

export class DatabaseObject {
  @Text() schema!: string;
  @Text() name!: string;
  @OneOf(OBJECT_KINDS) kind!: ObjectKind;
  @Text('Table, type of a column, signature of a function', { optional: true }) detail?: string;
  @Text({ optional: true }) comment?: string;
  @Integer({ optional: true }) estimated_rows?: number;
  @TextList({ optional: true }) columns?: string[];
  @Integer({ optional: true }) columns_left_out?: number;
}

export class DatabaseObjects {
  @ListOf(() => DatabaseObject, 'Objects, best match first') objects!: DatabaseObject[];
  @Text('More objects exist: pass this as cursor', { optional: true }) next_cursor?: string;
  @TextList('Similar names, if nothing was found', { optional: true }) suggestions?: string[];
}

/** @throws ToolError INVALID_ARGUMENTS for an invalid cursor, and errors of the database */
export async function searchObjects(database: SqlDatabase, input: SearchObjectsInput, context: RequestContext): Promise<Result> {
  const found = await sealCursor(await findObjects(database, await openCursor(input, context), context), context);
  return Result.of(found, formatObjects(found));
}

async function findObjects(database: SqlDatabase, input: SearchObjectsInput, context: RequestContext): Promise<DatabaseObjects> {
  const { pattern, kinds, schema, limit, detail, cursor } = input;
  // One object more than the limit shows whether more exist.
  const found = await database.search({ pattern, kinds, schema, limit: limit + 1, detail, cursor }, context);
  const wanted = pattern === '' ? schema : pattern;
  const suggestions = found.length === 0 && wanted !== undefined ? findNearestObjects(await database.names(context), wanted) : [];
  const { maxBytes } = database.limits;
  const known = found.filter(({ kind }) => parseKind(kind) !== undefined);
  const objects = known.slice(0, limit).flatMap((each) => toDatabaseObject(each, maxBytes / 2));
  const shown = takeFittingItems(objects, maxBytes);
  const last = known.length > shown.length ? known[shown.length - 1] : undefined;
  return {
    objects: shown,
    ...(last !== undefined && { next_cursor: last.cursor }),
    ...(suggestions.length > 0 && { suggestions: [...suggestions] }),
  };
}

function parseKind(text: string): ObjectKind | undefined {
  return OBJECT_KINDS.find((known) => known === text);
}

/** Converts a found object; returns an empty list for an unknown kind. @param maxBytes maximum size of the list of columns */
function toDatabaseObject(found: FoundObject, maxBytes: number): DatabaseObject[] {
  const { schema, name, detail, comment, estimatedRows } = found;
  const kind = parseKind(found.kind);
  if (kind === undefined) return [];
  const columns = takeFittingItems(found.columns, maxBytes);
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

function formatObjects({ objects, next_cursor, suggestions }: DatabaseObjects): string {
  const lines = objects.map((object) => oneLine(formatObject(object)));
  if (objects.length === 0) lines.push('No objects match');
  if (suggestions !== undefined) lines.push(oneLine(`Did you mean ${suggestions.join(', ')}?`));
  if (next_cursor !== undefined) lines.push(`[More objects exist: narrow the pattern, or continue with cursor ${next_cursor}.]`);
  return lines.join('\n');
}

function formatObject(object: DatabaseObject): string {
  const { schema, name, kind, detail, comment, estimated_rows: rows, columns, columns_left_out } = object;
  const qualified = kind === 'schema' ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;
  const signature = detail === undefined ? '' : ` ${detail}`;
  const rest = columns_left_out === undefined ? '' : `, … ${columns_left_out} more: kinds: ["column"] lists them`;
  const about = `${rows === undefined ? '' : `, ~${rows} rows`}${columns === undefined ? '' : ` (${columns.join(', ')}${rest})`}`;
  return `${kind} ${qualified}${signature}${about}${formatComment(comment)}`;
}
