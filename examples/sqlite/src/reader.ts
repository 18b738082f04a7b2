// The program of a process that reads a database. The server ends the process to cancel a statement, because no thread can
// interrupt a statement.
import { Worker } from 'node:worker_threads';

import {
  type DatabaseSyncInstance as Database,
  DatabaseSync,
  type StatementSyncInstance as Statement,
} from '@photostructure/sqlite';

import { authorize } from './authorizer.js';
import { prepareSole } from './sole-statement.js';
import { type Value, fromText, measure, toText } from './values.js';

/** A statement to run, or a request for the next rows of the statement. */
export type ReaderRequest =
  | { readonly kind: 'run'; readonly sql: string; readonly params: readonly (string | null)[]; readonly limit: number }
  | { readonly kind: 'next' };

/** Rows of a statement. A small result has one batch, so that no lock remains while the server is busy. */
export interface RowBatch {
  /** The columns of the rows. Like `placeholders`, only in the first batch of a statement. */
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly placeholders?: number;
  readonly rows: readonly (readonly (string | null)[])[];
  readonly isLast: boolean;
}

export type ReaderReply = RowBatch | { readonly code: number; readonly message: string };

/** Maximum memory of SQLite, in bytes. */
const MAX_MEMORY = 268_435_456;
/** Maximum size of a value and of a row, in bytes. */
const MAX_BYTES = 16_777_216;
const MAX_PLACEHOLDERS = 1000;
/** Time that a statement waits for the lock of another process, in ms. */
const LOCK_MS = 3000;
/** Maximum numbers of rows and characters of one batch. The last row may exceed the number of characters. */
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 65_536;
/** Code of SQLite for more values than placeholders. */
const SQLITE_RANGE = 25;

// This thread ends the process when standard input closes. Standard input closes when the server ends, even if the server was
// killed. The main thread would notice this only after the running statement.
new Worker("new (require('node:net').Socket)({ fd: 0 }).resume().on('close', () => process.kill(process.pid, 'SIGKILL'))", {
  eval: true,
});

let connection: Database | undefined;
/** The statement and its remaining rows. Keeps the statement in memory while rows remain, because the library does not. */
let running: { readonly statement?: Statement; readonly rows: IterableIterator<Value[]> } = { rows: [].values() };
/** Number of rows that the caller still accepts. */
let left = 0;

process.on('message', (request: ReaderRequest) => process.send?.(answer(request)));

function connect(): Database {
  const limits = { length: MAX_BYTES, variableNumber: MAX_PLACEHOLDERS, attach: 0 };
  const options = { readOnly: true, defensive: true, timeout: LOCK_MS, returnArrays: true, readBigInts: true, limits };
  const database = new DatabaseSync(process.argv[2] ?? '', options);
  database.exec(`PRAGMA hard_heap_limit = ${MAX_MEMORY}`);
  database.setAuthorizer(authorize);
  return database;
}

function answer(request: ReaderRequest): ReaderReply {
  try {
    return request.kind === 'next' ? readRows() : run(request);
  } catch (error) {
    // Without this call, the statement would keep its lock.
    running.rows.return?.();
    const { errcode = 0, message = String(error) } = error as { errcode?: number; message?: string };
    return { code: errcode, message };
  }
}

function run({ sql, params, limit }: Extract<ReaderRequest, { kind: 'run' }>): RowBatch {
  connection ??= connect();
  const statement = prepareSole(connection, sql);
  const columns = statement.columns().map(({ name, type }) => ({ name, type: type ?? 'ANY' }));
  const placeholders = countPlaceholders(statement);
  left = limit;
  if (limit === 0) return { columns, placeholders, rows: [], isLast: true };
  if (params.length !== placeholders)
    throw new Error(`the statement has ${placeholders} placeholders, but params has ${params.length} values`);
  running = { statement, rows: statement.iterate(...params.map(fromText)) };
  return { columns, placeholders, ...readRows() };
}

/** Counts the placeholders, because SQLite would use NULL for a missing value. @throws Error for placeholders with names */
function countPlaceholders(statement: Statement): number {
  const values: number[] = [];
  try {
    for (;;) {
      statement.iterate(...values, 0);
      values.push(0);
    }
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQLITE_RANGE) throw error;
  }
  const countNulls = (text = ''): number => text.split('NULL').length;
  if (countNulls(statement.sourceSQL) !== countNulls(statement.expandedSQL))
    throw new Error('the statement has placeholders with names');
  return values.length;
}

function readRows(): RowBatch {
  const batch: (string | null)[][] = [];
  for (let characters = 0; batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS && left > 0; left -= 1) {
    const found = running.rows.next();
    if (found.done === true) return { rows: batch, isLast: true };
    const bytes = measure(found.value);
    if (bytes > MAX_BYTES) throw new Error(`a row has ${bytes} bytes`);
    const row = found.value.map(toText);
    batch.push(row);
    characters += row.reduce((sum, value) => sum + (value?.length ?? 0), 0);
  }
  if (left === 0) running.rows.return?.();
  return { rows: batch, isLast: left === 0 };
}
