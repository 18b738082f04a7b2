import { Field, Flag, ObjectOf, OneOf, Result, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { IsNumber } from 'class-validator/cjs/decorator/typechecker/IsNumber.js';

import { timeoutFor } from '../../../engine/limits.ts';
import type { Database } from '../../database/database.ts';
import { read } from '../../database/read.ts';
import { fenced } from '../../../rows/fenced.ts';
import { cutText, shortenParts } from '../../../rows/fit.ts';
import { visible } from '../../../rows/shown-value.ts';
import { WholeValues } from '../../../rows/whole-values.ts';
import { DatabaseInput } from '../../../tools/database-input.ts';
import { withSuggestions } from '../../../tools/suggestions.ts';
import { listSteps, parsePlan, type Plan, readNumber, readText, type PlanNode } from './plan-node.ts';
import { formatPlan, formatStep } from './plan-text.ts';

const PLAN_FORMATS = ['text', 'json'] as const;

export class ExplainInput extends DatabaseInput {
  @Text('Statement to explain') sql!: string;
  @TextList('Values of $1, $2 and so on, as text', { optional: true }) params?: string[];
  @Flag('Run and measure the statement; only if it reads') analyze = false;
  @Flag('Count the blocks that are read') buffers = false;
  @Flag('Show non-default settings that affect the plan') settings = false;
  @Flag('Plan for any values of $1, $2 and so on; excludes params and analyze') generic_plan = false;
  @OneOf(PLAN_FORMATS, 'text: an indented tree; json: the complete output of EXPLAIN')
  format: (typeof PLAN_FORMATS)[number] = 'text';
}

export class PlanSummary {
  @IsNumber()
  cost!: number;

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
  @TextList('With analyze: steps with at least ten times more or fewer rows than estimated') misestimates!: string[];
  @TextList() warnings!: string[];
  @TextList({ optional: true }) settings?: string[];
  @TextList('Parts that are cut, such as plan: 9000 of 57415 characters', { optional: true }) truncated?: string[];
}

export class ExplainedPlan {
  @Text('Steps of the plan, each above its inputs') plan!: string;
  @ObjectOf(() => PlanSummary, 'Findings') summary!: PlanSummary;
}

/** @throws ToolError INVALID_ARGUMENTS for options that exclude each other, and errors of `query` */
export async function explainStatement(database: Database, input: ExplainInput, context: RequestContext): Promise<Result> {
  const explained = await readPlan(database, input, context);
  return Result.of(explained, formatExplained(explained));
}

async function readPlan(database: Database, input: ExplainInput, context: RequestContext): Promise<ExplainedPlan> {
  const { sql, params = [], analyze, generic_plan: generic } = input;
  if (generic && (analyze || params.length > 0))
    throw new ToolError('INVALID_ARGUMENTS', 'generic_plan excludes params and analyze: a generic plan cannot be run');
  const rows = new WholeValues();
  const timeoutMs = timeoutFor(database, input);
  const statement = { sql, before: buildExplain(input), params, timeoutMs, maxRows: 1, page: rows, generic };
  await withSuggestions(database, context, () => read(database, statement, context));
  const plan = parsePlan(rows.first ?? '');
  const text = input.format === 'json' ? plan.json : formatPlan(plan.root);
  const { maxBytes } = database.limits;
  const shown = cutText(text, Math.floor((maxBytes * 3) / 4));
  const cut = shown === text ? {} : { truncated: [`plan: cut from ${Buffer.byteLength(text)} bytes`] };
  return { plan: shown, summary: shortenParts(Object.assign(summarize(plan, input), cut), Math.floor(maxBytes / 4)) };
}

function buildExplain({ analyze, buffers, settings }: ExplainInput): string {
  // Only requested options are listed, because older servers and compatible engines do not support all options.
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
    ...summary.hot_nodes,
    ...summary.misestimates.map((text) => `misestimate: ${text}`),
    ...summary.warnings.map((text) => `warning: ${text}`),
    ...(summary.settings ?? []).map((text) => `setting: ${text}`),
  ];
  const cut = summary.truncated?.join('; ');
  const note =
    cut === undefined ? [] : [`[${cut}. The format text is shorter than json; a plan of fewer partitions or joins is shorter.]`];
  return [fenced(visible(lines.join('\n')), ''), ...note].join('\n');
}

/** Notable steps of a plan, each as a line of text. */
interface PlanFindings {
  /** The steps with the largest share of the time, without the time of their inputs. Without ANALYZE, the share of the cost counts. */
  readonly findHotNodes: readonly string[];
  /** Steps that found at least ten times more or fewer rows than the planner estimated. */
  readonly misestimates: readonly string[];
  readonly warnings: readonly string[];
}

/** Factor between estimate and measured rows at which an estimate is reported. Such an estimate often causes a bad plan. */
const MISESTIMATE = 10;
/** Minimum share of the total time or cost at which a step is reported. */
const HOT = 0.1;
const MAX_HOT = 3;
/** Minimum number of rows at which a problem is reported. */
const MANY_ROWS = 10_000;
/** Minimum number of loops at which a repeated scan is reported. */
const MANY_LOOPS = 100;

/** Finds expensive steps, wrong estimates and probable problems. */
function findProblems({ root }: Plan): PlanFindings {
  const steps = listSteps(root);
  return { findHotNodes: hotNodes(steps), misestimates: steps.flatMap(findMisestimate), warnings: steps.flatMap(findWarnings) };
}

function hotNodes(steps: readonly PlanNode[]): readonly string[] {
  const measured = steps.some(({ actualMs }) => actualMs !== undefined);
  const weight = measured ? ({ actualMs = 0 }: PlanNode) => actualMs : ({ cost }: PlanNode) => cost;
  // The largest value is the total, because the root may cost less than its inputs: LIMIT stops the inputs early.
  const total = Math.max(...steps.map(weight));
  return steps
    .map((node) => ({ node, share: (weight(node) - node.children.reduce((sum, child) => sum + weight(child), 0)) / total }))
    .filter(({ share }) => share >= HOT)
    .toSorted((first, second) => second.share - first.share)
    .slice(0, MAX_HOT)
    .map(({ node, share }) => `${formatStep(node)}: ${Math.round(share * 100)} % of the ${measured ? 'time' : 'cost'}`);
}

function findMisestimate(node: PlanNode): readonly string[] {
  const { actualRows, loops, rows } = node;
  if (actualRows === undefined || loops === 0) return [];
  const found = actualRows / loops;
  const factor = Math.max(rows, 1) / Math.max(found, 1);
  if (factor < MISESTIMATE && factor > 1 / MISESTIMATE) return [];
  return [`${formatStep(node)}: ${rows} rows expected, ${Math.round(found)} found${loops > 1 ? ' in each loop' : ''}`];
}

function findWarnings(node: PlanNode): readonly string[] {
  return WARNINGS.flatMap((warning) => warning(node) ?? []).map((text) => `${formatStep(node)}: ${text}`);
}

/** Functions that each recognize one problem of a step. */
const WARNINGS: readonly ((node: PlanNode) => string | undefined)[] = [
  ({ fields, actualRows = 0, loops, step }) => {
    const removed = (readNumber(fields, 'Rows Removed by Filter') ?? 0) * loops;
    if (!step.endsWith('Seq Scan') || removed < MANY_ROWS || removed < actualRows * MISESTIMATE) return undefined;
    return `the scan read and discarded ${removed} rows (filter: ${readText(fields, 'Filter') ?? 'unknown'}); an index could find the matching rows directly`;
  },
  ({ step, loops, rows }) =>
    step.endsWith('Seq Scan') && loops >= MANY_LOOPS && rows * loops >= MANY_ROWS ? `the scan runs ${loops} times` : undefined,
  ({ fields }) =>
    readText(fields, 'Sort Space Type') === 'Disk'
      ? `the sort used ${readNumber(fields, 'Sort Space Used') ?? 0} kB on disk; work_mem is too small`
      : undefined,
  ({ fields }) => {
    const batches = readNumber(fields, 'Hash Batches') ?? readNumber(fields, 'HashAgg Batches') ?? 1;
    return batches > 1 ? `the hash used ${batches} batches on disk; work_mem is too small` : undefined;
  },
  ({ fields }) => {
    const [planned = 0, launched = planned] = ['Workers Planned', 'Workers Launched'].map((name) => readNumber(fields, name));
    return launched < planned ? `only ${launched} of ${planned} planned workers were available` : undefined;
  },
  ({ fields }) => {
    const lossy = readNumber(fields, 'Lossy Heap Blocks') ?? 0;
    return lossy > 0 ? `the bitmap did not fit into work_mem; ${lossy} pages were read completely` : undefined;
  },
  ({ fields }) => {
    const fetches = readNumber(fields, 'Heap Fetches') ?? 0;
    return fetches >= MANY_ROWS ? `the scan still looked up ${fetches} rows in the table; VACUUM the table` : undefined;
  },
];
