import { Field, Flag, ObjectOf, OneOf, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsNumber, IsOptional } from 'class-validator';

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
  @Text('The statement to plan') sql!: string;
  @TextList('Values of $1, $2 and so on, as text', { optional: true }) params?: string[];
  @Flag('Run it and measure; only for a statement that reads') analyze = false;
  @Flag('Count blocks read') buffers = false;
  @Flag('Show settings that affect the plan') settings = false;
  @Flag('Plan for any values of $1, $2 and so on, without params and analyze') generic_plan = false;
  @OneOf(PLAN_FORMATS, 'text: an indented tree; json: all that PostgreSQL says') format: (typeof PLAN_FORMATS)[number] = 'text';
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

  @TextList('Tables that are read from end to end') sequential_scans!: string[];
  @TextList('Steps that take most') hot_nodes!: string[];
  @TextList('With analyze: steps with ten times more or fewer rows than estimated') misestimates!: string[];
  @TextList() warnings!: string[];
  @TextList({ optional: true }) settings?: string[];
  @TextList('What is not shown whole, such as plan: 9000 of 57415 characters', { optional: true }) truncated?: string[];
}

export class ExplainedPlan {
  @Text('The steps, what feeds a step below it') plan!: string;
  @ObjectOf(() => PlanSummary, 'What stands out') summary!: PlanSummary;
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
