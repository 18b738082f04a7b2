import { Field, Flag, ObjectOf, OneOf, Result, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { IsNumber } from 'class-validator/cjs/decorator/typechecker/IsNumber.js';

import { timeoutFor } from '../../../engine/limits.ts';
import type { Database } from '../../database/database.ts';
import { read } from '../../database/read.ts';
import { planWithIndexes } from '../../indexes/plan-with-indexes.ts';
import { fenced } from '../../../rows/fenced.ts';
import { cutText, shortenParts } from '../../../rows/fit.ts';
import { visible } from '../../../rows/shown-value.ts';
import { WholeValues } from '../../../rows/whole-values.ts';
import { DatabaseInput } from '../../../tools/database-input.ts';
import { withSuggestions } from '../../../tools/suggestions.ts';
import { planStatement } from './plan-statement.ts';
import { findProblems } from './plan-findings.ts';
import { listSteps, parsePlan, type Plan } from './plan-node.ts';
import { formatPlan } from './plan-text.ts';
import { viewPlan } from './view-plan.ts';
import { ParamsField, toTexts } from '../../../tools/params-field.ts';

/** Maximum number of indexes that a plan assumes. */
const MAX_INDEXES = 10;

const PLAN_FORMATS = ['text', 'json'] as const;

export class ExplainInput extends DatabaseInput {
  @Text('Statement to explain') sql!: string;
  @ParamsField('Values of $1, $2, …; objects and arrays are JSON') params?: unknown[];
  @Flag('Run and measure the statement; only if it reads') analyze = false;
  @Flag('Count the blocks that are read') buffers = false;
  @Flag('Show non-default settings of the planner') settings = false;
  @Flag('Plan for any values; excludes params and analyze') generic_plan = false;
  @TextList('CREATE INDEX statements to assume', { optional: true, maxItems: MAX_INDEXES })
  indexes?: string[];
  @OneOf(PLAN_FORMATS, 'text: an indented tree; json: the complete output of EXPLAIN')
  format: (typeof PLAN_FORMATS)[number] = 'text';
}

export class PlanSummary {
  @IsNumber()
  cost!: number;

  @IsOptional()
  @IsNumber()
  cost_before?: number;

  @Field('Estimated number of rows')
  @IsNumber()
  rows!: number;

  @IsOptional()
  @IsNumber()
  planning_ms?: number;

  @IsOptional()
  @IsNumber()
  execution_ms?: number;

  @TextList('Tables read by a sequential scan') sequential_scans!: string[];
  @TextList('Most expensive steps') hot_nodes!: string[];
  @TextList('With analyze: steps whose rows differ at least tenfold from the estimate') misestimates!: string[];
  @TextList() warnings!: string[];
  @TextList({ optional: true }) settings?: string[];
  @TextList('Cut parts, such as plan: cut from 57415 bytes', { optional: true }) truncated?: string[];
}

export class ExplainedPlan {
  @Text('Steps of the plan, each above its inputs') plan!: string;
  @ObjectOf(() => PlanSummary, 'Findings') summary!: PlanSummary;
}

/** @throws ToolError INVALID_ARGUMENTS for options that exclude each other, and errors of `query` */
export async function explainStatement(database: Database, input: ExplainInput, context: RequestContext): Promise<Result> {
  const { plan, explained } = await readPlan(database, input, context);
  return Result.of(explained, formatExplained(explained), { forView: () => viewPlan(plan) });
}

/** A plan, and its description for the model. */
interface ReadPlan {
  readonly plan: Plan;
  readonly explained: ExplainedPlan;
}

async function readPlan(database: Database, input: ExplainInput, context: RequestContext): Promise<ReadPlan> {
  requireCompatible(input);
  const { indexes = [] } = input;
  if (indexes.length === 0) {
    const plan = parsePlan(await explain(database, input, context));
    return { plan, explained: toExplained(plan, input, database) };
  }
  const { sql, generic_plan: generic } = input;
  const options = { timeoutMs: timeoutFor(database, input), context };
  const statement = { sql, params: toTexts(input.params), generic };
  const planned = await planStatement(database, statement, options).catch(suggestGenericPlan);
  const { before, after } = await planWithIndexes(database, planned, indexes, options);
  const plan = parsePlan(after);
  const explained = toExplained(plan, input, database);
  Object.assign(explained.summary, { cost_before: parsePlan(before).root.cost });
  return { plan, explained };
}

function requireCompatible({ analyze, buffers, settings, generic_plan, params = [], indexes = [] }: ExplainInput): void {
  if (generic_plan && (analyze || params.length > 0))
    throw new ToolError('INVALID_ARGUMENTS', 'generic_plan excludes params and analyze: a generic plan cannot be run');
  if (indexes.length > 0 && (analyze || buffers || settings))
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'indexes excludes analyze, buffers and settings: a plan with assumed indexes cannot be run',
    );
}

async function explain(database: Database, input: ExplainInput, context: RequestContext): Promise<string> {
  const rows = new WholeValues();
  const { sql, generic_plan: generic } = input;
  const timeoutMs = timeoutFor(database, input);
  const params = toTexts(input.params);
  const statement = { sql, before: buildExplain(input), params, timeoutMs, maxRows: 1, page: rows, generic };
  await withSuggestions(database, context, () => read(database, statement, context)).catch(suggestGenericPlan);
  return rows.first ?? '';
}

function toExplained(plan: Plan, input: ExplainInput, { limits: { maxBytes } }: Database): ExplainedPlan {
  const text = input.format === 'json' ? plan.json : formatPlan(plan.root);
  const shown = cutText(text, Math.floor((maxBytes * 3) / 4));
  const cut = shown === text ? {} : { truncated: [`plan: cut from ${Buffer.byteLength(text)} bytes`] };
  return { plan: shown, summary: shortenParts(Object.assign(summarize(plan, input), cut), Math.floor(maxBytes / 4)) };
}

function suggestGenericPlan(error: unknown): never {
  if (!ToolError.is(error) || error.code !== 'INVALID_ARGUMENTS') throw error;
  const hint = [error.hint, 'or generic_plan must be true, which plans without values'].filter(Boolean).join(', ');
  throw new ToolError(error.code, error.message, { cause: error, hint, ...(error.data && { data: error.data }) });
}

function buildExplain({ analyze, buffers, settings }: ExplainInput): string {
  // Options that were not requested are omitted, because older servers and compatible engines do not support all options. With
  // ANALYZE, BUFFERS is always written, because PostgreSQL 18 counts buffers by default.
  const options = ['FORMAT JSON', ...(analyze ? ['ANALYZE', `BUFFERS ${buffers}`] : buffers ? ['BUFFERS'] : [])];
  return `EXPLAIN (${[...options, ...(settings ? ['SETTINGS'] : [])].join(', ')}) `;
}

function summarize(plan: Plan, { settings }: ExplainInput): PlanSummary {
  const { root, planningMs, executionMs } = plan;
  const { findHotNodes, misestimates, warnings } = findProblems(plan);
  return {
    cost: root.cost,
    rows: root.rows,
    ...(planningMs !== undefined && { planning_ms: planningMs }),
    ...(executionMs !== undefined && { execution_ms: executionMs }),
    sequential_scans: listSteps(root).flatMap(({ step, relation }) =>
      step.endsWith('Seq Scan') && relation !== undefined ? [relation] : [],
    ),
    hot_nodes: [...findHotNodes],
    misestimates: [...misestimates],
    warnings: [...warnings],
    ...(settings && { settings: [...plan.settings] }),
  };
}

function formatExplained({ plan, summary }: ExplainedPlan): string {
  const time = summary.execution_ms === undefined ? '' : `, ran in ${summary.execution_ms} ms`;
  const lines = [
    plan,
    `cost ${summary.cost}, ~${summary.rows} rows${time}`,
    ...(summary.cost_before === undefined ? [] : [`cost ${summary.cost_before} without the indexes`]),
    ...summary.hot_nodes,
    ...summary.misestimates.map((text) => `misestimate: ${text}`),
    ...summary.warnings.map((text) => `warning: ${text}`),
    ...(summary.settings ?? []).map((text) => `setting: ${text}`),
  ];
  const cut = summary.truncated?.join('; ');
  const note =
    cut === undefined
      ? []
      : [
          `[${cut}. With format: text the plan is shorter than with json, and a statement with fewer partitions or joins has a shorter plan.]`,
        ];
  return [fenced(visible(lines.join('\n')), ''), ...note].join('\n');
}
