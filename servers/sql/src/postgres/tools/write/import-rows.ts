import {
  confirm,
  confirmedResult,
  Field,
  staleConfirmation,
  Result,
  Text,
  TextList,
  ToolError,
  type Preview,
  type RequestContext,
} from '@org/mcp-decorators';
import { ArrayMaxSize } from 'class-validator/cjs/decorator/array/ArrayMaxSize.js';
import { ArrayMinSize } from 'class-validator/cjs/decorator/array/ArrayMinSize.js';
import { IsArray } from 'class-validator/cjs/decorator/typechecker/IsArray.js';

import { MAX_OBJECT_NAME } from '../../../catalog/object-name.ts';
import { CopyStatement } from '../../database/protocol/copy-statement.ts';
import { writeTimeoutFor } from '../../../engine/limits.ts';
import type { Database } from '../../database/database.ts';
import type { WriteOptions, Writer } from '../../database/writer.ts';
import { SendableSql } from '../../policy/parse/sendable-sql.ts';
import type { Row } from '../../../rows/format.ts';
import { oneLine } from '../../../rows/shown-value.ts';
import { rowsText } from '../../../rows/size-text.ts';
import { toTexts } from '../../../tools/params-field.ts';
import { ConfirmInput } from '../../../tools/write/confirm-input.ts';
import { explainMissingPreview } from './effects/reached-effects.ts';
import { EVENTS, type NamedRelation } from './effects/named-objects.ts';
import { findIrreversibleEffects } from './irreversible-effects.ts';
import { observeWrite, requireTable, requireWriter } from './write-request.ts';

const MAX_ROWS = 10_000;

export class ImportInput extends ConfirmInput {
  @Text('Table, with its schema or found by search_path', { maxLength: MAX_OBJECT_NAME }) table!: string;
  @TextList('Columns of the values, in the same order', { minItems: 1, maxLength: MAX_OBJECT_NAME }) columns!: string[];

  @Field('Each row is an array; objects and arrays in it are JSON')
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ROWS)
  @IsArray({ each: true })
  rows!: unknown[][];
}

/** Facts about an import, for programs: sent in `_meta`. */
export interface ImportedRows {
  readonly committed: true;
  /** Qualified name of the table, as SQL spells it. */
  readonly table: string;
  /** Number of added rows. */
  readonly rows: number;
}

/**
 * Adds rows to a table by COPY after a confirmation: all rows, or none if one is invalid.
 *
 * @throws ToolError READ_ONLY, UNDEFINED_OBJECT, POLICY_DENIED, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, PERMISSION, TIMEOUT,
 * LOCK_TIMEOUT, CONNECTION, OUTCOME_UNKNOWN, OVERLOADED; INVALID_ARGUMENTS, whose message has the index of the invalid row,
 * counted from 0; CONSTRAINT and QUERY_FAILED, whose messages have the number of the row, counted from 1
 */
export async function importRows(database: Database, input: ImportInput, context: RequestContext): Promise<Result> {
  return confirmedResult(await confirmImport(database, input, context), formatImport);
}

function formatImport(imported: ImportedRows): Result {
  const { table, rows } = imported;
  return Result.text(`${rowsText(rows)} added to ${oneLine(table)}, committed`, { facts: { ...imported } });
}

async function confirmImport(database: Database, input: ImportInput, context: RequestContext): Promise<ImportedRows | Preview> {
  const writer = requireWriter(database);
  const rows = input.rows.map((row, index) => requireRow(row, index, input.columns.length));
  const table = await requireTable(database, input.table, context);
  await database.policy.requireUnmaskedRelation(table, context.signal);
  const sql = `COPY ${table} (${input.columns.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ')}) FROM STDIN`;
  const copied = SendableSql.own(sql);
  const relation = {
    names: [table],
    uncertain: false,
    events: EVENTS.insert,
    defaults: true,
    given: input.columns,
    given_first: 0,
  };
  const call = { timeoutMs: writeTimeoutFor(database, input), sql, context };
  const { added, effects } = await observeWrite(database, call, (options) =>
    dryRunCopy(writer, options, { sql: copied, rows, relation }),
  );
  const loss = {
    question: `Add ${rowsText(added)} to ${table} in ${database.id}?`,
    lost: effects.length > 0 ? [explainMissingPreview(effects)] : [],
    facts: { committed: false, rows: added, ...(effects.length > 0 && { not_rehearsed: effects }) },
  };
  const state = JSON.stringify([database.id, (await database.identity()).database, table, added, effects]);
  const preview = await confirm({ input, context, loss, state, subject: 'the database' });
  if (preview !== undefined) return preview;
  return observeWrite(database, call, (options) =>
    writer.commit(options, async (connection) => {
      const copy = new CopyStatement(copied, rows);
      await connection.read(copy).catch(rethrowWithRow);
      if (effects.length === 0 && copy.affected !== added)
        throw staleConfirmation('the database', { expected: added, actual: copy.affected });
      return { committed: true, table, rows: copy.affected ?? rows.length };
    }),
  );
}

interface Copy {
  readonly sql: SendableSql;
  readonly rows: readonly Row[];
  readonly relation: NamedRelation;
}

/**
 * Copies the rows and rolls back. If a rollback may not undo all effects, the rows are not copied, and `added` is the number of
 * given rows.
 */
async function dryRunCopy(
  writer: Writer,
  options: WriteOptions,
  { sql, rows, relation }: Copy,
): Promise<{ readonly added: number; readonly effects: readonly string[] }> {
  const copy = new CopyStatement(sql, rows);
  const effects = await writer.dryRun(options, async (connection) => {
    const found = await findIrreversibleEffects(connection, { relations: [relation], calls: [], secrets: [] }, sql);
    if (found.length === 0) await connection.read(copy).catch(rethrowWithRow);
    return found;
  });
  return { added: copy.affected ?? rows.length, effects };
}

function requireRow(row: readonly unknown[], index: number, length: number): Row {
  if (row.length !== length)
    throw new ToolError('INVALID_ARGUMENTS', `rows[${index}] must be an array with one element for each column (${length})`);
  const texts = toTexts(row);
  if (texts.every((text) => text?.includes('\0') !== true)) return texts;
  throw new ToolError('INVALID_ARGUMENTS', `rows[${index}] contains a text with the character NUL`);
}

/** Adds the row number to an error of COPY, and throws the error. PostgreSQL reports the row as a line number. */
function rethrowWithRow(error: unknown): never {
  const where = error instanceof Error && 'where' in error ? String(error.where) : '';
  const line = /^COPY .*, line (\d+)/m.exec(where)?.[1];
  if (line !== undefined && error instanceof Error) error.message = `row ${line}: ${error.message}`;
  throw error;
}
