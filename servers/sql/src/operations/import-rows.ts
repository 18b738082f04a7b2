import { confirm, Field, outdated, Text, TextList, ToolError, type Preview, type RequestContext } from '@org/mcp-decorators';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';

import { CopyStatement } from '../database/copy-statement.ts';
import { MAX_OBJECT_NAME } from '../catalog/object-name.ts';
import type { Database } from '../database/database.ts';
import type { WriteOptions, Writer } from '../database/writer.ts';
import { SendableSql } from '../policy/sendable-sql.ts';
import type { Row } from '../rows/format.ts';
import { rowsText } from '../rows/size-text.ts';
import { unrehearsedText } from '../write/effects.ts';
import { EVENTS, type NamedRelation } from '../write/named.ts';
import { ConfirmInput } from './confirm-input.ts';
import { requireWriter } from './execute.ts';
import { irreversibleEffects } from './irreversible-effects.ts';
import { observedWrite } from './observed-write.ts';
import { requireTable } from './require-table.ts';

const MAX_ROWS = 10_000;

export class ImportInput extends ConfirmInput {
  @Text('With its schema, or found on the search path', { maxLength: MAX_OBJECT_NAME }) table!: string;
  @TextList('Columns that values are given for, in their order', { minItems: 1, maxLength: MAX_OBJECT_NAME }) columns!: string[];

  @Field('Arrays of values as text, or null')
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ROWS)
  @IsArray({ each: true })
  rows!: (string | null)[][];
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
 * Adds rows to a table by COPY, all of them or none, once that is confirmed.
 *
 * @throws ToolError READ_ONLY, UNDEFINED_OBJECT, INVALID_ARGUMENTS, CONSTRAINT, PERMISSION, QUERY_FAILED, each with the row at
 * fault in its message, counted from 1; CONFIRMATION_REQUIRED, PRECONDITION_FAILED, TIMEOUT, LOCK_TIMEOUT, CONNECTION, OUTCOME_UNKNOWN, OVERLOADED
 */
export async function importRows(
  database: Database,
  input: ImportInput,
  context: RequestContext,
): Promise<ImportedRows | Preview> {
  const writer = requireWriter(database);
  const rows = input.rows.map((row, index) => requireRow(row, index, input.columns.length));
  const table = await requireTable(database, input.table, context);
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
  const call = { input, sql, context };
  const { added, effects } = await observedWrite(database, call, (options) =>
    rehearse(writer, options, { sql: copied, rows, relation }),
  );
  const loss = {
    question: `Add ${rowsText(added)} to ${table} in ${database.id}?`,
    lost: effects.length > 0 ? [unrehearsedText(effects)] : [],
    facts: { committed: false, rows: added, ...(effects.length > 0 && { not_rehearsed: effects }) },
  };
  const state = JSON.stringify([database.id, (await database.identity()).database, table, added, effects]);
  const preview = await confirm({ input, context, loss, state, subject: 'the database' });
  if (preview !== undefined) return preview;
  return observedWrite(database, call, (options) =>
    writer.commit(options, async (connection) => {
      const copy = new CopyStatement(copied, rows);
      await connection.read(copy).catch(atRow);
      if (effects.length === 0 && copy.affected !== added)
        throw outdated('the database', { expected: added, actual: copy.affected });
      return { committed: true, table, rows: copy.affected ?? rows.length };
    }),
  );
}

interface Copy {
  readonly sql: SendableSql;
  readonly rows: readonly Row[];
  readonly relation: NamedRelation;
}

/** Inserts the rows and rolls back, if a rollback undoes all effects. */
async function rehearse(
  writer: Writer,
  options: WriteOptions,
  { sql, rows, relation }: Copy,
): Promise<{ readonly added: number; readonly effects: readonly string[] }> {
  const copy = new CopyStatement(sql, rows);
  const effects = await writer.rehearse(options, async (connection) => {
    const found = await irreversibleEffects(connection, { relations: [relation], calls: [], secrets: [] }, sql);
    if (found.length === 0) await connection.read(copy).catch(atRow);
    return found;
  });
  return { added: copy.affected ?? rows.length, effects };
}

function requireRow(row: readonly unknown[], index: number, length: number): Row {
  const isText = (value: unknown): value is string | null =>
    value === null || (typeof value === 'string' && !value.includes('\0'));
  if (row.length === length && row.every(isText)) return row;
  throw new ToolError('INVALID_ARGUMENTS', `rows[${index}] is not an array of ${length} texts, without NUL, or nulls`);
}

/** PostgreSQL names the line of what was copied; ours are rows. */
function atRow(error: unknown): never {
  const where = error instanceof Error && 'where' in error ? String(error.where) : '';
  const line = /^COPY .*, line (\d+)/m.exec(where)?.[1];
  if (line !== undefined && error instanceof Error) error.message = `row ${line}: ${error.message}`;
  throw error;
}
