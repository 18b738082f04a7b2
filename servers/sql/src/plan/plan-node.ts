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
  readonly actualMs: number | undefined;
  readonly condition: string | undefined;
  readonly children: readonly PlanNode[];
}

/** A plan with what PostgreSQL says of it as a whole. */
export interface Plan {
  readonly root: PlanNode;
  readonly planningMs: number | undefined;
  readonly executionMs: number | undefined;
}

type Fields = ReadonlyMap<string, unknown>;

/** Reads what EXPLAIN (FORMAT JSON) wrote; throws if that is something else. */
export function parsePlan(json: string): Plan {
  const parsed: unknown = JSON.parse(json);
  const top = fieldsOf(Array.isArray(parsed) ? parsed[0] : undefined);
  return {
    root: nodeOf(fieldsOf(top.get('Plan'))),
    planningMs: numberOf(top, 'Planning Time'),
    executionMs: numberOf(top, 'Execution Time'),
  };
}

/** Every step, from the top. */
export function stepsOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...node.children.flatMap(stepsOf)];
}

function nodeOf(fields: Fields): PlanNode {
  const loops = numberOf(fields, 'Actual Loops') ?? 1;
  const actualRows = numberOf(fields, 'Actual Rows');
  const actualMs = numberOf(fields, 'Actual Total Time');
  const children = fields.get('Plans');
  return {
    step: textOf(fields, 'Node Type') ?? 'Unknown',
    on: firstOf(fields, SUBJECTS),
    relation: textOf(fields, 'Relation Name'),
    cost: numberOf(fields, 'Total Cost') ?? 0,
    rows: numberOf(fields, 'Plan Rows') ?? 0,
    actualRows: actualRows === undefined ? undefined : Math.round(actualRows * loops),
    actualMs: actualMs === undefined ? undefined : actualMs * loops,
    condition: firstOf(fields, CONDITIONS),
    children: Array.isArray(children) ? children.map((child) => nodeOf(fieldsOf(child))) : [],
  };
}

const SUBJECTS = ['Index Name', 'Relation Name', 'CTE Name', 'Function Name'];
const CONDITIONS = ['Index Cond', 'Hash Cond', 'Merge Cond', 'Join Filter', 'Filter', 'Recheck Cond'];

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new TypeError('EXPLAIN did not write a plan');
  return new Map(Object.entries(value));
}

function firstOf(fields: Fields, names: readonly string[]): string | undefined {
  return names.map((name) => textOf(fields, name)).find((text) => text !== undefined);
}

function numberOf(fields: Fields, name: string): number | undefined {
  const value = fields.get(name);
  return typeof value === 'number' ? value : undefined;
}

function textOf(fields: Fields, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === 'string' ? value : undefined;
}
