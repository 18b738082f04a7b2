import { ToolError, type Loss, type RequestContext } from '@org/mcp-decorators';

import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { sqlstateOf } from '../database/failures.ts';
import type { WriteOptions, Writer } from '../database/writer.ts';
import { WriteStatement } from '../database/write-statement.ts';
import { withoutBlanks } from '../policy/blank.ts';
import type { SendableSql } from '../policy/sendable-sql.ts';
import type { Statement } from '../policy/syntax-tree.ts';
import type { Row } from '../rows/format.ts';
import { shownValue } from '../rows/shown-value.ts';
import { rowsText } from '../rows/size-text.ts';
import { lint } from '../write/lint.ts';
import { TARGETS, targetIn, targetText, type Target } from '../write/relations.ts';
import { targetsOf } from '../write/targets.ts';
import type { WriteKind } from '../write/write-kind.ts';

/** A statement that is to change a database. */
export interface Write {
  readonly database: Database;
  readonly writer: Writer;
  readonly statement: Statement;
  readonly kind: WriteKind;
  readonly sql: SendableSql;
  readonly params: readonly (string | null)[];
  readonly maxAffected: number | undefined;
  readonly context: RequestContext;
}

/** What a write would do. */
export interface WritePlan {
  readonly loss: Loss;
  /** What the user's decision rests on. */
  readonly state: string;
  /** Rows that it would affect, where it was tried. */
  readonly affected: number | undefined;
  /** What it works on, where it was only looked at. */
  readonly targets: readonly Target[];
}

const MAX_SAMPLES = 5;
const MAX_LINES = 8;
const MAX_SHOWN = 200;

/**
 * Says what a write would do: one that changes rows is run, and rolled back; any other is looked at.
 *
 * @throws ToolError those of `Writer.rehearse`, and TOO_LARGE if it affects more than it may
 */
export async function planWrite(write: Write, options: WriteOptions): Promise<WritePlan> {
  const { affected, samples } = write.kind === 'rows' ? await rehearse(write, options) : { affected: undefined, samples: [] };
  const targets = write.kind === 'rows' ? [] : await targetsFor(write);
  const { lock, warnings } = lint(write.statement);
  const { id } = write.database;
  const effect = affected === undefined ? '' : `, which affects ${rowsText(affected)}`;
  return {
    affected,
    targets,
    state: JSON.stringify([id, (await write.database.identity()).database, affected ?? null, targets.map(({ oid }) => oid)]),
    loss: {
      question: `Run this in ${id}${effect}?`,
      lost: [
        ...warnings,
        ...targets.map((target) => `on ${targetText(target)}`),
        ...statementLines(write.sql.text),
        ...samples.map((sample) => `row: ${sample}`),
      ],
      facts: { committed: false, warnings, ...(affected !== undefined && { affected }), ...(lock !== undefined && { lock }) },
    },
  };
}

/** The relations that a statement works on, as they are for this connection. */
export async function targetsOn(connection: Connection, statement: Statement): Promise<readonly Target[]> {
  return (await connection.rows(TARGETS, [JSON.stringify(targetsOf(statement))])).map(targetIn);
}

/** @throws ToolError TOO_LARGE */
export function requireFew(affected: number | undefined, maxAffected: number | undefined): void {
  if (affected === undefined || maxAffected === undefined || affected <= maxAffected) return;
  throw new ToolError('TOO_LARGE', `it affects ${affected} rows, more than max_affected`, {
    hint: 'narrow it, or raise max_affected',
    data: { affected, max_affected: maxAffected, committed: false },
  });
}

async function targetsFor({ database, statement, context }: Write): Promise<readonly Target[]> {
  return (await database.rows(TARGETS, [JSON.stringify(targetsOf(statement))], context)).map(targetIn);
}

interface Rehearsal {
  readonly affected: number | undefined;
  readonly samples: readonly string[];
}

async function rehearse(write: Write, options: WriteOptions): Promise<Rehearsal> {
  const found = await rehearseAs(write, options, returningAll(write)).catch((error: unknown) => {
    if (returningAll(write) === write.sql || !cannotReturn(error)) throw error;
    return rehearseAs(write, options, write.sql);
  });
  requireFew(found.affected, write.maxAffected);
  return found;
}

async function rehearseAs({ writer, params }: Write, options: WriteOptions, sql: SendableSql): Promise<Rehearsal> {
  const rows: Row[] = [];
  const onRow = (row: Row): void => void (rows.length < MAX_SAMPLES && rows.push(row));
  const statement = new WriteStatement({ sql, params, onRow });
  await writer.rehearse(options, (connection) => connection.read(statement));
  const names = statement.fields.map(({ name }) => name);
  return { affected: statement.affected, samples: rows.map((row) => sampleText(names, row)) };
}

/** The same statement, so that it tells which rows it affects; positions in it stay what they are. */
function returningAll({ sql, statement: { kind, fields } }: Write): SendableSql {
  return !RETURNING.has(kind) || 'returningList' in fields || 'returningClause' in fields ? sql : sql.between('', 'RETURNING *');
}

const RETURNING = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

/** The role may not read what it may write, or a view or an older server has no RETURNING. */
function cannotReturn(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const state = sqlstateOf(cause instanceof ToolError ? cause.cause : cause) ?? sqlstateOf(error);
  return state === '42501' || state === '0A000' || state === '42601';
}

function sampleText(names: readonly string[], row: Row): string {
  return cut(row.map((value, index) => `${names[index] ?? ''}=${shownValue(value).text ?? 'NULL'}`).join(', '));
}

function statementLines(sql: string): readonly string[] {
  const lines = withoutBlanks(sql).split(/\r?\n/);
  const more = lines.length - MAX_LINES;
  return [
    ...lines.slice(0, MAX_LINES).map((line) => `SQL: ${cut(line)}`),
    ...(more > 0 ? [`SQL: … and ${more} more lines`] : []),
  ];
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… [${text.length} characters]` : text;
}
