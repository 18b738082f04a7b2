import { Flag, Integer, OneOf, ToolError, type RequestContext } from '@org/mcp-decorators';

import type { Fields } from '../database/column-types.ts';
import type { Database } from '../database/database.ts';
import { FORMAT_NAMES, type FormatName, type Row } from '../rows/format.ts';
import { Page, type Truncation } from '../rows/page.ts';
import { DatabaseInput } from './database-input.ts';

/** How many rows are wanted at once, and how they are written. */
export class RowsInput extends DatabaseInput {
  @Integer('Most rows to return', { min: 1, max: 10_000 }) max_rows = 100;
  @OneOf(FORMAT_NAMES, 'Of the rows. In csv NULL is empty and the empty string is ""') format: FormatName = 'csv';
  @Flag('Send everything as structured content too, for programs') structured = false;
}

/** A column of a result. */
export interface ResultColumn {
  readonly name: string;
  /** As PostgreSQL writes the type, such as `numeric(10,2)`. */
  readonly type: string;
  /** Whether values may be NULL. */
  readonly nullable?: boolean;
}

/** What makes a column NULL that its table does not; RETURNING may name the old row of an INSERT. */
const MAKES_NULLS = /\b(?:returning|left|right|full|grouping|rollup|cube|union|intersect|except)\b/i;

/** Facts about some rows of a result, for programs: sent in `_meta`, or as structured content with the rows. */
export interface RowsPage {
  /** Absent if the columns alone exceed the limit of a result. */
  columns?: readonly ResultColumn[];
  /** Number of columns that are absent from `columns`. */
  columns_omitted?: number;
  /** Number of rows returned. */
  row_count: number;
  /** The limit because of which rows are missing. */
  truncated?: Truncation;
  /** Number of values that are cut because of their length. */
  truncated_values?: number;
  /** Number of rows of a kept result. */
  total_rows?: number;
  /** Handle for `fetch_result` and `export`. */
  handle?: string;
  /** ISO 8601 time at which the handle expires, unless it is used. */
  expires_at?: string;
  /** Offset for `fetch_result`, if the handle has more rows; absent if the first of them is too long for a result. */
  next_offset?: number;
  /** The rows, with `structured`: values as PostgreSQL wrote them, or null. */
  rows?: Row[];
}

/** Which large parts facts contain. */
export interface FactsForm {
  readonly columns: boolean;
  readonly rows: boolean;
}

/** A page of rows that may still become shorter, and facts about it. */
export interface RowsAnswer<Found extends object> {
  readonly page: Page;
  readonly columns: readonly ResultColumn[];
  readonly format: FormatName;
  /** Whether the caller requests structured content. */
  readonly structured: boolean;
  /** Maximum number of bytes of each part of the result. */
  readonly maxBytes: number;
  /** Returns the facts about the rows that the page has now. */
  readonly facts: (form: FactsForm) => Found;
}

/** How a tool returns rows. */
export type RowsForm = Pick<RowsInput, 'max_rows' | 'format' | 'structured'>;

/** An empty page as an input asks for it, within the operator's limits. */
export function pageFor({ limits }: Database, input: RowsForm): Page {
  return new Page({
    maxRows: Math.min(input.max_rows, limits.maxRows),
    maxBytes: limits.maxBytes,
    format: input.format,
    keepRows: input.structured,
  });
}

/** The columns of a result; whether they may be NULL is told by the statement. */
export async function columnsOf(
  fields: Fields,
  database: Database,
  { signal }: RequestContext,
  { sql, connected }: { readonly sql: string; readonly connected?: boolean },
): Promise<ResultColumn[]> {
  const facts = await database.columnTypes.of(fields, database, { signal, ...(connected !== undefined && { connected }) });
  const isMixed = MAKES_NULLS.test(sql);
  return fields.map(({ name }, index) => {
    const { type = 'unknown', notNull = false } = facts[index] ?? {};
    return { name, type, nullable: isMixed || !notNull };
  });
}

/** Returns what a page says of itself. */
export function factsOf(page: Page, columns: readonly ResultColumn[], form: FactsForm): RowsPage {
  const facts: RowsPage = { ...(form.columns ? { columns } : { columns_omitted: columns.length }), row_count: page.count };
  if (page.truncated !== undefined) facts.truncated = page.truncated;
  if (page.cutValues > 0) facts.truncated_values = page.cutValues;
  if (form.rows) facts.rows = page.rows;
  return facts;
}

/** Returns where the next page begins, if it can begin after the rows of this page. */
export function nextOffset(page: Page, offset = 0): Pick<RowsPage, 'next_offset'> {
  return page.truncated === undefined || page.count === 0 ? {} : { next_offset: offset + page.count };
}

/** The protocol ends its strings with NUL: what follows one would be read as something else. @throws ToolError INVALID_ARGUMENTS */
export function refuseNul({ sql, params }: { readonly sql: string; readonly params: readonly (string | null)[] }): void {
  if ([sql, ...params].some((text) => text?.includes('\0')))
    throw new ToolError('INVALID_ARGUMENTS', 'PostgreSQL does not take the character NUL, neither in statements nor in values');
}
