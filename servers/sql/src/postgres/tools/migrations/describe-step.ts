import { OneOf, Text, TextList } from '@org/mcp-decorators';

import { cutText } from '../../../rows/fit.ts';
import { rowsText, sizeText } from '../../../rows/size-text.ts';
import { getSqlstate, translateError } from '../../database/errors/failures.ts';
import type { TableSize } from '../../rehearsal/read-copy.ts';
import type { CopiedRelation } from '../../rehearsal/rehearsal-database.ts';
import type { CheckedRows, RehearsedStatement } from '../../rehearsal/rehearse.ts';
import { describeLock } from '../write/effects/lint.ts';
import type { ParsedStatement } from './parse-migration.ts';

const OUTCOMES = ['succeeds', 'fails', 'unknown'] as const;

/** The result of the rehearsal of one statement. */
export class RehearsedStep {
  @Text('Cut to 200 bytes') sql!: string;
  @OneOf(OUTCOMES, 'unknown: rows could not be checked') outcome!: (typeof OUTCOMES)[number];
  @TextList('Why the statement fails, or could fail') reasons!: string[];
  @TextList('Table locks, and their effects on other sessions') locks!: string[];
  @TextList('Tables, indexes and views that are rewritten, dropped or created') changes!: string[];
}

type Sizes = ReadonlyMap<string, TableSize>;

/** Describes what a statement did in the copy, and what it would do in the database. */
export function describeStep(done: RehearsedStatement, parsed: ParsedStatement, sizes: Sizes): RehearsedStep {
  const failures = listFailures(done);
  const unknown = done.checks.flatMap(describeUnchecked);
  return {
    sql: cutText(parsed.text.replaceAll(/[ \t\r\n]+/g, ' '), MAX_TEXT_BYTES),
    outcome: failures.length > 0 ? 'fails' : unknown.length > 0 ? 'unknown' : 'succeeds',
    reasons: [...failures, ...unknown],
    locks: done.locks === undefined ? describeExpected(parsed.lock) : describeLocks(done.locks, sizes),
    changes: parsed.isTruncate ? [] : describeChanges(done, sizes),
  };
}

/** Maximum size of the text of a statement, in bytes. */
const MAX_TEXT_BYTES = 200;

function listFailures({ error, rowError, checks }: RehearsedStatement): readonly string[] {
  const failing = checks.flatMap(({ counts, rows = 0, error: failed }) => {
    if (rows > 0) return [`${counts}: ${rows}`];
    return failed !== undefined && isAboutData(failed.data?.['sqlstate']) ? [failed.message] : [];
  });
  // A foreign key violation by a sampled row is not reported, because the sample may lack the referenced row.
  const isReal =
    rowError !== undefined && error === undefined && failing.length === 0 && getSqlstate(rowError) !== FOREIGN_KEY_VIOLATION;
  return [
    ...(error === undefined ? [] : [describeError(error)]),
    ...failing,
    ...(isReal ? [`a copied row makes the statement fail: ${describeError(rowError)}`] : []),
  ];
}

function describeUnchecked({ counts, error }: CheckedRows): readonly string[] {
  if (error === undefined || isAboutData(error.data?.['sqlstate'])) return [];
  return [`not checked: ${counts} (${error.code}: ${error.message})`];
}

function isAboutData(sqlstate: unknown): boolean {
  return typeof sqlstate === 'string' && sqlstate.startsWith('22');
}

function describeError(error: Error): string {
  const translated = translateError(error);
  return translated instanceof Error ? translated.message : error.message;
}

function describeExpected(lock: string | undefined): string[] {
  return lock === undefined ? [] : [formatLock(lock)];
}

function describeLocks(locks: readonly { readonly object: string; readonly mode: string }[], sizes: Sizes): string[] {
  const strongest = new Map<string, string>();
  for (const { object, mode } of locks) {
    const known = strongest.get(object);
    if (known === undefined || STRENGTH.indexOf(mode) > STRENGTH.indexOf(known)) strongest.set(object, mode);
  }
  return [...strongest].map(([object, mode]) => formatLock(formatMode(mode), formatTable(object, sizes)));
}

function formatLock(lock: string, object?: string): string {
  const effect = describeLock(lock);
  return `lock ${lock}${object === undefined ? '' : ` on ${object}`}${effect === undefined ? '' : `: ${effect}`}`;
}

/** Converts a lock mode of `pg_locks` to SQL, such as `AccessExclusiveLock` to `ACCESS EXCLUSIVE`. */
function formatMode(mode: string): string {
  return mode
    .replace(/Lock$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();
}

function formatTable(name: string, sizes: Sizes): string {
  const size = sizes.get(name);
  if (size === undefined) return name;
  return `${name} (${size.rows === undefined ? '' : `about ${rowsText(size.rows)}, `}${sizeText(size.bytes)})`;
}

function describeChanges({ before, after }: RehearsedStatement, sizes: Sizes): string[] {
  const now = new Map(after.relations.map((relation) => [relation.oid, relation]));
  const former = new Set(before.relations.map(({ oid }) => oid));
  const rewritten = before.relations.filter(({ oid, file }) => file !== '0' && (now.get(oid)?.file ?? file) !== file);
  const dropped = before.relations.filter(({ oid }) => !now.has(oid));
  const created = after.relations.filter(({ oid }) => !former.has(oid));
  // If the type of a column changes, PostgreSQL drops its indexes and creates them again. Such indexes are reported as rebuilt.
  const again = new Set(dropped.map(nameOf).filter((name) => created.some((relation) => nameOf(relation) === name)));
  return [
    ...rewritten.filter(({ kind }) => kind !== 'i').map(({ sql }) => `rewrites ${formatTable(sql, sizes)}`),
    ...rewritten.filter(({ kind }) => kind === 'i').map(({ sql }) => `rebuilds index ${sql}`),
    ...[...again].map((name) => `rebuilds ${name}`),
    ...dropped.map(nameOf).flatMap((name) => (again.has(name) ? [] : [`drops ${name}`])),
    ...created.map(nameOf).flatMap((name) => (again.has(name) ? [] : [`creates ${name}`])),
  ];
}

function nameOf({ kind, sql }: CopiedRelation): string {
  return `${KINDS[kind] ?? 'relation'} ${sql}`;
}

const KINDS: Readonly<Record<string, string>> = {
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized view',
  i: 'index',
  I: 'index',
};

const FOREIGN_KEY_VIOLATION = '23503';

const STRENGTH: readonly string[] = [
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
];
