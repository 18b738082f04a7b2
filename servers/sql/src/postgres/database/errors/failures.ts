import { isNativeError } from 'node:util/types';

import { ToolError } from '@org/mcp-decorators';

import { timeoutError } from '../../../engine/errors.ts';
import { trimBlanks } from '../../../rows/blank.ts';
import { oneLine } from '../../../rows/shown-value.ts';
import { findDialectHint } from './dialect-hints.ts';
import { connectionErrorFromNetwork, connectionErrorFromSqlstate } from './connection-failure.ts';

/** Fields of an error that PostgreSQL sent. PostgreSQL omits fields that do not apply. */
interface PostgresError {
  readonly message: string;
  readonly code: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
  readonly position?: string | undefined;
  readonly schema?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly dataType?: string | undefined;
  readonly constraint?: string | undefined;
  /** The function in PostgreSQL's source code that raised the error. */
  readonly routine?: string | undefined;
}

/** A place in the statement. Line and column count from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

/** Code of the `ToolError`, keyed by SQLSTATE or by its class (the first two characters). */
const CODES: Readonly<Record<string, string>> = {
  '08': 'CONNECTION',
  '22': 'QUERY_FAILED',
  '23': 'CONSTRAINT',
  '25001': 'READ_ONLY',
  '25006': 'READ_ONLY',
  '25P03': 'TIMEOUT',
  '25P04': 'TIMEOUT',
  '28': 'CONNECTION',
  '2BP01': 'CONSTRAINT',
  '2D000': 'READ_ONLY',
  '3D': 'CONNECTION',
  '3F000': 'UNDEFINED_OBJECT',
  '42': 'SYNTAX',
  '42501': 'PERMISSION',
  '42703': 'UNDEFINED_OBJECT',
  '42704': 'UNDEFINED_OBJECT',
  '42883': 'UNDEFINED_OBJECT',
  '42P01': 'UNDEFINED_OBJECT',
  '53': 'OVERLOADED',
  '53300': 'CONNECTION',
  '53200': 'TOO_LARGE',
  '54': 'TOO_LARGE',
  '55P03': 'LOCK_TIMEOUT',
  '57': 'CONNECTION',
  '57014': 'CANCELLED',
};

const TIMEOUT_HINT =
  'narrow the statement, look at its plan with explain, or raise timeout_ms, up to the operator’s --statement-timeout, or --write-timeout for statements that write';

const HINTS: Readonly<Record<string, string>> = {
  INVALID_ARGUMENTS: 'params must have a value, or null, for each of $1, $2 and so on',
  READ_ONLY: 'only reads are allowed: every statement runs in a read-only transaction that is rolled back',
  TIMEOUT: TIMEOUT_HINT,
  OVERLOADED: 'try again later',
};

const QUERY_CANCELED = '57014';
/**
 * Share of the timeout after which a cancelled statement counts as timed out. PostgreSQL measures a timeout by the time of day.
 * If the time of day is adjusted, a timeout may end early by the clock of this process.
 */
const EARLIEST_TIMEOUT = 0.95;

const EXCERPT = 120;
const DETAIL = 500;

/** Converts an error of PostgreSQL or of the connection to a `ToolError`, which the model may see. Returns any other error unchanged. */
export function translateError(error: unknown, sql = ''): unknown {
  if (ToolError.is(error) || !isNativeError(error)) return error;
  if (isPostgresError(error)) return translatePostgresError(error, sql);
  return connectionErrorFromNetwork(error) ?? error;
}

/** A statement that failed. */
interface FailedStatement {
  readonly sql: string | undefined;
  /** `performance.now()` before the statement was sent. */
  readonly startedAt: number;
  readonly timeoutMs: number;
}

/**
 * Converts the error of a statement with a timeout as `translateError` does. PostgreSQL reports a timeout and a cancel request with
 * the same SQLSTATE, so a statement that was cancelled at the end of its timeout counts as timed out.
 */
export function translateStatementError(error: unknown, { sql, startedAt, timeoutMs }: FailedStatement): unknown {
  const isLate = performance.now() - startedAt >= timeoutMs * EARLIEST_TIMEOUT;
  return isLate && getSqlstate(error) === QUERY_CANCELED ? statementTimeoutError(timeoutMs) : translateError(error, sql);
}

export function statementTimeoutError(timeoutMs: number): ToolError {
  return timeoutError(timeoutMs, { hint: TIMEOUT_HINT, data: { sqlstate: QUERY_CANCELED } });
}

/** Creates the error for a call that ends although its statement still runs. */
export function stillRunningError(): ToolError {
  return new ToolError(
    'TIMEOUT',
    'the statement was cancelled and its session terminated, but the database server is still computing',
    {
      hint: 'PostgreSQL does not interrupt a single expression, such as products of very long numbers; use double precision or fewer digits. The connection stays in use until the server has finished',
      data: { running: true, retryable: false },
    },
  );
}

/** Returns the SQLSTATE of an error that PostgreSQL sent, or `undefined` for any other error. */
export function getSqlstate(error: unknown): string | undefined {
  return error instanceof Error && isPostgresError(error) ? error.code : undefined;
}

/**
 * Returns true if the number of parameters is wrong. PostgreSQL reports a wrong number with the SQLSTATE of a protocol violation,
 * so the routine that raised the error is compared.
 */
export function isParameterCountError(error: Error): boolean {
  return 'routine' in error && error.routine === 'exec_bind_message';
}

function translatePostgresError(error: Error & PostgresError, sql: string): ToolError {
  const code = chooseCode(error);
  if (code === 'CONNECTION') return connectionErrorFromSqlstate(error, error.code);
  const position = locatePosition(error.position, sql);
  const hint = chooseHint(error, { code, sql });
  const place = position === undefined ? '' : ` (line ${position.line}, column ${position.column}: ${oneLine(position.excerpt)})`;
  // The message contains the detail, because the detail names the key, the row, or the mistake in a value.
  const what = error.detail === undefined ? '' : `: ${error.detail.slice(0, DETAIL)}`;
  return new ToolError(code, `${oneLine(`${error.message}${what}`)}${place}`, {
    cause: error,
    ...(hint !== undefined && { hint }),
    data: {
      sqlstate: error.code,
      ...(error.detail !== undefined && { detail: error.detail }),
      ...(position !== undefined && { position }),
      ...pickNamedObject(error),
      retryable: RETRYABLE.has(code) || CONFLICT.test(error.code),
    },
  });
}

function chooseHint({ message, hint }: Error & PostgresError, { code, sql }: { code: string; sql: string }): string | undefined {
  const dialect = CODES_OF_DIALECT.has(code) ? findDialectHint(message, sql) : undefined;
  return dialect ?? (hint === undefined ? HINTS[code] : oneLine(hint));
}

function chooseCode(error: Error & PostgresError): string {
  const { code } = error;
  if (isParameterCountError(error)) return 'INVALID_ARGUMENTS';
  return CODES[code] ?? CODES[code.slice(0, 2)] ?? 'QUERY_FAILED';
}

/** Codes of a `ToolError` for which a hint about another dialect of SQL is searched. */
const CODES_OF_DIALECT = new Set(['SYNTAX', 'UNDEFINED_OBJECT']);
const RETRYABLE = new Set(['LOCK_TIMEOUT', 'OVERLOADED']);
/** Pattern of the SQLSTATEs for deadlocks and serialization failures. */
const CONFLICT = /^40/;

/** Returns the object that the error is about, if PostgreSQL names the object. */
function pickNamedObject({ schema, table, column, dataType, constraint }: PostgresError): { readonly object?: object } {
  const named = Object.entries({ schema, table, column, data_type: dataType, constraint }).filter(
    ([, name]) => name !== undefined,
  );
  return named.length === 0 ? {} : { object: Object.fromEntries(named) };
}

/**
 * Converts PostgreSQL's position, which counts characters from 1, to a line, a column and an excerpt. Returns `undefined` if the
 * position or the statement is missing.
 */
function locatePosition(position: string | undefined, sql: string): Position | undefined {
  if (position === undefined || sql === '') return undefined;
  const before = Array.from(sql)
    .slice(0, Number(position) - 1)
    .join('');
  const start = before.lastIndexOf('\n') + 1;
  const [rest = ''] = sql.slice(before.length).split('\n', 1);
  const excerpt = (before.slice(start).slice(-EXCERPT / 2) + rest).slice(0, EXCERPT);
  return {
    line: before.split('\n').length,
    column: Array.from(before.slice(start)).length + 1,
    excerpt: trimBlanks(excerpt),
  };
}

function isPostgresError(error: Error): error is Error & PostgresError {
  return 'severity' in error && 'code' in error && typeof error.code === 'string' && error.code.length === 5;
}
