/** A step of a plan. */
export interface PlanNode {
  readonly step: string;
  /** The index, table, CTE or function that the step reads or changes; `undefined` for a step without such an object. */
  readonly on: string | undefined;
  readonly relation: string | undefined;
  readonly cost: number;
  readonly rows: number;
  /** With ANALYZE: total number of rows of all loops. */
  readonly actualRows: number | undefined;
  /** With ANALYZE: elapsed milliseconds of all loops, including the inputs of the step. */
  readonly actualMs: number | undefined;
  readonly loops: number;
  readonly condition: string | undefined;
  /** All fields of the step in the output of EXPLAIN. */
  readonly fields: PlanFields;
  readonly children: readonly PlanNode[];
}

/** A plan, with the facts about the whole statement. */
export interface Plan {
  readonly root: PlanNode;
  readonly planningMs: number | undefined;
  readonly executionMs: number | undefined;
  /** Settings that differ from their defaults; empty unless EXPLAIN had the option SETTINGS. */
  readonly settings: readonly string[];
  /** The complete output of EXPLAIN. */
  readonly json: string;
}

export type PlanFields = ReadonlyMap<string, unknown>;

/** Parses the output of EXPLAIN (FORMAT JSON). @throws TypeError or SyntaxError if the output is not a plan */
export function parsePlan(json: string): Plan {
  const parsed: unknown = JSON.parse(json);
  const top = readFields(Array.isArray(parsed) ? parsed[0] : undefined);
  return {
    root: parseNode(readFields(top.get('Plan')), 1),
    planningMs: readNumber(top, 'Planning Time'),
    executionMs: readNumber(top, 'Execution Time'),
    settings: Object.entries(top.get('Settings') ?? {}).map(([name, value]) => `${name} = ${String(value)}`),
    json,
  };
}

/** Returns the step and all steps below it, each before its inputs. */
export function listSteps(node: PlanNode): readonly PlanNode[] {
  return [node, ...node.children.flatMap(listSteps)];
}

/**
 * Parses a step and the steps below the step.
 *
 * @param processes number of processes that run the step in parallel; EXPLAIN adds up the loops of these processes
 */
function parseNode(fields: PlanFields, processes: number): PlanNode {
  const loops = readNumber(fields, 'Actual Loops') ?? 1;
  const actualRows = readNumber(fields, 'Actual Rows');
  const actualMs = readNumber(fields, 'Actual Total Time');
  const children = fields.get('Plans');
  const below = processes + (readNumber(fields, 'Workers Launched') ?? 0);
  return {
    step: nameStep(fields),
    on: readFirstText(fields, SUBJECTS),
    relation: readText(fields, 'Relation Name'),
    cost: readNumber(fields, 'Total Cost') ?? 0,
    rows: readNumber(fields, 'Plan Rows') ?? 0,
    actualRows: actualRows === undefined ? undefined : Math.round(actualRows * loops),
    actualMs: actualMs === undefined ? undefined : (actualMs * loops) / processes,
    loops,
    condition: readFirstText(fields, CONDITIONS),
    fields,
    children: Array.isArray(children) ? children.map((child) => parseNode(readFields(child), below)) : [],
  };
}

const SUBJECTS = ['Index Name', 'Relation Name', 'CTE Name', 'Function Name'];
const CONDITIONS = ['Index Cond', 'Hash Cond', 'Merge Cond', 'Join Filter', 'Filter', 'Recheck Cond'];

/** Returns the name of a step, similar to the text format of EXPLAIN: `Parallel Seq Scan`, `Hash Left Join`. */
function nameStep(fields: PlanFields): string {
  const type = readText(fields, 'Node Type') ?? 'Unknown';
  const join = readText(fields, 'Join Type');
  const joined = join === undefined || join === 'Inner' ? type : `${type.replace(/ Join$/, '')} ${join} Join`;
  return fields.get('Parallel Aware') === true ? `Parallel ${joined}` : joined;
}

function readFields(value: unknown): PlanFields {
  if (typeof value !== 'object' || value === null) throw new TypeError('EXPLAIN did not write a plan');
  return new Map(Object.entries(value));
}

function readFirstText(fields: PlanFields, names: readonly string[]): string | undefined {
  return names.map((name) => readText(fields, name)).find((text) => text !== undefined);
}

export function readNumber(fields: PlanFields, name: string): number | undefined {
  const value = fields.get(name);
  return typeof value === 'number' ? value : undefined;
}

export function readText(fields: PlanFields, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === 'string' ? value : undefined;
}
