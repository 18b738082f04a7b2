import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { read } from '../database/read.ts';
import { toError } from '../indexes/planning/planner.ts';
import { WholeValues } from '../../rows/whole-values.ts';
import { findRowChecks, type RowCheck } from './find-row-checks.ts';
import { readCopy, type DatabaseCopy } from './read-copy.ts';
import { RehearsalDatabase, type CopiedObjects, type MigrationStatement, type RunOutcome } from './rehearsal-database.ts';

/** A migration, and the statements whose plans are compared. */
export interface Migration {
  readonly statements: readonly MigrationStatement[];
  /** Names of the relations that the migration and the queries name, in the syntax of `regclass`. */
  readonly names: readonly string[];
  readonly queries: readonly string[];
  /** Maximum number of rows to copy from each table. */
  readonly sampleRows: number;
}

/** The result of a check of rows of the database. */
export interface CheckedRows {
  readonly counts: string;
  /** Number of rows, if the check could run. */
  readonly rows: number | undefined;
  /** Error of the check; `undefined` if the check ran. With an SQLSTATE of class 22 (data), the migration would fail, too. */
  readonly error: ToolError | undefined;
}

/**
 * The effects of a statement in the copy, and the results of the checks for rows of the database that would make the statement
 * fail.
 */
export interface RehearsedStatement extends RunOutcome {
  readonly checks: readonly CheckedRows[];
}

/** The plan of a query before and after the migration, as JSON. `after` is an error if the query cannot be planned any more. */
export interface ComparedPlans {
  readonly sql: string;
  readonly before: string;
  readonly after: string | Error;
}

export interface Rehearsal {
  readonly statements: readonly RehearsedStatement[];
  readonly plans: readonly ComparedPlans[];
  /** Why parts of the database could not be copied, or why queries could not be planned. */
  readonly problems: readonly string[];
  readonly sizes: DatabaseCopy['sizes'];
}

interface RehearsalOptions {
  readonly timeoutMs: number;
  readonly context: RequestContext;
}

/**
 * Runs a migration in a copy of the relations that it names. The database itself is only read.
 *
 * @throws ToolError UNSUPPORTED_ENGINE if no copy can be created; QUERY_FAILED if a statement ends its session in the copy;
 * errors of `Database.readOnly`
 */
export async function rehearse(database: Database, migration: Migration, options: RehearsalOptions): Promise<Rehearsal> {
  const { timeoutMs, context } = options;
  const { signal } = context;
  const { names, sampleRows, queries } = migration;
  const copy = await readCopy(database, { names, sampleRows, timeoutMs, signal });
  const large = copy.unsampled.map((table) => `the sampled rows of ${table}, which exceed --max-sample-bytes`);
  await using after = await createCopy(copy, options);
  const problems = [...large, ...after.problems].map((problem) => `not copied: ${problem}`);
  const original = mapNames(await after.objects());
  const statements: RehearsedStatement[] = [];
  for (const [place, statement] of migration.statements.entries()) {
    context.progress(place, migration.statements.length, 'running the statements in the copy');
    signal.throwIfAborted();
    const outcome = await after.run(statement);
    signal.throwIfAborted();
    const checks: CheckedRows[] = [];
    for (const check of findRowChecks({ ...outcome, names: original })) checks.push(await runCheck(database, check, options));
    statements.push({ ...outcome, checks });
  }
  const compared = queries.length === 0 ? NO_PLANS : await comparePlans(copy, after, queries, options);
  return { statements, plans: compared.plans, problems: [...problems, ...compared.problems], sizes: copy.sizes };
}

const NO_PLANS: Pick<Rehearsal, 'plans' | 'problems'> = { plans: [], problems: [] };

async function createCopy(copy: DatabaseCopy, { timeoutMs, context: { signal } }: RehearsalOptions): Promise<RehearsalDatabase> {
  return RehearsalDatabase.create(copy, timeoutMs, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new ToolError('UNSUPPORTED_ENGINE', `no copy of the database can be created: ${toError(error).message}`, {
      cause: error,
    });
  });
}

function mapNames({ relations }: CopiedObjects): ReadonlyMap<string, string> {
  return new Map(relations.map(({ oid, sql }) => [oid, sql]));
}

async function runCheck(database: Database, check: RowCheck, { timeoutMs, context }: RehearsalOptions): Promise<CheckedRows> {
  const { counts, sql, tables } = check;
  const page = new WholeValues();
  try {
    for (const table of tables) await database.policy.requireUnmaskedRelation(table, context.signal);
    await read(database, { sql, params: [], timeoutMs, maxRows: 1, page }, context);
    return { counts, rows: Number(page.first), error: undefined };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!ToolError.is(error) || error.code === 'CONNECTION') throw error;
    return { counts, rows: undefined, error };
  }
}

async function comparePlans(
  copy: DatabaseCopy,
  after: RehearsalDatabase,
  queries: readonly string[],
  options: RehearsalOptions,
): Promise<Pick<Rehearsal, 'plans' | 'problems'>> {
  const { signal } = options.context;
  await using before = await createCopy({ ...copy, samples: [] }, options);
  await before.restoreStatistics(signal);
  await after.restoreStatistics(signal);
  const plans: ComparedPlans[] = [];
  const problems: string[] = [];
  for (const [place, sql] of queries.entries()) {
    signal.throwIfAborted();
    // A query that cannot be planned before the migration shows what the copy lacks, so it is reported as a problem and not
    // compared.
    const former = await before.plan(sql).catch(toError);
    if (former instanceof Error) problems.push(`the query ${place + 1} cannot be planned in the copy: ${former.message}`);
    else plans.push({ sql, before: former, after: await after.plan(sql).catch(toError) });
  }
  return { plans, problems };
}
