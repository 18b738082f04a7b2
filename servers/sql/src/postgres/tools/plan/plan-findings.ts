import { listSteps, readNumber, readText, type Plan, type PlanNode } from './plan-node.ts';
import { formatStep } from './plan-text.ts';

/** Notable steps of a plan, each as a line of text. */
export interface PlanFindings {
  /**
   * At most three steps with at least 10 % of the time, without the time of their inputs. Without ANALYZE, the share of the cost
   * counts.
   */
  readonly findHotNodes: readonly string[];
  /**
   * Steps that found at least ten times more or fewer rows than the planner estimated. A step that a LIMIT ended early is not
   * listed because of fewer rows.
   */
  readonly misestimates: readonly string[];
  readonly warnings: readonly string[];
}

/** Factor between estimate and measured rows at which an estimate is reported. Such an estimate often causes a bad plan. */
const MISESTIMATE = 10;
/** Minimum share of the total time or cost at which a step is reported. */
const HOT = 0.1;
const MAX_HOT = 3;
/** Minimum number of rows at which a problem of a scan is reported. */
const MANY_ROWS = 10_000;
/** Minimum number of loops at which a repeated scan is reported. */
const MANY_LOOPS = 100;

/** Finds expensive steps, wrong estimates and probable problems. */
export function findProblems({ root }: Plan): PlanFindings {
  const steps = listSteps(root);
  return { findHotNodes: hotNodes(steps), misestimates: findMisestimates(root, false), warnings: steps.flatMap(findWarnings) };
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

/** Pattern for the names of steps that read all rows of their inputs before they return the first row. */
const BLOCKING = /^(?:Sort|Hash|HashAggregate|Aggregate|WindowAgg|SetOp|Bitmap Heap Scan)$/;

/**
 * Lists the steps whose estimates are wrong.
 *
 * @param isCut whether a LIMIT above the step can end it before its last row, so that fewer rows than expected are not a mistake
 */
function findMisestimates(node: PlanNode, isCut: boolean): readonly string[] {
  const isInputCut = node.step === 'Limit' || (isCut && !BLOCKING.test(node.step));
  return [...findMisestimate(node, isCut), ...node.children.flatMap((child) => findMisestimates(child, isInputCut))];
}

function findMisestimate(node: PlanNode, isCut: boolean): readonly string[] {
  const { actualRows, loops, rows } = node;
  if (actualRows === undefined || loops === 0) return [];
  const found = actualRows / loops;
  const factor = Math.max(rows, 1) / Math.max(found, 1);
  if ((factor < MISESTIMATE || isCut) && factor > 1 / MISESTIMATE) return [];
  return [`${formatStep(node)}: expected rows: ${rows}, found: ${Math.round(found)}${loops > 1 ? ' in each loop' : ''}`];
}

/** Formats a sum over loops. EXPLAIN rounds the number of each loop, so the sum is not exact. */
function formatCount(sum: number, loops: number): string {
  return loops === 1 ? String(sum) : `about ${Number(sum.toPrecision(3))}`;
}

function findWarnings(node: PlanNode): readonly string[] {
  return WARNINGS.flatMap((warning) => warning(node) ?? []).map((text) => `${formatStep(node)}: ${text}`);
}

/** Functions that each recognize one problem of a step and return its description. */
const WARNINGS: readonly ((node: PlanNode) => string | undefined)[] = [
  ({ fields, actualRows = 0, loops, step }) => {
    const removed = (readNumber(fields, 'Rows Removed by Filter') ?? 0) * loops;
    if (!step.endsWith('Seq Scan') || removed < MANY_ROWS || removed < actualRows * MISESTIMATE) return undefined;
    return `the scan read and discarded ${formatCount(removed, loops)} rows (filter: ${readText(fields, 'Filter') ?? 'unknown'}); an index could find the matching rows directly`;
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
    return lossy > 0 ? `the bitmap did not fit into work_mem; pages that were read completely: ${lossy}` : undefined;
  },
  ({ fields }) => {
    const fetches = readNumber(fields, 'Heap Fetches') ?? 0;
    return fetches >= MANY_ROWS ? `the scan still looked up ${fetches} rows in the table; VACUUM the table` : undefined;
  },
];
