import { numberOf, stepsOf, textOf, type Plan, type PlanNode } from './plan-node.ts';
import { stepText } from './plan-text.ts';

/** What stands out in a plan. */
export interface PlanFindings {
  /** The steps that take most of the time, or of the cost where nothing was measured, without what feeds them. */
  readonly hotNodes: readonly string[];
  /** Steps whose rows the planner guessed wrong by `MISESTIMATE`. */
  readonly misestimates: readonly string[];
  readonly warnings: readonly string[];
}

/** A guess that is wrong by this factor leads to a wrong plan. */
const MISESTIMATE = 10;
/** A step with less than this share is not worth a look. */
const HOT = 0.1;
const MAX_HOT = 3;
/** Fewer rows than this are read in no time. */
const MANY_ROWS = 10_000;
/** A scan inside a loop counts from here on. */
const MANY_LOOPS = 100;

export function findingsIn({ root }: Plan): PlanFindings {
  const steps = stepsOf(root);
  return { hotNodes: hotNodes(steps), misestimates: steps.flatMap(misestimate), warnings: steps.flatMap(warningsOf) };
}

function hotNodes(steps: readonly PlanNode[]): readonly string[] {
  const measured = steps.some(({ actualMs }) => actualMs !== undefined);
  const weight = measured ? ({ actualMs = 0 }: PlanNode) => actualMs : ({ cost }: PlanNode) => cost;
  // Not the root's: a LIMIT costs less than what it cuts short.
  const total = Math.max(...steps.map(weight));
  return steps
    .map((node) => ({ node, share: (weight(node) - node.children.reduce((sum, child) => sum + weight(child), 0)) / total }))
    .filter(({ share }) => share >= HOT)
    .toSorted((first, second) => second.share - first.share)
    .slice(0, MAX_HOT)
    .map(({ node, share }) => `${stepText(node)}: ${Math.round(share * 100)} % of the ${measured ? 'time' : 'cost'}`);
}

function misestimate(node: PlanNode): readonly string[] {
  const { actualRows, loops, rows } = node;
  if (actualRows === undefined || loops === 0) return [];
  const found = actualRows / loops;
  const factor = Math.max(rows, 1) / Math.max(found, 1);
  if (factor < MISESTIMATE && factor > 1 / MISESTIMATE) return [];
  return [`${stepText(node)}: ${rows} expected, ${Math.round(found)} found${loops > 1 ? ' in each loop' : ''}`];
}

function warningsOf(node: PlanNode): readonly string[] {
  return WARNINGS.flatMap((warning) => warning(node) ?? []).map((text) => `${stepText(node)}: ${text}`);
}

/** Each knows one thing that may be wrong with a step. */
const WARNINGS: readonly ((node: PlanNode) => string | undefined)[] = [
  ({ fields, actualRows = 0, loops, step }) => {
    const removed = (numberOf(fields, 'Rows Removed by Filter') ?? 0) * loops;
    if (!step.endsWith('Seq Scan') || removed < MANY_ROWS || removed < actualRows * MISESTIMATE) return undefined;
    return `${removed} rows were read and left out by ${textOf(fields, 'Filter') ?? 'its filter'}; an index could find the others`;
  },
  ({ step, loops, rows }) =>
    step.endsWith('Seq Scan') && loops >= MANY_LOOPS && rows * loops >= MANY_ROWS ? `it is done ${loops} times` : undefined,
  ({ fields }) =>
    textOf(fields, 'Sort Space Type') === 'Disk'
      ? `it sorted on disk, ${numberOf(fields, 'Sort Space Used') ?? 0} kB; work_mem is too small for it`
      : undefined,
  ({ fields }) => {
    const batches = numberOf(fields, 'Hash Batches') ?? numberOf(fields, 'HashAgg Batches') ?? 1;
    return batches > 1 ? `it wrote to disk, in ${batches} batches; work_mem is too small for it` : undefined;
  },
  ({ fields }) => {
    const [planned = 0, launched = planned] = ['Workers Planned', 'Workers Launched'].map((name) => numberOf(fields, name));
    return launched < planned ? `${launched} of ${planned} workers were there` : undefined;
  },
  ({ fields }) => {
    const lossy = numberOf(fields, 'Lossy Heap Blocks') ?? 0;
    return lossy > 0 ? `its bitmap did not fit into work_mem, ${lossy} pages were read whole` : undefined;
  },
  ({ fields }) => {
    const fetches = numberOf(fields, 'Heap Fetches') ?? 0;
    return fetches >= MANY_ROWS ? `${fetches} rows were looked up in the table all the same; it needs a VACUUM` : undefined;
  },
];
