/** A step of a plan, as far as a reader needs it. */
export interface PlanNode {
  readonly step: string;
  /** The table or index it works on. */
  readonly on: string | undefined;
  readonly relation: string | undefined;
  readonly cost: number;
  readonly rows: number;
  /** With ANALYZE: rows of all its loops together. */
  readonly actualRows: number | undefined;
  /** With ANALYZE: from its first loop to its last, with what feeds it, as a clock on the wall shows it. */
  readonly actualMs: number | undefined;
  readonly loops: number;
  readonly condition: string | undefined;
  /** All that EXPLAIN said of it. */
  readonly fields: PlanFields;
  readonly children: readonly PlanNode[];
}

/** A plan with what PostgreSQL says of it as a whole. */
export interface Plan {
  readonly root: PlanNode;
  readonly planningMs: number | undefined;
  readonly executionMs: number | undefined;
  /** Settings that differ from their defaults, where they were asked for. */
  readonly settings: readonly string[];
  /** As EXPLAIN wrote it. */
  readonly json: string;
}

export type PlanFields = ReadonlyMap<string, unknown>;

/** Reads what EXPLAIN (FORMAT JSON) wrote; throws if that is something else. */
export function parsePlan(json: string): Plan {
  const parsed: unknown = JSON.parse(json);
  const top = fieldsOf(Array.isArray(parsed) ? parsed[0] : undefined);
  return {
    root: nodeOf(fieldsOf(top.get('Plan')), 1),
    planningMs: numberOf(top, 'Planning Time'),
    executionMs: numberOf(top, 'Execution Time'),
    settings: Object.entries(top.get('Settings') ?? {}).map(([name, value]) => `${name} = ${String(value)}`),
    json,
  };
}

/** Every step, from the top. */
export function stepsOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...node.children.flatMap(stepsOf)];
}

/** @param processes that do this step at once, between which its loops are divided */
function nodeOf(fields: PlanFields, processes: number): PlanNode {
  const loops = numberOf(fields, 'Actual Loops') ?? 1;
  const actualRows = numberOf(fields, 'Actual Rows');
  const actualMs = numberOf(fields, 'Actual Total Time');
  const children = fields.get('Plans');
  const below = processes + (numberOf(fields, 'Workers Launched') ?? 0);
  return {
    step: stepOf(fields),
    on: firstOf(fields, SUBJECTS),
    relation: textOf(fields, 'Relation Name'),
    cost: numberOf(fields, 'Total Cost') ?? 0,
    rows: numberOf(fields, 'Plan Rows') ?? 0,
    actualRows: actualRows === undefined ? undefined : Math.round(actualRows * loops),
    actualMs: actualMs === undefined ? undefined : (actualMs * loops) / processes,
    loops,
    condition: firstOf(fields, CONDITIONS),
    fields,
    children: Array.isArray(children) ? children.map((child) => nodeOf(fieldsOf(child), below)) : [],
  };
}

const SUBJECTS = ['Index Name', 'Relation Name', 'CTE Name', 'Function Name'];
const CONDITIONS = ['Index Cond', 'Hash Cond', 'Merge Cond', 'Join Filter', 'Filter', 'Recheck Cond'];

/** `Parallel Seq Scan`, `Hash Left Join`: as EXPLAIN calls it in text. */
function stepOf(fields: PlanFields): string {
  const type = textOf(fields, 'Node Type') ?? 'Unknown';
  const join = textOf(fields, 'Join Type');
  const joined = join === undefined || join === 'Inner' ? type : `${type.replace(/ Join$/, '')} ${join} Join`;
  return fields.get('Parallel Aware') === true ? `Parallel ${joined}` : joined;
}

function fieldsOf(value: unknown): PlanFields {
  if (typeof value !== 'object' || value === null) throw new TypeError('EXPLAIN did not write a plan');
  return new Map(Object.entries(value));
}

function firstOf(fields: PlanFields, names: readonly string[]): string | undefined {
  return names.map((name) => textOf(fields, name)).find((text) => text !== undefined);
}

export function numberOf(fields: PlanFields, name: string): number | undefined {
  const value = fields.get(name);
  return typeof value === 'number' ? value : undefined;
}

export function textOf(fields: PlanFields, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === 'string' ? value : undefined;
}
