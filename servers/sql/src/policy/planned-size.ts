import { ToolError } from '@org/mcp-decorators';

import { tooDeep } from './bounds.ts';
import { CONSTANT_BYTES, growth, isExpanding } from './literal-expansion.ts';
import { fieldsOf, listOf, nameIn, nodeOf, nodesIn, nodesOf, type Fields, type SyntaxNode } from './syntax-tree.ts';

/** A column of a subquery, and how many bytes, about, it takes wherever the planner writes down what it is made of. */
interface Column {
  readonly name: string;
  readonly size: number;
}

type Columns = readonly Column[];

/** What can be named in a SELECT. */
interface Scope {
  readonly columns: ReadonlyMap<string, number>;
  readonly queries: ReadonlyMap<string, Columns>;
}

type Params = readonly (string | null)[];

const NODE_BYTES = 64;
const STATEMENT_BYTES = 2 * CONSTANT_BYTES;
/** Of a column whose name the statement does not give. */
const UNNAMED = '';
/** Types whose values are as long as is said, whatever they are. */
const PADDED: ReadonlySet<string> = new Set(['bpchar', 'bit']);
const AGGREGATES = /^(count|sum|avg|min|max|(array|string|jsonb?|jsonb?_object|xml)_agg|bool_(and|or)|every)$/;

/**
 * Refuses what grows while it is planned, which no timeout interrupts: columns of subqueries that are made of columns of
 * subqueries, each used more than once. Ten lines of `x || x` are seven gigabytes.
 *
 * @throws ToolError POLICY_DENIED or TOO_LARGE
 */
export function requireModestPlan(statement: SyntaxNode, params: Params): void {
  try {
    new PlannedSize(params).add(statement, { columns: new Map(), queries: new Map() });
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(error) : error;
  }
}

class PlannedSize {
  readonly #params: Params;
  #total = 0;

  constructor(params: Params) {
    this.#params = params;
  }

  /** The size of an expression, or of any other part of a statement. */
  add(part: SyntaxNode, scope: Scope): number {
    let size = 0;
    for (const node of nodesOf(part, ({ kind }) => kind !== 'SelectStmt')) {
      if (node.kind === 'SelectStmt') this.#select(node.fields, scope);
      else size += this.#sizeOf(node, scope);
    }
    this.#total += size;
    if (this.#total > STATEMENT_BYTES) throw tooLarge();
    return size;
  }

  #sizeOf(node: SyntaxNode, { columns }: Scope): number {
    const { kind, fields } = node;
    if (kind === 'ColumnRef')
      return columns.get(nameIn(fields['fields']).at(-1) ?? UNNAMED) ?? columns.get(UNNAMED) ?? NODE_BYTES;
    if (kind === 'sval') return String(fields['sval']).length;
    if (kind === 'typeName' && PADDED.has(nameIn(fields['names']).at(-1) ?? UNNAMED)) return widthIn(fields);
    return NODE_BYTES + (isExpanding(node) ? growth(node, this.#params) : 0);
  }

  /** The columns of a query, in order. */
  #select({ withClause, larg, rarg, targetList, fromClause, valuesLists, ...rest }: Fields, outer: Scope): Columns {
    const scope = { ...outer, queries: this.#queries(fieldsOf(withClause), outer) };
    if (larg !== undefined) return widest(this.#select(fieldsOf(larg), scope), this.#select(fieldsOf(rarg), scope));
    const from = this.#from(nodesIn(fromClause), scope);
    const inner = seeing(scope, from);
    this.add({ kind: 'rest', fields: rest }, inner);
    const rows = listOf(valuesLists).map((row) => this.#row(row, inner));
    const columns = [...nodesIn(targetList).flatMap((target) => this.#target(target, from, inner)), ...rows.reduce(widest, [])];
    return isPlannedApart(rest, targetList) ? columns.map(({ name }) => ({ name, size: NODE_BYTES })) : columns;
  }

  #queries({ ctes }: Fields, outer: Scope): Scope['queries'] {
    const queries = new Map(outer.queries);
    for (const { fields } of nodesIn(ctes)) {
      const columns = this.#select(nodeOf(fields['ctequery'])?.fields ?? {}, { ...outer, queries });
      queries.set(String(fields['ctename']), renamed(columns, nameIn(fields['aliascolnames'])));
    }
    return queries;
  }

  #from(items: readonly SyntaxNode[], scope: Scope): Columns {
    const columns: Column[] = [];
    for (const { kind, fields } of items) {
      const names = nameIn(fieldsOf(fields['alias'])['colnames']);
      columns.push(...renamed(this.#item({ kind, fields }, scope, columns), names));
    }
    return columns;
  }

  #item({ kind, fields }: SyntaxNode, scope: Scope, before: Columns): Columns {
    if (kind === 'RangeVar') return scope.queries.get(String(fields['relname'])) ?? [];
    const lateral = seeing(scope, before);
    if (kind === 'RangeSubselect')
      return this.#select(nodeOf(fields['subquery'])?.fields ?? {}, fields['lateral'] === true ? lateral : scope);
    if (kind !== 'JoinExpr') return [{ name: UNNAMED, size: this.add({ kind, fields }, lateral) }];
    const { larg, rarg, ...rest } = fields;
    const sides = this.#from(
      [larg, rarg].flatMap((side) => nodeOf(side) ?? []),
      lateral,
    );
    this.add({ kind, fields: rest }, seeing(scope, sides));
    return sides;
  }

  #target({ fields }: SyntaxNode, from: Columns, scope: Scope): Columns {
    const value = nodeOf(fields['val']);
    const path = nodesIn(value?.fields['fields']);
    if (value === undefined || path.at(-1)?.kind === 'A_Star') return from;
    const name = fields['name'] ?? path.at(-1)?.fields['sval'] ?? UNNAMED;
    return [{ name: String(name), size: this.add(value, scope) }];
  }

  #row(row: unknown, scope: Scope): Columns {
    const values = listOf(nodeOf(row)?.fields['items']).flatMap((value) => nodeOf(value) ?? []);
    return values.map((value, index) => ({ name: `column${index + 1}`, size: this.add(value, scope) }));
  }
}

function widthIn({ typmods }: Fields): number {
  const [width] = nodesIn(typmods);
  return Number(fieldsOf(width?.fields['ival'])['ival'] ?? 1);
}

/** With these columns, which hide those of the same names. */
function seeing(scope: Scope, columns: Columns): Scope {
  const found = new Map<string, number>();
  for (const { name, size } of columns) found.set(name, Math.max(size, found.get(name) ?? 0));
  return columns.length === 0 ? scope : { ...scope, columns: new Map([...scope.columns, ...found]) };
}

function renamed(columns: Columns, names: readonly string[]): Columns {
  return names.length === 0 ? columns : columns.map(({ name, size }, index) => ({ name: names[index] ?? name, size }));
}

function widest(some: Columns, others: Columns): Columns {
  if (some.length === 0) return others;
  return some.map(({ name, size }, index) => ({ name, size: Math.max(size, others[index]?.size ?? 0) }));
}

/** Its columns stay what they are: nothing is put where they are used. */
function isPlannedApart({ limitCount, limitOffset }: Fields, targetList: unknown): boolean {
  if (limitCount !== undefined || limitOffset !== undefined) return true;
  return nodesOf({ kind: 'targets', fields: { targetList } }, ({ kind }) => kind !== 'SelectStmt').some(
    ({ kind, fields }) => kind === 'FuncCall' && ('over' in fields || AGGREGATES.test(nameIn(fields['funcname']).join('.'))),
  );
}

function tooLarge(): ToolError {
  return new ToolError('POLICY_DENIED', `the planner would write more than ${STATEMENT_BYTES} bytes of columns of subqueries`, {
    hint: 'use each column of a subquery less often, or give the subquery a LIMIT; the operator may allow it with --policy off',
    data: { rule: 'planned-size', name: 'subqueries', option: '--policy off' },
  });
}
