import { ToolError } from '@org/mcp-decorators';

import { withoutBlanks } from '../policy/blank.ts';
import { oneLine } from '../rows/shown-value.ts';
import { brokenConnection, refusedConnection } from './connection-failure.ts';

/** What PostgreSQL says of an error, as far as it did. */
interface Complaint {
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
  /** The function of PostgreSQL that complained. */
  readonly routine?: string | undefined;
}

/** Where in the statement something is. */
interface Position {
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

/** The code of a `ToolError` by SQLSTATE, or by its first two characters, the class. */
const CODES: Readonly<Record<string, string>> = {
  '08': 'CONNECTION',
  '22': 'QUERY_FAILED',
  '23': 'CONSTRAINT',
  '25001': 'READ_ONLY',
  '25006': 'READ_ONLY',
  '25P03': 'TIMEOUT',
  '25P04': 'TIMEOUT',
  '28': 'CONNECTION',
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

const HINTS: Readonly<Record<string, string>> = {
  INVALID_ARGUMENTS: 'params has a value, or null, for each of $1, $2 and so on',
  READ_ONLY: 'only reads are allowed: every statement runs in a read-only transaction that is rolled back',
  TIMEOUT:
    'narrow the statement, look at its plan with explain, or raise timeout_ms, up to the operator’s --timeout-ms, or --write-timeout-ms for what writes',
  OVERLOADED: 'try again later',
};

const EXCERPT = 120;
const DETAIL = 500;

/** An error of PostgreSQL or of the connection, as the model may see it; any other is returned as it is. */
export function failure(error: unknown, sql = ''): unknown {
  if (ToolError.is(error) || !(error instanceof Error)) return error;
  if (isComplaint(error)) return complaint(error, sql);
  return brokenConnection(error) ?? error;
}

export function timedOut(timeoutMs: number): ToolError {
  return new ToolError('TIMEOUT', `the statement ran longer than ${timeoutMs} ms and was stopped`, {
    hint: HINTS['TIMEOUT'] ?? '',
    data: { sqlstate: '57014', retryable: false },
  });
}

/** Creates the error for a call that ends although its statement still runs. */
export function stillRunning(): ToolError {
  return new ToolError(
    'TIMEOUT',
    'the statement was cancelled and its session terminated, but the database server is still computing',
    {
      hint: 'PostgreSQL does not interrupt a single expression, such as products of very long numbers; use double precision or fewer digits. The connection stays in use until the server has finished',
      data: { running: true, retryable: false },
    },
  );
}

/** The SQLSTATE of an error that PostgreSQL sent. */
export function sqlstateOf(error: unknown): string | undefined {
  return error instanceof Error && isComplaint(error) ? error.code : undefined;
}

/** There were too few or too many values: its SQLSTATE is that of a broken connection, though nothing is wrong with that. */
export function isMisbound(error: Error): boolean {
  return 'routine' in error && error.routine === 'exec_bind_message';
}

function complaint(error: Error & Complaint, sql: string): ToolError {
  const code = codeOf(error);
  if (code === 'CONNECTION') return refusedConnection(error, error.code);
  const position = positionOf(error.position, sql);
  const hint = error.hint === undefined ? HINTS[code] : oneLine(error.hint);
  const place = position === undefined ? '' : ` (line ${position.line}, column ${position.column}: ${oneLine(position.excerpt)})`;
  // It names the key or the row.
  const what = code === 'CONSTRAINT' && error.detail !== undefined ? `: ${error.detail.slice(0, DETAIL)}` : '';
  return new ToolError(code, `${oneLine(`${error.message}${what}`)}${place}`, {
    cause: error,
    ...(hint !== undefined && { hint }),
    data: {
      sqlstate: error.code,
      ...(error.detail !== undefined && { detail: error.detail }),
      ...(position !== undefined && { position }),
      ...objectOf(error),
      retryable: RETRYABLE.has(code) || CONFLICT.test(error.code),
    },
  });
}

function codeOf(error: Error & Complaint): string {
  const { code } = error;
  if (isMisbound(error)) return 'INVALID_ARGUMENTS';
  return CODES[code] ?? CODES[code.slice(0, 2)] ?? 'QUERY_FAILED';
}

const RETRYABLE = new Set(['LOCK_TIMEOUT', 'OVERLOADED']);
/** Transactions were in each other's way: a deadlock, or one that could not be serialized. */
const CONFLICT = /^40/;

/** What the error is about, where PostgreSQL names it by itself. */
function objectOf({ schema, table, column, dataType, constraint }: Complaint): { readonly object?: object } {
  const named = Object.entries({ schema, table, column, data_type: dataType, constraint }).filter(
    ([, name]) => name !== undefined,
  );
  return named.length === 0 ? {} : { object: Object.fromEntries(named) };
}

/** PostgreSQL counts characters from 1. */
function positionOf(position: string | undefined, sql: string): Position | undefined {
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
    excerpt: withoutBlanks(excerpt),
  };
}

function isComplaint(error: Error): error is Error & Complaint {
  return 'severity' in error && 'code' in error && typeof error.code === 'string' && error.code.length === 5;
}
