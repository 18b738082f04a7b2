import { Field, Flag, Integer, ListOf, Result, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { IsNumber } from 'class-validator/cjs/decorator/typechecker/IsNumber.js';

import { timeoutFor } from '../../../engine/limits.ts';
import { fenced } from '../../../rows/fenced.ts';
import { cutText } from '../../../rows/fit.ts';
import { visible } from '../../../rows/shown-value.ts';
import { DatabaseInput } from '../../../tools/database-input.ts';
import { ParamsField, toTexts } from '../../../tools/params-field.ts';
import type { Database } from '../../database/database.ts';
import { adviseStatements, type AdviceOptions, type PlannedStatement } from '../../indexes/advise-statements.ts';
import { formatIndexSql, type Candidate } from '../../indexes/candidates/candidate.ts';
import { estimateIndexBytes } from '../../indexes/candidates/estimate-size.ts';
import type { StatementPlans } from '../../indexes/planning/cost-candidates.ts';
import { parsePlan } from './plan-node.ts';
import { planStatement } from './plan-statement.ts';
import { formatPlan } from './plan-text.ts';
import { readWorkload, type WorkloadStatement } from './read-workload.ts';

/** Maximum number of statements of the workload. */
const MAX_STATEMENTS = 100;

export class AdviseIndexesInput extends DatabaseInput {
  @Text('Statement to speed up; it is planned, not run. Default: the workload of pg_stat_statements', { optional: true })
  sql?: string;

  @ParamsField('Values of $1, $2, …; objects and arrays are JSON') params?: unknown[];
  @Integer('Without sql: number of statements to speed up, those with the largest total time', { min: 1, max: MAX_STATEMENTS })
  statements = 20;
}

export class IndexProposal {
  @Text('Table or partitioned table') table!: string;
  @Text('SQL that creates the index') index_sql!: string;
  @Integer('Estimated size of the index in bytes') size_bytes!: number;
  @Text('Which writes become slower') write_cost!: string;

  @Field('Cost of the statement without the proposed indexes, if costed')
  @IsOptional()
  @IsNumber()
  cost_before?: number;

  @Field('Cost of the statement with all proposed indexes')
  @IsOptional()
  @IsNumber()
  cost_after?: number;

  @Text('Plan without the proposed indexes', { optional: true }) plan_before?: string;
  @Text('Plan with all proposed indexes', { optional: true }) plan_after?: string;
}

/** A statement of the workload that the proposed indexes speed up. */
export class SpedUpStatement {
  @Text('Id in top_queries') id!: string;
  @Text('Constants are $1, $2 and so on; cut to 200 bytes') query!: string;
  @Integer() calls!: number;

  @IsNumber()
  total_ms!: number;

  @Field('Cost without the proposed indexes')
  @IsNumber()
  cost_before!: number;

  @Field('Cost with all proposed indexes')
  @IsNumber()
  cost_after!: number;
}

export class IndexAdvice {
  @ListOf(() => IndexProposal) proposals!: IndexProposal[];
  @ListOf(() => SpedUpStatement, 'Without sql: the statements that become faster', { optional: true })
  statements?: SpedUpStatement[];

  @TextList('Why other indexes are not proposed, or statements are not considered') notes!: string[];
  @Flag('More proposals or notes exist', { optional: true }) truncated?: boolean;
}

/** @throws ToolError INVALID_ARGUMENTS for `params` without `sql`; errors of `explain` and `readWorkload` */
export async function adviseIndexes(database: Database, input: AdviseIndexesInput, context: RequestContext): Promise<Result> {
  const advice = await findAdvice(database, input, context);
  return Result.of(advice, formatAdvice(advice));
}

async function findAdvice(database: Database, input: AdviseIndexesInput, context: RequestContext): Promise<IndexAdvice> {
  const options = { timeoutMs: timeoutFor(database, input), context };
  const { sql, params } = input;
  if (sql === undefined && params !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', 'params needs sql: the statements of the workload have no values');
  return sql === undefined
    ? adviseWorkload(database, input.statements, options)
    : adviseStatement(database, { sql, params: toTexts(params) }, options);
}

async function adviseStatement(
  database: Database,
  statement: Pick<PlannedStatement, 'sql' | 'params'>,
  options: AdviceOptions,
): Promise<IndexAdvice> {
  const planned = await planStatement(database, statement, options);
  const { chosen, plans, notes } = await adviseStatements(database, [planned], options);
  const costs = plans[0] === undefined ? {} : readCosts(plans[0]);
  return fitAdvice(
    { proposals: chosen.map((candidate) => toProposal(candidate, costs)), notes: [...notes] },
    database.limits.maxBytes,
  );
}

async function adviseWorkload(database: Database, count: number, options: AdviceOptions): Promise<IndexAdvice> {
  const workload = await readWorkload(database, count, options);
  const planned = workload.statements.map((statement) => statement.planned);
  const { chosen, plans, notes } = await adviseStatements(database, planned, options);
  const statements = workload.statements.flatMap((statement, place) => {
    const found = plans[place];
    return found === undefined || found.used.length === 0 ? [] : [toSpedUp(statement, found)];
  });
  const proposals = chosen.map((candidate) => toProposal(candidate, {}));
  return fitAdvice({ proposals, statements, notes: [...workload.notes, ...notes] }, database.limits.maxBytes);
}

function toSpedUp({ id, calls, totalMs, planned }: WorkloadStatement, { before, after }: StatementPlans): SpedUpStatement {
  const [cost_before, cost_after] = [before, after].map((json) => parsePlan(json).root.cost);
  return {
    id,
    query: cutText(planned.sql.replaceAll(/[ \t\r\n]+/g, ' '), MAX_QUERY_BYTES),
    calls,
    total_ms: totalMs,
    cost_before: cost_before ?? 0,
    cost_after: cost_after ?? 0,
  };
}

/** Maximum size of the text of a statement of the workload, in bytes. */
const MAX_QUERY_BYTES = 200;

function fitAdvice({ proposals, statements, notes }: IndexAdvice, maxBytes: number): IndexAdvice {
  const shown = takeFittingItems(proposals, Math.floor(maxBytes / 2));
  const shownStatements = takeFittingItems(statements ?? [], Math.floor(maxBytes / 4));
  const shownNotes = takeFittingItems(notes, Math.floor(maxBytes / 8));
  const isCut =
    shown.length < proposals.length || shownNotes.length < notes.length || shownStatements.length < (statements ?? []).length;
  return {
    proposals: [...shown],
    ...(statements && { statements: [...shownStatements] }),
    notes: [...shownNotes],
    ...(isCut && { truncated: true }),
  };
}

type Costs = Pick<IndexProposal, 'cost_before' | 'cost_after' | 'plan_before' | 'plan_after'>;

function readCosts({ before, after }: { readonly before: string; readonly after: string }): Costs {
  const [planBefore, planAfter] = [parsePlan(before).root, parsePlan(after).root];
  return {
    cost_before: planBefore.cost,
    cost_after: planAfter.cost,
    plan_before: cutText(formatPlan(planBefore), MAX_PLAN_BYTES),
    plan_after: cutText(formatPlan(planAfter), MAX_PLAN_BYTES),
  };
}

/** Maximum size of a plan in a proposal, in bytes. */
const MAX_PLAN_BYTES = 1500;

function toProposal(candidate: Candidate, costs: Costs): IndexProposal {
  return {
    table: candidate.table.sql,
    index_sql: formatIndexSql(candidate),
    size_bytes: estimateIndexBytes(candidate),
    write_cost: describeWrites(candidate),
    ...costs,
  };
}

function describeWrites({ table: { writes, indexes } }: Candidate): string {
  const { inserts, updates, hot } = writes;
  const count = indexes.length === 1 ? '1 index exists' : `${indexes.length} indexes exist`;
  return `${count}; writes since the statistics were reset that would also have written the new index: inserts ${inserts}, updates ${updates - hot}`;
}

function formatAdvice({ proposals, statements = [], notes, truncated }: IndexAdvice): string {
  const found = proposals.flatMap(({ index_sql, size_bytes, write_cost }) => [
    `${index_sql};`,
    `  about ${size_bytes} bytes; ${write_cost}`,
  ]);
  const [{ cost_before, cost_after, plan_before = '', plan_after = '' } = {}] = proposals;
  const costs =
    cost_before === undefined ? [] : [`cost ${cost_before}:`, plan_before, `cost ${cost_after} with the indexes:`, plan_after];
  const none = proposals.length === 0 ? ['No index that this tool knows would help'] : [];
  const more =
    truncated === true
      ? ['[More proposals, statements or notes exist: pass one statement as sql, or a smaller number as statements.]']
      : [];
  const lines = [...none, ...found, ...costs, ...statements.map(formatSpedUp), ...notes];
  return [fenced(visible(lines.join('\n')), ''), ...more].join('\n');
}

function formatSpedUp({ id, query, calls, total_ms, cost_before, cost_after }: SpedUpStatement): string {
  return `cost ${cost_before} -> ${cost_after}, calls ${calls}, total ${total_ms} ms, ${id}: ${query}`;
}
