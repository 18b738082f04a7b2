import { ToolError } from '@org/mcp-decorators';

import { measureRow } from '../../../rows/encoded-rows.ts';
import { shortText } from '../../../rows/fit.ts';
import type { Row } from '../../../rows/format.ts';
import { shownValue } from '../../../rows/shown-value.ts';
import { getSqlstate } from '../../database/errors/failures.ts';
import { WriteStatement } from '../../database/protocol/write-statement.ts';
import type { WriteOptions } from '../../database/writer.ts';
import type { SendableSql } from '../../policy/parse/sendable-sql.ts';
import { findNamedObjects } from './effects/named-objects.ts';
import { findIrreversibleEffects } from './irreversible-effects.ts';
import type { ParsedWrite } from './write-request.ts';

/** Result of a dry run. */
export interface DryRun {
  /** Number of rows that the statement would change, or that a SELECT would return; `undefined` if the statement did not run. */
  readonly affected: number | undefined;
  /** At most five of the affected rows, such as `row: count=1 → 11, id=1`. */
  readonly samples: readonly string[];
  /** The first affected rows, for the view of the statement. */
  readonly rows: readonly AffectedRow[];
  /** Effects that a rollback may not undo; if the list is not empty, the statement did not run. */
  readonly effects: readonly string[];
  /** Size in bytes of the rows that the statement returns; 0 if only the dry run added the RETURNING clause. */
  readonly returnedBytes: number;
}

/** A row that a statement would affect. */
export interface AffectedRow {
  readonly change: 'changed' | 'new' | 'deleted' | 'affected';
  readonly columns: readonly string[];
  /** Values before the statement; present only for a changed row. */
  readonly before?: Row;
  /** Values after the statement; of a deleted row, the values before the statement. */
  readonly values: Row;
}

export const NO_DRY_RUN: DryRun = { affected: undefined, samples: [], rows: [], effects: [], returnedBytes: 0 };

const MAX_SAMPLES = 5;
/** Maximum number of rows for the view, and maximum size of these rows in bytes. The first five rows may be larger. */
const MAX_ROWS = 200;
const MAX_BYTES = 524_288;

/** A statement as the dry run sends it, and the function that converts a returned row. */
interface Sampling {
  readonly sql: SendableSql;
  readonly readRow: (names: readonly string[], row: Row) => AffectedRow;
}

/**
 * Runs a statement that changes rows and rolls it back, if a rollback undoes all its effects.
 *
 * @throws ToolError errors of `Writer.dryRun`
 */
export async function dryRunStatement(write: ParsedWrite, options: WriteOptions): Promise<DryRun> {
  const { version } = await write.database.capabilities();
  const [first, ...others] = listSamplings(write, version);
  return others.reduce(
    (run, sampling) =>
      run.catch((error: unknown) => {
        if (!cannotReturn(error)) throw error;
        return dryRunAs(write, options, sampling);
      }),
    dryRunAs(write, options, first),
  );
}

async function dryRunAs(write: ParsedWrite, options: WriteOptions, { sql, readRow }: Sampling): Promise<DryRun> {
  const { writer, statement, params } = write;
  const rows: Row[] = [];
  let bytes = 0;
  const onRow = (row: Row): void => {
    bytes += measureRow(row);
    if (rows.length < MAX_SAMPLES || (rows.length < MAX_ROWS && bytes <= MAX_BYTES)) rows.push(row);
  };
  const run = new WriteStatement({ sql, params, onRow });
  const effects = await writer.dryRun(options, async (connection) => {
    const found = await findIrreversibleEffects(connection, findNamedObjects(statement), sql);
    if (found.length === 0) await connection.read(run);
    return found;
  });
  if (effects.length > 0) return { ...NO_DRY_RUN, effects };
  const names = run.fields.map(({ name }) => name);
  const affected = rows.map((row) => readRow(names, row));
  const samples = affected.slice(0, MAX_SAMPLES).map((row) => formatAffected(row));
  const returnedBytes = sql === write.sql ? bytes : 0;
  return { affected: run.affected, samples, rows: affected, effects, returnedBytes };
}

/**
 * Returns the variants of a statement that return the affected rows, the most informative first. If PostgreSQL rejects a variant,
 * the next variant is tried.
 */
function listSamplings({ sql, statement: { kind, fields } }: ParsedWrite, version: number): readonly [Sampling, ...Sampling[]] {
  const own = { sql, readRow: readNewRow };
  if (!RETURNING.has(kind) || 'returningList' in fields || 'returningClause' in fields) return [own];
  // The clause is added at the end, so that error positions do not change.
  const all = { sql: sql.between('', 'RETURNING *'), readRow: readNewRow };
  const canCompare = version >= FIRST_WITH_OLD_ROWS && (CHANGING.has(kind) || 'onConflictClause' in fields);
  return canCompare ? [{ sql: sql.between('', OLD_AND_NEW), readRow: readChangedRow }, all, own] : [all, own];
}

const RETURNING = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

/** Kinds of statements that can update existing rows. INSERT can do so only with ON CONFLICT. */
const CHANGING = new Set(['UpdateStmt', 'MergeStmt']);

const FIRST_WITH_OLD_ROWS = 180_000;

/**
 * Clause that returns the columns of a row before the statement, then after it. The names contain a space, so it is unlikely that
 * the statement uses them.
 */
const OLD_AND_NEW = 'RETURNING WITH (OLD AS "row before", NEW AS "row after") "row before".*, "row after".*';

/**
 * Whether an error may come from the added RETURNING clause: the role may lack SELECT, or a view or an older server may not support
 * the clause.
 */
function cannotReturn(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const state = getSqlstate(cause instanceof ToolError ? cause.cause : cause) ?? getSqlstate(error);
  return state === '42501' || state === '0A000' || state === '42601';
}

function readNewRow(columns: readonly string[], values: Row): AffectedRow {
  return { change: 'affected', columns, values };
}

/** Reads a row of the columns before and after a statement. */
function readChangedRow(names: readonly string[], row: Row): AffectedRow {
  const count = names.length / 2;
  const columns = names.slice(0, count);
  const [before, values] = [row.slice(0, count), row.slice(count)];
  if (before.every((value) => value === null)) return { change: 'new', columns, values };
  if (values.every((value) => value === null)) return { change: 'deleted', columns, values: before };
  return { change: 'changed', columns, before, values };
}

const LABELS = { changed: 'row', new: 'new row', deleted: 'deleted row', affected: 'row' } as const;

/** Writes the values of a row. The changed columns come first, each with its old and its new value. */
function formatAffected({ change, columns, before, values }: AffectedRow): string {
  const written = values.map((value, index) => {
    const now = formatValue(value);
    const isChanged = before !== undefined && value !== before[index];
    return { isChanged, text: `${columns[index] ?? ''}=${isChanged ? `${formatValue(before[index])} → ${now}` : now}` };
  });
  const sorted = [...written.filter(({ isChanged }) => isChanged), ...written.filter(({ isChanged }) => !isChanged)];
  return `${LABELS[change]}: ${shortText(sorted.map(({ text }) => text).join(', '))}`;
}

function formatValue(value: Row[number] | undefined): string {
  return shownValue(value ?? null).text ?? 'NULL';
}
