import { ToolError } from '@org/mcp-decorators';

import { sqlstateOf } from '../database/failures.ts';
import { WriteStatement } from '../database/write-statement.ts';
import type { WriteOptions } from '../database/writer.ts';
import type { SendableSql } from '../policy/sendable-sql.ts';
import type { Row } from '../rows/format.ts';
import { shortText } from '../rows/short-text.ts';
import { sentBytes } from '../rows/sent-rows.ts';
import { shownValue } from '../rows/shown-value.ts';
import { namedIn } from '../write/named.ts';
import { irreversibleEffects } from './irreversible-effects.ts';
import type { Write } from './plan-write.ts';

/** Result of a rehearsal. */
export interface Rehearsal {
  /** Number of rows that the statement would affect; `undefined` if it did not run. */
  readonly affected: number | undefined;
  /** Some of the affected rows. */
  readonly samples: readonly string[];
  /** Effects that a rollback may not undo; if there are any, the statement did not run. */
  readonly effects: readonly string[];
  /** Bytes of the rows that the statement itself returns. */
  readonly returnedBytes: number;
}

const MAX_SAMPLES = 5;

/**
 * Runs a statement that changes rows and rolls it back, if a rollback undoes all its effects.
 *
 * @throws ToolError errors of `Writer.rehearse`
 */
export async function rehearse(write: Write, options: WriteOptions): Promise<Rehearsal> {
  const returning = returningAll(write);
  return rehearseAs(write, options, returning).catch((error: unknown) => {
    if (returning === write.sql || !cannotReturn(error)) throw error;
    return rehearseAs(write, options, write.sql);
  });
}

async function rehearseAs(write: Write, options: WriteOptions, sql: SendableSql): Promise<Rehearsal> {
  const { writer, statement, params } = write;
  const rows: Row[] = [];
  let bytes = 0;
  const onRow = (row: Row): void => {
    if (rows.length < MAX_SAMPLES) rows.push(row);
    bytes += sentBytes(row);
  };
  const run = new WriteStatement({ sql, params, onRow });
  const effects = await writer.rehearse(options, async (connection) => {
    const found = await irreversibleEffects(connection, namedIn(statement), sql);
    if (found.length === 0) await connection.read(run);
    return found;
  });
  if (effects.length > 0) return { affected: undefined, samples: [], effects, returnedBytes: 0 };
  const names = run.fields.map(({ name }) => name);
  const samples = rows.map((row) => sampleText(names, row));
  return { affected: run.affected, samples, effects, returnedBytes: sql === write.sql ? bytes : 0 };
}

/** Adds a RETURNING clause at the end, so that error positions do not change. */
function returningAll({ sql, statement: { kind, fields } }: Write): SendableSql {
  return !RETURNING.has(kind) || 'returningList' in fields || 'returningClause' in fields ? sql : sql.between('', 'RETURNING *');
}

const RETURNING = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

/** Whether RETURNING failed: the role may lack SELECT, or a view or an older server may not support the clause. */
function cannotReturn(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const state = sqlstateOf(cause instanceof ToolError ? cause.cause : cause) ?? sqlstateOf(error);
  return state === '42501' || state === '0A000' || state === '42601';
}

function sampleText(names: readonly string[], row: Row): string {
  return shortText(row.map((value, index) => `${names[index] ?? ''}=${shownValue(value).text ?? 'NULL'}`).join(', '));
}
