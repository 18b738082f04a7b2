import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';

import type { Fields } from '../database/column-types.ts';
import type { Database } from '../database/database.ts';
import { FORMAT_NAMES, type FormatName, type Row } from '../rows/format.ts';
import { Page } from '../rows/page.ts';
import { DatabaseInput } from './database-input.ts';

/** How many rows are wanted at once, and how they are written. */
export class RowsInput extends DatabaseInput {
  @Field('Most rows to return')
  @IsInt()
  @Min(1)
  @Max(10_000)
  max_rows = 100;

  @Field('Most bytes of rows to return')
  @IsInt()
  @Min(1024)
  @Max(8_388_608)
  max_bytes = 262_144;

  @Field('Of the rows. In csv NULL is empty and the empty string is ""')
  @IsIn([...FORMAT_NAMES])
  format: FormatName = 'csv';

  @Field('Return rows as structured content too')
  @IsBoolean()
  structured = false;
}

/** A column of a result. */
export class ResultColumn {
  @IsString()
  name!: string;

  @Field('As PostgreSQL calls it')
  @IsString()
  type!: string;

  @Field('Whether it may be NULL')
  @IsOptional()
  @IsBoolean()
  nullable?: boolean;
}

/** What makes a column NULL that its table does not. */
const MAKES_NULLS = /\b(?:left|right|full|grouping|rollup|cube|union|intersect|except)\b/i;

/** Some rows of a result; they are in the text. */
export class RowsPage {
  @Field({ type: () => ResultColumn })
  @ValidateNested({ each: true })
  columns!: ResultColumn[];

  @Field('Rows returned')
  @IsInt()
  row_count!: number;

  @Field('Why there are more rows than returned: rows (max_rows) or bytes (max_bytes)')
  @IsOptional()
  @IsIn(['rows', 'bytes'])
  truncated?: 'rows' | 'bytes';

  @Field('Values that were cut because they are longer than 4 KiB')
  @IsOptional()
  @IsInt()
  truncated_values?: number;

  @Field('Rows of the whole result, once it is kept')
  @IsOptional()
  @IsInt()
  total_rows?: number;

  @Field('For fetch_result and export')
  @IsOptional()
  @IsString()
  handle?: string;

  @Field('When the handle expires, unless it is used')
  @IsOptional()
  @IsString()
  expires_at?: string;

  @Field('With structured: arrays of values as PostgreSQL wrote them, or null')
  @IsOptional()
  @IsArray({ each: true })
  rows?: Row[];
}

/** A page as a plain object. */
type PageFacts = Pick<RowsPage, keyof RowsPage>;

/** What was found, and its rows as text. */
export interface RowsAnswer<Found extends RowsPage> {
  readonly result: Found;
  readonly text: string;
  readonly format: FormatName;
}

/** An empty page as an input asks for it, within the operator's limits. */
export function pageFor({ limits }: Database, input: RowsInput): Page {
  return new Page({
    maxRows: Math.min(input.max_rows, limits.maxRows),
    maxBytes: Math.min(input.max_bytes, limits.maxBytes),
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

/** What a page says of itself. */
export function factsOf(page: Page, columns: ResultColumn[], { structured }: RowsInput): PageFacts {
  const facts: PageFacts = { columns, row_count: page.count };
  if (page.truncated !== undefined) facts.truncated = page.truncated;
  if (page.cutValues > 0) facts.truncated_values = page.cutValues;
  if (structured) facts.rows = page.rows;
  return facts;
}

/** The protocol ends its strings with NUL: what follows one would be read as something else. @throws ToolError INVALID_ARGUMENTS */
export function refuseNul({ sql, params }: { readonly sql: string; readonly params: readonly (string | null)[] }): void {
  if ([sql, ...params].some((text) => text?.includes('\0')))
    throw new ToolError('INVALID_ARGUMENTS', 'PostgreSQL does not take the character NUL, neither in statements nor in values');
}
