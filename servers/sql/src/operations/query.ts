import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';

import type { Database } from '../database/database.ts';
import { read } from '../database/read.ts';
import { FORMAT_NAMES, type FormatName, type Row } from '../rows/format.ts';
import { Page } from '../rows/page.ts';
import { DatabaseInput } from './database-input.ts';
import { withSuggestions } from './suggestions.ts';

export class QueryInput extends DatabaseInput {
  @Field('One statement that reads: SELECT, VALUES, TABLE, WITH, SHOW or EXPLAIN')
  @IsString()
  sql!: string;

  @Field('Values of $1, $2 and so on, as text: PostgreSQL gives them the type the statement needs')
  @IsOptional()
  @IsString({ each: true })
  params?: (string | null)[];

  @Field('Most rows to return')
  @IsInt()
  @Min(1)
  @Max(10_000)
  max_rows = 100;

  @Field('Most bytes of rows to return')
  @IsInt()
  @Min(1024)
  @Max(1_572_864)
  max_bytes = 262_144;

  @Field('How the rows are written. In csv NULL is empty and the empty string is ""')
  @IsIn([...FORMAT_NAMES])
  format: FormatName = 'csv';

  @Field('Return the rows as structured content too')
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
}

/** What a query returned; its rows are in the text. */
export class QueryResult {
  @Field('In order', { type: () => ResultColumn })
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

  @Field('Rows that the planner expected of the whole statement')
  @IsOptional()
  @IsInt()
  estimate?: number;

  @IsInt()
  elapsed_ms!: number;

  @IsOptional()
  @IsString({ each: true })
  notices?: string[];

  @Field('With structured: arrays of values as PostgreSQL wrote them, or null')
  @IsOptional()
  @IsArray({ each: true })
  rows?: Row[];
}

/** The result, and its rows as text. */
export interface QueryAnswer {
  readonly result: QueryResult;
  readonly text: string;
  readonly format: FormatName;
}

/**
 * Runs one statement in a read-only transaction and returns its first rows.
 *
 * @throws ToolError READ_ONLY, SYNTAX, UNDEFINED_OBJECT, PERMISSION, TIMEOUT, LOCK_TIMEOUT, TOO_LARGE, CONNECTION, QUERY_FAILED
 */
export async function query(database: Database, input: QueryInput, context: RequestContext): Promise<QueryAnswer> {
  const { limits } = database;
  const maxRows = Math.min(input.max_rows, limits.maxRows);
  const maxBytes = Math.min(input.max_bytes, limits.maxBytes);
  const page = new Page({ maxRows, maxBytes, format: input.format, keepRows: input.structured });
  const timeoutMs = database.timeoutFor(input);
  const statement = { sql: input.sql, params: input.params ?? [], timeoutMs, maxRows, page };
  refuseNul(statement);
  const outcome = await withSuggestions(database, context, () => read(database, statement, context));
  const types = await database.columnTypes.of(outcome.fields, database, context.signal);
  const columns = outcome.fields.map(({ name }, index) => ({ name, type: types[index] ?? 'unknown' }));
  return {
    format: input.format,
    text: page.text(columns.map(({ name }) => name)),
    result: {
      columns,
      row_count: page.count,
      ...(page.truncated !== undefined && { truncated: page.truncated }),
      ...(page.cutValues > 0 && { truncated_values: page.cutValues }),
      ...(outcome.estimate !== undefined && { estimate: outcome.estimate }),
      elapsed_ms: outcome.elapsedMs,
      ...(outcome.notices.length > 0 && { notices: [...outcome.notices] }),
      ...(input.structured && { rows: page.rows }),
    },
  };
}

// The protocol ends its strings with NUL: what follows one would be read as something else.
function refuseNul({ sql, params }: { readonly sql: string; readonly params: readonly (string | null)[] }): void {
  if ([sql, ...params].some((text) => text?.includes('\0')))
    throw new ToolError('INVALID_ARGUMENTS', 'PostgreSQL does not take the character NUL, neither in statements nor in values');
}
