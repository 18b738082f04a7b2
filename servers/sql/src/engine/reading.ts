import type { Row } from '../rows/format.ts';

/** A column of a result. */
export interface ResultColumn {
  readonly name: string;
  /** Name of the type, such as `numeric(10,2)`. */
  readonly type: string;
  /** Whether values may be NULL. */
  readonly nullable?: boolean;
}

/** The columns of a result, whose types are read on request. */
export interface ResultHeader {
  /** The names of the columns, in order. */
  readonly names: readonly string[];
  /**
   * Reads the types of the columns, in the order of `names`.
   *
   * @param options.isRunning whether the statement of the result still runs, so its connection cannot be used. Default: false
   */
  describe(options: { readonly signal: AbortSignal; readonly isRunning?: boolean }): Promise<readonly ResultColumn[]>;
}

/** Receives the first rows of a statement. */
export interface RowSink {
  /** The limit that was reached; `undefined` while the sink accepts rows. */
  readonly truncated: 'rows' | 'bytes' | undefined;
  /** Adds a row. Returns `false` if the row was not added. */
  add(row: Row): boolean;
}

/** Receives all rows of a statement. An error of the sink ends the statement, and the call rejects with that error. */
export interface StreamSink {
  /** The database stops sending rows until this promise settles; `undefined` while the sink accepts more rows. */
  readonly busy: Promise<unknown> | undefined;
  /** Called before the first row, and again if the statement runs a second time. */
  columns(header: ResultHeader): void;
  /** Takes `count` rows in the format of `encodeRow`. The buffer is not changed after the call. */
  rows(encoded: Buffer, count: number): void;
  /**
   * Takes a line of CSV; the first line has the names of the columns. Called instead of `rows` if `asCsv` is set and the database
   * writes CSV itself.
   */
  line(bytes: Uint8Array): void;
  /** Takes a notice of the database server. */
  notice(text: string): void;
}

/** One statement that reads. */
export interface ReadStatement {
  readonly sql: string;
  /** The values of the placeholders, in order; `null` is NULL. */
  readonly params: readonly (string | null)[];
  /** Timeout of the statement, in ms. */
  readonly timeoutMs: number;
}

/** One statement that reads, and the sink for its first rows. */
export interface ReadQuery extends ReadStatement {
  /**
   * Maximum number of rows that the page accepts. If the statement has more rows, the database adds one more row, which the page
   * rejects. Without this row, the page does not report that rows are missing.
   */
  readonly maxRows: number;
  readonly page: RowSink;
}

/** Result of a statement without its rows, which the sink receives. */
export interface ReadOutcome {
  readonly header: ResultHeader;
  readonly notices: readonly string[];
  readonly elapsedMs: number;
  /** Number of rows that the database estimated; absent without an estimate. */
  readonly estimate?: number | undefined;
}

/** One statement whose rows are all read. */
export interface StreamedStatement extends ReadStatement {
  /** Whether the database may write CSV itself. If the database does so, the sink receives lines instead of rows. */
  readonly asCsv?: boolean;
  /** Cancels the statement. Default: the signal of the call. */
  readonly signal?: AbortSignal;
}

/** A type of values that a placeholder of a statement accepts. */
export interface ParameterType {
  /** Name of the type, such as `timestamp with time zone`. */
  readonly name: string;
  /** JSON Schema of the values. */
  readonly schema: ValueSchema;
  /**
   * Converts a value that matches the schema to the text of a parameter. `undefined` becomes NULL. `null` becomes NULL, too,
   * unless `null` is a value of the type, as in JSON.
   */
  format(value: unknown): string | null;
}

/** Keywords of the JSON Schema of a value. */
export type ValueSchema = { readonly [keyword: string]: SchemaValue };

type SchemaValue = string | number | boolean | null | readonly SchemaValue[] | { readonly [keyword: string]: SchemaValue };

/** The description of a statement that was parsed, but not run. */
export interface StatementDescription {
  /** The types of the placeholders, in order. */
  readonly parameters: readonly ParameterType[];
  /** The columns of the result. `labels` lists all values that a column can have, such as the values of an enum. */
  readonly columns: readonly (ResultColumn & { readonly labels?: readonly string[] | undefined })[];
}
