import type { Loss } from '@org/mcp-decorators';

import type { Connection } from '../../database/connect/connection.ts';
import type { WriteOptions } from '../../database/writer.ts';
import { limitAffected } from '../../../engine/limits.ts';
import type { WritePlan } from '../../../engine/writing.ts';
import { trimBlanks } from '../../../rows/blank.ts';
import type { Statement } from '../../policy/parse/syntax-tree.ts';
import { shortText } from '../../../rows/fit.ts';
import { rowsText, sizeText } from '../../../rows/size-text.ts';
import type { Row } from '../../../rows/format.ts';
import { findDependents } from './dependents.ts';
import { dryRunStatement, NO_DRY_RUN, type DryRun } from './dry-run.ts';
import { explainMissingPreview } from './effects/reached-effects.ts';
import { lintStatement } from './effects/lint.ts';
import { findTargets } from './effects/targets.ts';
import type { ParsedWrite } from './write-request.ts';
import { requireOwner } from './require-owner.ts';

/** Facts about a write that are known before the write runs, and that are compared with its effects. */
export interface PostgresPlan extends WritePlan {
  /** Number of rows that the statement would affect; `undefined` if no dry run counted the rows. */
  readonly affected: number | undefined;
  /** Relations that the statement works on; empty if a dry run counted the affected rows. */
  readonly targets: readonly TargetRelation[];
}

const MAX_LINES = 8;

/**
 * Plans a write. A statement that changes rows runs and is rolled back, if a rollback undoes all its effects. Any other statement
 * is only examined.
 *
 * @throws ToolError TOO_LARGE if the statement affects more than `maxAffected` rows; PERMISSION or CONSTRAINT if a statement
 * without a dry run cannot succeed; errors of `Writer.dryRun`
 */
export async function planWrite(write: ParsedWrite, options: WriteOptions): Promise<PostgresPlan> {
  const { affected, samples, rows, effects, returnedBytes } =
    write.kind === 'rows' ? await dryRunStatement(write, options) : NO_DRY_RUN;
  limitAffected(affected, write.maxAffected);
  const { targets, dependents } = affected === undefined ? await examine(write, options) : NOT_EXAMINED;
  const { id } = write.database;
  const { database } = await write.database.identity();
  return {
    affected,
    targets,
    state: JSON.stringify([id, database, affected ?? null, targets.map(({ oid }) => oid), effects, dependents]),
    loss: describeLoss(write, { affected, samples, rows, effects, returnedBytes, targets, dependents }),
  };
}

function describeLoss(write: ParsedWrite, found: DryRun & Examined): Loss {
  const { affected, samples, rows, effects, returnedBytes, targets, dependents } = found;
  const { lock, warnings: linted } = lintStatement(write.statement);
  const warnings = [...linted, ...warnAboutStore(write, returnedBytes)];
  const effect = affected === undefined ? '' : `, which affects ${rowsText(affected)},`;
  return {
    question: `Run this statement${effect} in ${write.database.id}?`,
    ...(isHarmless(write.statement) && { isHarmless: true }),
    lost: [
      ...(effects.length > 0 ? [explainMissingPreview(effects)] : []),
      ...warnings,
      ...dependents.map((name) => `also drops ${name}`),
      ...targets.map((target) => `on ${formatTarget(target)}`),
      ...formatStatementLines(write.sql.text),
      ...samples,
    ],
    forView: () => ({ rows }),
    facts: {
      committed: false,
      warnings,
      ...(affected !== undefined && { affected }),
      ...(dependents.length > 0 && { dependents }),
      ...(lock !== undefined && { lock }),
      ...(effects.length > 0 && { not_rehearsed: effects }),
    },
  };
}

function warnAboutStore({ maxStoredBytes }: ParsedWrite, bytes: number): readonly string[] {
  if (bytes <= maxStoredBytes) return [];
  const [returned, kept] = [sizeText(bytes), sizeText(maxStoredBytes)];
  return [
    `RETURNING returns ${returned}, and --max-stored-bytes keeps ${kept}: fetch_result will not read the rows that are not shown`,
  ];
}

/** Whether a statement loses no data, so that the question need not say that the statement cannot be undone. */
function isHarmless({ kind, fields }: Statement): boolean {
  return HARMLESS.has(kind) && fields['replace'] !== true;
}

const HARMLESS = new Set([
  'CommentStmt',
  'CompositeTypeStmt',
  'CreateEnumStmt',
  'CreateExtensionStmt',
  'CreateFunctionStmt',
  'CreateRangeStmt',
  'CreateSchemaStmt',
  'CreateSeqStmt',
  'CreateStatsStmt',
  'CreateStmt',
  'CreateTableAsStmt',
  'IndexStmt',
  'ReindexStmt',
  'VacuumStmt',
  'ViewStmt',
]);

/** Reads the facts about the relations that a statement works on, with the given connection. */
export async function readTargetsOn(connection: Connection, statement: Statement): Promise<readonly TargetRelation[]> {
  return (await connection.rows(TARGETS, [JSON.stringify(findTargets(statement))])).map(parseTarget);
}

/** The objects that a statement without a dry run works on. */
interface Examined {
  readonly targets: readonly TargetRelation[];
  /** The objects that a DROP removes together with the named relations or schemas. */
  readonly dependents: readonly string[];
}

const NOT_EXAMINED: Examined = { targets: [], dependents: [] };

/**
 * Finds the objects that a statement works on, without running the statement.
 *
 * @throws ToolError PERMISSION if the role does not own a relation; CONSTRAINT if other objects block a DROP
 */
function examine({ writer, statement }: ParsedWrite, options: WriteOptions): Promise<Examined> {
  return writer.dryRun(options, async (connection) => {
    await requireOwner(connection, statement);
    const dependents = await findDependents(connection, statement);
    return { targets: await readTargetsOn(connection, statement), dependents };
  });
}

function formatStatementLines(sql: string): readonly string[] {
  const lines = trimBlanks(sql).split(/\r?\n/);
  const more = lines.length - MAX_LINES;
  return [
    ...lines.slice(0, MAX_LINES).map((line) => `SQL: ${shortText(line)}`),
    ...(more > 0 ? [`SQL: … and ${more} more ${more === 1 ? 'line' : 'lines'}`] : []),
  ];
}

/** A relation that a statement works on. */
interface TargetRelation {
  readonly oid: string;
  readonly name: string;
  /** Number of rows that PostgreSQL estimates in `pg_class`; `undefined` without an estimate. */
  readonly rows: number | undefined;
  readonly bytes: number;
}

/** Finds the existing relations of a JSON array of names. */
const TARGETS = `
  select c.oid, c.oid::regclass, nullif(c.reltuples, -1)::bigint, pg_total_relation_size(c.oid)
  from json_array_elements_text($1::json) name join pg_class c on c.oid = to_regclass(name) order by c.oid`;

function parseTarget([oid, name, rows, bytes]: Row): TargetRelation {
  return {
    oid: oid ?? '',
    name: name ?? '',
    rows: rows === null || rows === undefined ? undefined : Number(rows),
    bytes: Number(bytes),
  };
}

function formatTarget({ name, rows, bytes }: TargetRelation): string {
  return `${name}: ${rows === undefined ? '' : `~${rows} rows, `}${sizeText(bytes)}`;
}
