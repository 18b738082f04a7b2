import { listSteps, type Plan, type PlanNode } from './plan-node.ts';

/** A step of a plan, for the view of the plan. */
export interface ViewedStep {
  readonly step: string;
  /** The index, table, CTE or function that the step reads or changes. */
  readonly on?: string | undefined;
  readonly condition?: string | undefined;
  readonly cost: number;
  readonly rows: number;
  /** With ANALYZE: total number of rows of all loops. */
  readonly actualRows?: number | undefined;
  /** With ANALYZE: elapsed milliseconds of all loops, including the inputs of the step. */
  readonly actualMs?: number | undefined;
  readonly loops: number;
  /** All fields of the step in the output of EXPLAIN, except its inputs. Each value is cut to 500 characters. */
  readonly details: Readonly<Record<string, string>>;
  readonly children: readonly ViewedStep[];
}

/** A plan, for the view of the plan. */
export interface ViewedPlan {
  /** Absent if the plan has more than 1,000 steps. */
  readonly root?: ViewedStep;
  readonly planningMs?: number | undefined;
  readonly executionMs?: number | undefined;
}

/** Maximum number of steps of a viewed plan, and maximum number of characters of a field. */
const MAX_STEPS = 1000;
const MAX_FIELD = 500;

export function viewPlan({ root, planningMs, executionMs }: Plan): ViewedPlan {
  const isSmall = listSteps(root).length <= MAX_STEPS;
  return { ...(isSmall && { root: viewStep(root) }), planningMs, executionMs };
}

function viewStep({ step, on, condition, cost, rows, actualRows, actualMs, loops, fields, children }: PlanNode): ViewedStep {
  const details = [...fields].flatMap(([name, value]): readonly (readonly [string, string])[] =>
    name === 'Plans' ? [] : [[name, (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_FIELD)]],
  );
  const shown = { step, on, condition: condition?.slice(0, MAX_FIELD), cost, rows, actualRows, actualMs, loops };
  return { ...shown, details: Object.fromEntries(details), children: children.map(viewStep) };
}
