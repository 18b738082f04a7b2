import { Flag, Integer, OneOf, type RequestContext } from '@org/mcp-decorators';

import type { ResultColumn } from '../../engine/reading.ts';
import type { SqlDatabase } from '../../engine/sql-database.ts';
import { FORMAT_NAMES, type FormatName, type Row } from '../../rows/format.ts';
import { Page, type Truncation } from '../../rows/page.ts';
import { DatabaseField, TimeoutField } from '../database-input.ts';

/** The parameters of tools that return rows. */
export class RowsInput {
  @DatabaseField() database?: string;
  @TimeoutField() timeout_ms?: number;
  @Integer('Maximum number of rows', { min: 1, max: 10_000 }) max_rows = 100;
  @OneOf(FORMAT_NAMES, 'Output format of the rows. In csv NULL is empty and the empty string is ""')
  format: FormatName = 'csv';
  @Flag('Also return structured content, for programs') structured = false;
}

/** Facts about a page of rows, for programs. They are sent in `_meta`, or as structured content together with the rows. */
export interface RowsPage {
  /** Absent if the columns alone exceed the limit of a result. */
  columns?: readonly ResultColumn[];
  /** Number of columns of the result; present only if `columns` is absent. */
  columns_omitted?: number;
  /** Number of rows returned. */
  row_count: number;
  /** The limit because of which rows are missing; absent if no rows are missing. */
  truncated?: Truncation;
  /** Number of values that are cut because of their length; absent if no value is cut. */
  truncated_values?: number;
  /**
   * Number of rows of a stored result, or of all rows that a writing statement returned. Absent while the statement of a stored
   * result still runs.
   */
  total_rows?: number;
  /** Handle for `fetch_result` and `export`. */
  handle?: string;
  /** ISO 8601 time at which the handle expires, unless it is used. */
  expires_at?: string;
  /**
   * Offset of the next page for `fetch_result`. Absent if no rows remain, if the rows are not stored, or if the next row is too
   * long for a result.
   */
  next_offset?: number;
  /** The rows, present only in structured content. Each value is text as the database formats it, or null. */
  rows?: Row[];
}

/** Which optional parts the facts include. Without `columns`, the facts contain only the number of columns. */
export interface FactsForm {
  readonly columns: boolean;
  readonly rows: boolean;
}

/** A page of rows that may still become shorter, and what a result needs besides the page. */
export interface RowsAnswer<Found extends object> {
  readonly page: Page;
  readonly columns: readonly ResultColumn[];
  readonly format: FormatName;
  /** Whether the caller requests structured content. */
  readonly structured: boolean;
  /** Maximum number of bytes of each part of a result: text, structured content and `_meta`. */
  readonly maxBytes: number;
  /** Returns the facts about the rows that the page contains at the time of the call. */
  readonly facts: (form: FactsForm) => Found;
}

/** The form in which a tool returns rows. */
export type RowsForm = Pick<RowsInput, 'max_rows' | 'format' | 'structured'>;

/** Maximum number of bytes of the rows as text that the view of a result also gets as values. */
export const MAX_VIEWED_BYTES = 2_097_152;

/** Creates an empty page with the limits of the input and of the operator. */
export function createPage(
  { limits }: Pick<SqlDatabase, 'limits'>,
  input: RowsForm,
  { viewsShown }: Pick<RequestContext, 'viewsShown'>,
): Page {
  return new Page({
    maxRows: Math.min(input.max_rows, limits.maxRows),
    maxBytes: limits.maxBytes,
    format: input.format,
    keepRows: input.structured,
    maxViewedBytes: viewsShown ? MAX_VIEWED_BYTES : 0,
  });
}

/** Returns the facts about a page. */
export function pageFacts(page: Page, columns: readonly ResultColumn[], form: FactsForm): RowsPage {
  const facts: RowsPage = { ...(form.columns ? { columns } : { columns_omitted: columns.length }), row_count: page.count };
  if (page.truncated !== undefined) facts.truncated = page.truncated;
  if (page.cutValues > 0) facts.truncated_values = page.cutValues;
  if (form.rows) facts.rows = page.rows;
  return facts;
}

/** Returns the offset of the next page. Returns an empty object if no rows remain, or if this page has no rows. */
export function nextOffset(page: Page, offset = 0): Pick<RowsPage, 'next_offset'> {
  return page.truncated === undefined || page.count === 0 ? {} : { next_offset: offset + page.count };
}
