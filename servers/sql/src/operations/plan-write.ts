import { ToolError, type Loss, type RequestContext } from '@org/mcp-decorators';

import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { WriteOptions, Writer } from '../database/writer.ts';
import { withoutBlanks } from '../policy/blank.ts';
import type { SendableSql } from '../policy/sendable-sql.ts';
import type { Statement } from '../policy/syntax-tree.ts';
import { shortText } from '../rows/short-text.ts';
import { rowsText, sizeText } from '../rows/size-text.ts';
import type { Spool } from '../spool/spool.ts';
import { unrehearsedText } from '../write/effects.ts';
import { lint } from '../write/lint.ts';
import { TARGETS, targetIn, targetText, type Target } from '../write/relations.ts';
import { targetsOf } from '../write/targets.ts';
import type { WriteKind } from '../write/write-kind.ts';
import { rehearse, type Rehearsal } from './rehearse.ts';

/** A statement that is to change a database. */
export interface Write {
  readonly database: Database;
  /** Keeps the rows that the statement returns, if a result has no room for them. */
  readonly spool: Spool;
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
  /** Number of rows that the statement would affect; `undefined` if there was no rehearsal. */
  readonly affected: number | undefined;
  /** Target relations; empty after a rehearsal. */
  readonly targets: readonly Target[];
}

const MAX_LINES = 8;

const NOT_REHEARSED: Rehearsal = { affected: undefined, samples: [], effects: [], returnedBytes: 0 };

/**
 * Plans a write. A statement that changes rows runs and is rolled back, if a rollback undoes all its effects. Any other statement
 * is only examined.
 *
 * @throws ToolError errors of `Writer.rehearse`, and TOO_LARGE if the statement affects more than `maxAffected` rows
 */
export async function planWrite(write: Write, options: WriteOptions): Promise<WritePlan> {
  const { affected, samples, effects, returnedBytes } = write.kind === 'rows' ? await rehearse(write, options) : NOT_REHEARSED;
  requireFew(affected, write.maxAffected);
  const targets = affected === undefined ? await targetsFor(write) : [];
  const { lock, warnings: found } = lint(write.statement);
  const warnings = [...found, ...spoolWarning(write, returnedBytes)];
  const { id } = write.database;
  const effect = affected === undefined ? '' : `, which affects ${rowsText(affected)}`;
  const { database } = await write.database.identity();
  return {
    affected,
    targets,
    state: JSON.stringify([id, database, affected ?? null, targets.map(({ oid }) => oid), effects]),
    loss: {
      question: `Run this in ${id}${effect}?`,
      lost: [
        ...(effects.length > 0 ? [unrehearsedText(effects)] : []),
        ...warnings,
        ...targets.map((target) => `on ${targetText(target)}`),
        ...statementLines(write.sql.text),
        ...samples.map((sample) => `row: ${sample}`),
      ],
      facts: {
        committed: false,
        warnings,
        ...(affected !== undefined && { affected }),
        ...(lock !== undefined && { lock }),
        ...(effects.length > 0 && { not_rehearsed: effects }),
      },
    },
  };
}

function spoolWarning({ spool }: Write, bytes: number): readonly string[] {
  if (bytes <= spool.maxBytes) return [];
  const [returned, kept] = [sizeText(bytes), sizeText(spool.maxBytes)];
  return [`RETURNING returns ${returned}, and --max-spool keeps ${kept}: fetch_result will not read the rows that are not shown`];
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

function statementLines(sql: string): readonly string[] {
  const lines = withoutBlanks(sql).split(/\r?\n/);
  const more = lines.length - MAX_LINES;
  return [
    ...lines.slice(0, MAX_LINES).map((line) => `SQL: ${shortText(line)}`),
    ...(more > 0 ? [`SQL: … and ${more} more lines`] : []),
  ];
}
