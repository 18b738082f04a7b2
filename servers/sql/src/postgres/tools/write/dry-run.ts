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
  /** Number of rows that the statement would affect; `undefined` if the statement did not run. */
  readonly affected: number | undefined;
  /** At most five of the affected rows, such as `row: count=1 → 11, id=1`. */
  readonly samples: readonly string[];
  /** Effects that a rollback may not undo; if the list is not empty, the statement did not run. */
  readonly effects: readonly string[];
  /** Size of the rows that the statement returns; 0 if only the dry run added the RETURNING clause. */
  readonly returnedBytes: number;
}

export const NO_DRY_RUN: DryRun = { affected: undefined, samples: [], effects: [], returnedBytes: 0 };

const MAX_SAMPLES = 5;

/** A statement as the dry run sends it, and how a returned row is shown. */
interface Sampling {
  readonly sql: SendableSql;
  readonly formatRow: (names: readonly string[], row: Row) => string;
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

async function dryRunAs(write: ParsedWrite, options: WriteOptions, { sql, formatRow }: Sampling): Promise<DryRun> {
  const { writer, statement, params } = write;
  const rows: Row[] = [];
  let bytes = 0;
  const onRow = (row: Row): void => {
    if (rows.length < MAX_SAMPLES) rows.push(row);
    bytes += measureRow(row);
  };
  const run = new WriteStatement({ sql, params, onRow });
  const effects = await writer.dryRun(options, async (connection) => {
    const found = await findIrreversibleEffects(connection, findNamedObjects(statement), sql);
    if (found.length === 0) await connection.read(run);
    return found;
  });
  if (effects.length > 0) return { ...NO_DRY_RUN, effects };
  const names = run.fields.map(({ name }) => name);
  const samples = rows.map((row) => formatRow(names, row));
  return { affected: run.affected, samples, effects, returnedBytes: sql === write.sql ? bytes : 0 };
}

/** Returns the ways to see the affected rows, the most informative first. The next one is tried if PostgreSQL rejects one. */
function listSamplings({ sql, statement: { kind, fields } }: ParsedWrite, version: number): readonly [Sampling, ...Sampling[]] {
  const own = { sql, formatRow: formatNewRow };
  if (!RETURNING.has(kind) || 'returningList' in fields || 'returningClause' in fields) return [own];
  // The clause is added at the end, so that error positions do not change.
  const all = { sql: sql.between('', 'RETURNING *'), formatRow: formatNewRow };
  const canCompare = version >= FIRST_WITH_OLD_ROWS && (CHANGING.has(kind) || 'onConflictClause' in fields);
  return canCompare ? [{ sql: sql.between('', OLD_AND_NEW), formatRow: formatChangedRow }, all, own] : [all, own];
}

const RETURNING = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

/** Statements that change rows, or may do so. */
const CHANGING = new Set(['UpdateStmt', 'MergeStmt']);

const FIRST_WITH_OLD_ROWS = 180_000;

/** Returns the columns of a row before the statement, then the same columns afterwards. The names exist in no statement by chance. */
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

function formatNewRow(names: readonly string[], row: Row): string {
  return formatRow('row', names, row);
}

/** Shows the changed columns first, each with its old and its new value. */
function formatChangedRow(names: readonly string[], row: Row): string {
  const count = names.length / 2;
  const [before, after] = [row.slice(0, count), row.slice(count)];
  if (before.every((value) => value === null)) return formatRow('new row', names, after);
  if (after.every((value) => value === null)) return formatRow('deleted row', names, before);
  const values = after.map((value, index) => {
    const [old, now] = [formatValue(before[index]), formatValue(value)];
    const isChanged = value !== before[index];
    return { isChanged, text: `${names[index] ?? ''}=${isChanged ? `${old} → ${now}` : now}` };
  });
  const sorted = [...values.filter(({ isChanged }) => isChanged), ...values.filter(({ isChanged }) => !isChanged)];
  return `row: ${shortText(sorted.map(({ text }) => text).join(', '))}`;
}

function formatRow(label: string, names: readonly string[], row: Row): string {
  return `${label}: ${shortText(row.map((value, index) => `${names[index] ?? ''}=${formatValue(value)}`).join(', '))}`;
}

function formatValue(value: Row[number] | undefined): string {
  return shownValue(value ?? null).text ?? 'NULL';
}
