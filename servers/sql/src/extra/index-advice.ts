import type { PlanNode } from '../plan/plan-node.ts';

/** Smaller tables are read whole in no time. */
const SMALL_ROWS = 1000;
/** Where more of the rows are wanted, reading the whole table is as good. */
const LARGE_PART = 0.2;

/** A table that a plan reads from end to end. */
export interface ScannedTable {
  readonly node: PlanNode;
  /** All its rows, as the planner guesses. */
  readonly rows: number;
  readonly columns: readonly string[];
  /** Columns that an index begins with. */
  readonly indexed: ReadonlySet<string>;
}

/** The columns of an index that would help, or why none would. */
export type Advice = { readonly columns: readonly string[] } | { readonly why: string };

export function adviceFor({ node, rows, columns, indexed }: ScannedTable): Advice {
  const { condition = '' } = node;
  if (rows < SMALL_ROWS) return { why: `its ${rows} rows are read faster than an index` };
  if (condition === '') return { why: 'all its rows are wanted' };
  if (node.rows > LARGE_PART * rows) return { why: `${node.rows} of its ${rows} rows are wanted` };
  const [first, ...others] = indexableColumns(condition, columns);
  if (first === undefined) return { why: `no column is compared by itself in ${condition}` };
  if (indexed.has(first)) return { why: `an index begins with ${first}, and is not worth it` };
  return { columns: [first, ...others] };
}

/** Columns that a condition compares as they are: those with `=`, then one with a range. Alternatives would need an index each. */
export function indexableColumns(condition: string, columns: readonly string[]): readonly string[] {
  // What is between quotes is a value.
  const bare = condition.replaceAll(/'(?:[^']|'')*'/g, "''");
  if (/\bOR\b/.test(bare)) return [];
  const compared = Array.from(bare.matchAll(COMPARISON), ([, cast, plain, operator = '']) => ({
    column: (cast ?? plain ?? '').replace(/^"(.*)"$/, (_, name: string) => name.replaceAll('""', '"')),
    isEqual: operator === '=',
  })).filter(({ column }) => columns.includes(column));
  const equal = compared.filter(({ isEqual }) => isEqual).map(({ column }) => column);
  const ranges = compared.filter(({ isEqual }) => !isEqual).map(({ column }) => column);
  return [...new Set([...equal, ...ranges.slice(0, 1)])];
}

// `(orders.status)::text = …` or `orders.note = …`, but not `lower(orders.note) = …`.
const NAME = '(?:"(?:[^"]|"")+"|[\\p{L}_][\\p{L}\\p{N}_$]*)';
const COLUMN = `(?:${NAME}\\.)?(${NAME})`;
const COMPARISON = new RegExp(`(?<![\\p{L}\\p{N}_$".])(?:\\(${COLUMN}\\)::[a-z ]+|${COLUMN}) (=|<=|>=|<|>) `, 'gu');
