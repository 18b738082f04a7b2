import { Flag, Integer, ListOf, Result, Text, TextList, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { IsNumber } from 'class-validator/cjs/decorator/typechecker/IsNumber.js';

import { timeoutFor } from '../../../engine/limits.ts';
import { fenced } from '../../../rows/fenced.ts';
import { cutText } from '../../../rows/fit.ts';
import { visible } from '../../../rows/shown-value.ts';
import { DatabaseInput } from '../../../tools/database-input.ts';
import type { Database } from '../../database/database.ts';
import { quoteQualified } from '../../policy/parse/relation-name.ts';
import { rehearse, type ComparedPlans } from '../../rehearsal/rehearse.ts';
import { parsePlan } from '../plan/plan-node.ts';
import { planStatement } from '../plan/plan-statement.ts';
import { describeStep, RehearsedStep } from './describe-step.ts';
import { parseMigration, type ParsedStatement } from './parse-migration.ts';

/** Maximum number of queries whose plans are compared. */
const MAX_QUERIES = 20;

export class RehearseMigrationInput extends DatabaseInput {
  @Text('Statements of the migration, in order, separated by semicolons') sql!: string;
  @TextList('Statements whose plans are compared before and after; $1, $2 need no values', {
    optional: true,
    maxItems: MAX_QUERIES,
  })
  queries?: string[];

  @Integer('Maximum number of rows of each table that are copied; 0 for none', { min: 0, max: 1000 }) sample_rows = 100;
}

/** The plan of a query before and after the migration. */
export class ComparedQuery {
  @Text('Cut to 200 bytes') query!: string;

  @IsNumber()
  cost_before!: number;

  @IsOptional()
  @IsNumber()
  cost_after?: number;

  @Text('Why the query fails after the migration', { optional: true }) error?: string;
}

export class RehearsedMigration {
  @ListOf(() => RehearsedStep) statements!: RehearsedStep[];
  @ListOf(() => ComparedQuery) queries!: ComparedQuery[];
  @TextList('Parts of the database that were not copied, and queries that could not be planned') notes!: string[];
  @Flag('More statements, queries or notes exist', { optional: true }) truncated?: boolean;
}

/**
 * Runs a migration in a temporary copy of the tables that it names, and checks the rows of the database.
 *
 * @throws ToolError errors of `parseMigration` and `rehearse`, and errors of `explain` for a query
 */
export async function rehearseMigration(
  database: Database,
  input: RehearseMigrationInput,
  context: RequestContext,
): Promise<Result> {
  const timeoutMs = timeoutFor(database, input);
  const parsed = await parseMigration(input.sql, database.limits.maxStatementBytes);
  const queries = input.queries ?? [];
  const planned: string[] = [];
  for (const sql of queries) {
    const { relations } = await planStatement(database, { sql, params: [], generic: true }, { timeoutMs, context });
    planned.push(...relations.map(({ schema, name }) => quoteQualified([schema, name])));
  }
  const names = [...new Set([...parsed.flatMap((statement) => statement.names), ...planned])];
  const migration = { statements: parsed, names, queries, sampleRows: input.sample_rows };
  const rehearsal = await rehearse(database, migration, { timeoutMs, context });
  const steps = rehearsal.statements.map((done, place) => describeStep(done, parsed[place] as ParsedStatement, rehearsal.sizes));
  const { maxBytes } = database.limits;
  const plans = rehearsal.plans.map(comparePlan);
  const { problems } = rehearsal;
  const found: RehearsedMigration = {
    statements: [...takeFittingItems(steps, Math.floor(maxBytes / 2))],
    queries: [...takeFittingItems(plans, Math.floor(maxBytes / 4))],
    notes: [...takeFittingItems(problems, Math.floor(maxBytes / 8))],
  };
  const isCut =
    found.statements.length < steps.length || found.queries.length < plans.length || found.notes.length < problems.length;
  if (isCut) found.truncated = true;
  const countSteps = (wanted: RehearsedStep['outcome']): number => steps.filter(({ outcome }) => outcome === wanted).length;
  const summary = `Statements that fail: ${countSteps('fails')} of ${steps.length}; unknown: ${countSteps('unknown')}`;
  return Result.of(found, formatRehearsal(summary, found));
}

function comparePlan({ sql, before, after }: ComparedPlans): ComparedQuery {
  return {
    query: cutText(sql.replaceAll(/[ \t\r\n]+/g, ' '), MAX_TEXT_BYTES),
    cost_before: parsePlan(before).root.cost,
    ...(typeof after === 'string' ? { cost_after: parsePlan(after).root.cost } : { error: after.message }),
  };
}

/** Maximum size of the text of a statement, in bytes. */
const MAX_TEXT_BYTES = 200;

function formatRehearsal(summary: string, { statements, queries, notes, truncated = false }: RehearsedMigration): string {
  const lines = [
    ...statements.flatMap(({ sql, outcome, reasons, locks, changes }, place) => [
      `${place + 1}. ${outcome}: ${sql}`,
      ...[...reasons, ...locks, ...changes].map((line) => `   ${line}`),
    ]),
    ...queries.map(formatQuery),
    ...notes,
  ];
  const more = truncated
    ? ['[More statements, queries or notes exist: rehearse the migration in parts; the operator can raise --max-bytes.]']
    : [];
  return [summary, fenced(visible(lines.join('\n')), ''), ...more, 'The database was only read; nothing was changed.'].join('\n');
}

function formatQuery({ query, cost_before, cost_after, error }: ComparedQuery): string {
  return error === undefined ? `cost ${cost_before} -> ${cost_after ?? '?'}: ${query}` : `fails afterwards: ${query}: ${error}`;
}
