import { Field, type RequestContext } from '@org/mcp-decorators';
import { IsBoolean, IsNumber, IsOptional, IsString, ValidateNested } from 'class-validator';

import type { Database } from '../database/database.ts';
import { read } from '../database/read.ts';
import { parsePlan, stepsOf, type Plan, type PlanNode } from '../plan/plan-node.ts';
import { planText } from '../plan/plan-text.ts';
import { WholeValues } from '../rows/whole-values.ts';
import { DatabaseInput } from './database-input.ts';
import { withSuggestions } from './suggestions.ts';

export class ExplainInput extends DatabaseInput {
  @Field('The statement to plan')
  @IsString()
  sql!: string;

  @Field('Values of $1, $2 and so on, as text')
  @IsOptional()
  @IsString({ each: true })
  params?: string[];

  @Field('Run the statement and measure it; only one that reads can be run')
  @IsBoolean()
  analyze = false;
}

export class PlanSummary {
  @Field("In the planner's unit, about one page read")
  @IsNumber()
  cost!: number;

  @Field('Rows that the planner expects')
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

  @Field('Steps whose rows the planner guessed wrong tenfold or more; with analyze')
  @IsString({ each: true })
  misestimates!: string[];
}

export class ExplainedPlan {
  @Field('The steps, one a line, what feeds a step below it and indented')
  @IsString()
  plan!: string;

  @Field('What stands out', { type: () => PlanSummary })
  @ValidateNested()
  summary!: PlanSummary;
}

/** A guess that is wrong by this factor leads to a wrong plan. */
const MISESTIMATE = 10;

/** @throws ToolError those of `query` */
export async function explain(database: Database, input: ExplainInput, context: RequestContext): Promise<ExplainedPlan> {
  const timeoutMs = database.timeoutFor(input);
  const rows = new WholeValues();
  const statement = {
    sql: input.sql,
    before: `EXPLAIN (FORMAT JSON${input.analyze ? ', ANALYZE' : ''}) `,
    params: input.params ?? [],
    timeoutMs,
    maxRows: 1,
    page: rows,
  };
  await withSuggestions(database, context, () => read(database, statement, context));
  const plan = parsePlan(rows.first ?? '');
  return { plan: planText(plan.root), summary: summaryOf(plan) };
}

function summaryOf({ root, planningMs, executionMs }: Plan): PlanSummary {
  const steps = stepsOf(root);
  return {
    cost: root.cost,
    rows: root.rows,
    ...(planningMs !== undefined && { planning_ms: planningMs }),
    ...(executionMs !== undefined && { execution_ms: executionMs }),
    sequential_scans: steps.flatMap(({ step, relation }) => (step === 'Seq Scan' && relation !== undefined ? [relation] : [])),
    misestimates: steps.flatMap(misestimate),
  };
}

function misestimate({ step, on, rows, actualRows }: PlanNode): readonly string[] {
  if (actualRows === undefined) return [];
  const factor = Math.max(rows, 1) / Math.max(actualRows, 1);
  if (factor < MISESTIMATE && factor > 1 / MISESTIMATE) return [];
  return [`${step}${on === undefined ? '' : ` on ${on}`}: ${rows} expected, ${actualRows} found`];
}
