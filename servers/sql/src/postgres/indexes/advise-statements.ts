import type { RequestContext } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { formatTarget, type Candidate } from './candidates/candidate.ts';
import { chooseUncosted, type PlannedStep } from './candidates/choose-uncosted.ts';
import { isSmall, proposeCandidates } from './candidates/propose-candidates.ts';
import { costCandidates, type CostedCandidates, type StatementPlans } from './planning/cost-candidates.ts';
import { toError } from './planning/planner.ts';
import { usePlanner } from './use-planner.ts';
import { readSchema, type ModelSchema } from './model/read-schema.ts';
import { readDatabaseFacts, type DatabaseFacts } from './read-advice-facts.ts';
import { readStatementUses, type PlannedRelation, type StatementUses } from './read-statement-uses.ts';

/** A statement, and its plan without new indexes. */
export interface PlannedStatement {
  readonly sql: string;
  readonly params: readonly (string | null)[];
  /** Whether the parameters have no values. */
  readonly generic: boolean;
  readonly root: PlannedStep;
  readonly relations: readonly PlannedRelation[];
}

export interface StatementsAdvice {
  readonly chosen: readonly Candidate[];
  /**
   * One element per statement: its plans, or `undefined` if the indexes are not costed for the statement. Empty if there is no
   * candidate.
   */
  readonly plans: readonly (StatementPlans | undefined)[];
  /** Notes on indexes that are missing from the advice, and on statements for which the indexes are not costed. */
  readonly notes: readonly string[];
}

export interface AdviceOptions {
  readonly timeoutMs: number;
  readonly context: RequestContext;
}

/** Candidates, and everything that the choice between them needs. */
interface Prepared {
  readonly candidates: readonly Candidate[];
  /** One set per statement: the OIDs of the tables that the statement or its views may read. */
  readonly tables: readonly ReadonlySet<string>[];
  readonly notes: readonly string[];
  readonly facts: DatabaseFacts;
  readonly schema: ModelSchema | undefined;
}

/** Finds indexes that help statements. */
export async function adviseStatements(
  database: Database,
  statements: readonly PlannedStatement[],
  options: AdviceOptions,
): Promise<StatementsAdvice> {
  const prepared = await prepare(database, statements, options);
  const { candidates, notes, schema } = prepared;
  if (schema === undefined) return { chosen: [], plans: [], notes };
  const costed = await cost(database, statements, { ...prepared, schema }, options);
  const problems = costed instanceof Error ? statements.map(() => costed) : costed.plans;
  const uncosted = statements.flatMap((statement, place) => {
    const reads = candidates.filter(({ table }) => prepared.tables[place]?.has(table.oid));
    return problems[place] instanceof Error ? chooseUncosted(reads, statement.root, prepared.facts.partitions) : [];
  });
  const reasons = problems.flatMap((problem) => (problem instanceof Error ? [problem.message] : []));
  return {
    chosen: [...new Set([...(costed instanceof Error ? [] : costed.chosen), ...uncosted])],
    plans: problems.map((one) => (one instanceof Error ? undefined : one)),
    notes: [...notes, ...describeProblems(reasons)],
  };
}

async function cost(
  database: Database,
  statements: readonly PlannedStatement[],
  { candidates, tables, facts, schema }: Prepared & { readonly schema: ModelSchema },
  { timeoutMs, context: { signal } }: AdviceOptions,
): Promise<CostedCandidates | Error> {
  const costed = statements.map((statement, place) => ({ statement, tables: tables[place] ?? new Set<string>() }));
  try {
    return await usePlanner({ database, facts, schema, candidates, timeoutMs, signal }, (planner, bounded) =>
      costCandidates(planner, candidates, costed, bounded),
    );
  } catch (error) {
    signal.throwIfAborted();
    return toError(error);
  }
}

function describeProblems(reasons: readonly string[]): readonly string[] {
  return [...new Set(reasons)].map(
    (reason) => `the costs with the proposed indexes are unknown, because no plan with these indexes could be made: ${reason}`,
  );
}

async function prepare(
  database: Database,
  statements: readonly PlannedStatement[],
  { timeoutMs, context: { signal } }: AdviceOptions,
): Promise<Prepared> {
  const { masks } = database.policy;
  const { maxCopiedTables: maxRelations } = database.limits;
  return database.readOnly({ signal, timeoutMs }, async ({ connection }) => {
    const uses: StatementUses[] = [];
    for (const { sql, params, relations: planned } of statements)
      uses.push(await readStatementUses(connection, { sql, params, planned, masks }));
    const names = statements.flatMap(({ relations }) => relations.map(({ name }) => name));
    const facts = await readDatabaseFacts(connection, [...new Set(names)]);
    const { candidates, notes } = selectPossible(mergeCandidates(uses), facts);
    const oids = [...new Set(uses.flatMap(({ tables }) => tables.map(({ oid }) => oid)))];
    const schema = candidates.length === 0 ? undefined : await readSchema(connection, oids, { masks, maxRelations });
    const small = [...new Set(uses.flatMap(describeSmall))];
    const tables = uses.map((one) => new Set(one.tables.map(({ oid }) => oid)));
    return { candidates, tables, facts, schema, notes: [...notes, ...small] };
  });
}

/** Returns the distinct candidates for all statements. Candidates on the same table share the object of the table. */
function mergeCandidates(uses: readonly StatementUses[]): readonly Candidate[] {
  const tables = new Map(uses.flatMap((one) => one.tables.map((table) => [table.oid, table])));
  const found = uses.flatMap(({ blocks }) => proposeCandidates(blocks));
  const distinct = new Map(found.toReversed().map((candidate) => [formatTarget(candidate), candidate]));
  const merged = [...distinct.values()].toReversed();
  return merged.map((candidate) => ({ ...candidate, table: tables.get(candidate.table.oid) ?? candidate.table }));
}

/** Omits the candidates that need a missing extension, and qualifies the operator classes of extensions. */
function selectPossible(
  candidates: readonly Candidate[],
  { trigrams }: DatabaseFacts,
): { readonly candidates: readonly Candidate[]; readonly notes: readonly string[] } {
  const possible: Candidate[] = [];
  const notes: string[] = [];
  for (const candidate of candidates) {
    const needsTrigrams = candidate.keys.some(({ opclass }) => opclass === 'gin_trgm_ops');
    if (needsTrigrams && trigrams === undefined)
      notes.push(`an index on ${formatTarget(candidate)} could serve LIKE, but the extension pg_trgm is not installed`);
    else possible.push(needsTrigrams ? qualify(candidate, trigrams ?? '') : candidate);
  }
  return { candidates: possible, notes };
}

function qualify(candidate: Candidate, schema: string): Candidate {
  const keys = candidate.keys.map((key) =>
    key.opclass === 'gin_trgm_ops' ? { ...key, opclass: `${schema}.gin_trgm_ops` } : key,
  );
  return { ...candidate, keys };
}

function describeSmall({ tables, blocks }: StatementUses): readonly string[] {
  const used = new Set(blocks.flatMap(({ columns }) => [...columns.keys()]));
  return tables
    .filter((table) => used.has(table) && isSmall(table))
    .map(({ sql, rows }) => `${sql}: reading all ${rows === undefined ? '' : `${rows} `}rows is faster than using an index`);
}
