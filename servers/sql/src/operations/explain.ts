import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsBoolean, IsIn, IsNumber, IsOptional, IsString, ValidateNested } from 'class-validator';

import type { Database } from '../database/database.ts';
import { read } from '../database/read.ts';
import { findingsIn } from '../plan/plan-findings.ts';
import { parsePlan, stepsOf, type Plan } from '../plan/plan-node.ts';
import { planText } from '../plan/plan-text.ts';
import { WholeValues } from '../rows/whole-values.ts';
import { DatabaseInput } from './database-input.ts';
import { withSuggestions } from './suggestions.ts';
import { cutText, shortened } from '../rows/fit.ts';

const PLAN_FORMATS = ['text', 'json'] as const;

export class ExplainInput extends DatabaseInput {
  @Field('The statement to plan')
  @IsString()
  sql!: string;

  @Field('Values of $1, $2 and so on, as text')
  @IsOptional()
  @IsString({ each: true })
  params?: string[];

  @Field('Run it and measure; only for a statement that reads')
  @IsBoolean()
  analyze = false;

  @Field('Count blocks read')
  @IsBoolean()
  buffers = false;

  @Field('Show settings that affect the plan')
  @IsBoolean()
  settings = false;

  @Field('Plan for any values of $1, $2 and so on, without params and analyze')
  @IsBoolean()
  generic_plan = false;

  @Field('text: an indented tree; json: all that PostgreSQL says')
  @IsIn([...PLAN_FORMATS])
  format: (typeof PLAN_FORMATS)[number] = 'text';
}

export class PlanSummary {
  @Field("In the planner's units")
  @IsNumber()
  cost!: number;

  @Field('As estimated')
  @IsNumber()
  rows!: number;

  @IsOptional()
  @IsNumber()
  planning_ms?: number;

  @IsOptional()
  @IsNumber()
  execution_ms?: number;

  @Field('Tables that are read from end to end')
  @IsString({ each: true })
  sequential_scans!: string[];

  @Field('Steps that take most')
  @IsString({ each: true })
  hot_nodes!: string[];

  @Field('With analyze: steps with ten times more or fewer rows than estimated')
  @IsString({ each: true })
  misestimates!: string[];

  @IsString({ each: true })
  warnings!: string[];

  @IsOptional()
  @IsString({ each: true })
  settings?: string[];

  @Field('What is not shown whole, such as plan: 9000 of 57415 characters')
  @IsOptional()
  @IsString({ each: true })
  truncated?: string[];
}

export class ExplainedPlan {
  @Field('The steps, what feeds a step below it')
  @IsString()
  plan!: string;

  @Field('What stands out', { type: () => PlanSummary })
  @ValidateNested()
  summary!: PlanSummary;
}

/** @throws ToolError INVALID_ARGUMENTS for options that do not go together, and those of `query` */
export async function explain(database: Database, input: ExplainInput, context: RequestContext): Promise<ExplainedPlan> {
  const { sql, params = [], analyze, generic_plan: generic } = input;
  if (generic && (analyze || params.length > 0))
    throw new ToolError('INVALID_ARGUMENTS', 'a plan for any values has neither params nor analyze: nothing can be run');
  const rows = new WholeValues();
  const timeoutMs = database.timeoutFor(input);
  const statement = { sql, before: explainWords(input), params, timeoutMs, maxRows: 1, page: rows, generic };
  await withSuggestions(database, context, () => read(database, statement, context));
  const plan = parsePlan(rows.first ?? '');
  const text = input.format === 'json' ? plan.json : planText(plan.root);
  const { maxBytes } = database.limits;
  const shown = cutText(text, Math.floor((maxBytes * 3) / 4));
  const cut = shown === text ? {} : { truncated: [`plan: cut, of ${Buffer.byteLength(text)} bytes`] };
  return { plan: shown, summary: shortened(Object.assign(summaryOf(plan, input), cut), Math.floor(maxBytes / 4)) };
}

function explainWords({ analyze, buffers, settings }: ExplainInput): string {
  // Each is named where it is wanted alone: older servers and others that speak PostgreSQL do not know all.
  const options = ['FORMAT JSON', ...(analyze ? ['ANALYZE', `BUFFERS ${buffers}`] : buffers ? ['BUFFERS'] : [])];
  return `EXPLAIN (${[...options, ...(settings ? ['SETTINGS'] : [])].join(', ')}) `;
}

function summaryOf(plan: Plan, { settings }: ExplainInput): PlanSummary {
  const { root, planningMs, executionMs } = plan;
  const { hotNodes, misestimates, warnings } = findingsIn(plan);
  return {
    cost: root.cost,
    rows: root.rows,
    ...(planningMs !== undefined && { planning_ms: planningMs }),
    ...(executionMs !== undefined && { execution_ms: executionMs }),
    sequential_scans: stepsOf(root).flatMap(({ step, relation }) =>
      step.endsWith('Seq Scan') && relation !== undefined ? [relation] : [],
    ),
    hot_nodes: [...hotNodes],
    misestimates: [...misestimates],
    warnings: [...warnings],
    ...(settings && { settings: [...plan.settings] }),
  };
}
