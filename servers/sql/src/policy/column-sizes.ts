import { fieldsOf, folded, listOf, foldedNameIn, nodeOf, nodesIn, type Fields, type SyntaxNode } from './syntax-tree.ts';

/** A column of a subquery and its size, in the unit of the subclass. */
interface Column {
  readonly name: string;
  readonly size: number;
}

export type Columns = readonly Column[];

/** Columns and queries that a SELECT can name. */
export interface Scope {
  readonly columns: ReadonlyMap<string, number>;
  readonly queries: ReadonlyMap<string, Columns>;
}

/** Key of a column without a name in the statement. */
const UNNAMED = '';
const EMPTY: Scope = { columns: new Map(), queries: new Map() };

/**
 * Measures the expressions of a statement. A column of a subquery is as large as the expression that defines the column. Subclasses
 * define the unit.
 */
export abstract class ColumnSizes {
  /** Measures a whole statement. */
  statement(statement: SyntaxNode): void {
    this.measure(statement, EMPTY);
  }

  /** Returns the size of an expression or of any other part of a statement. Subqueries are measured with `select`. */
  protected abstract measure(part: SyntaxNode, scope: Scope): number;

  /** Returns the columns of a query as the outer query sees them. */
  protected abstract seenOutside(columns: Columns, select: Fields): Columns;

  /** Returns the columns of a recursive query inside its own definition, from the columns of its first part. */
  protected abstract repeated(columns: Columns): Columns;

  /** Returns the size of a named column, or `undefined` if no subquery defines the column. */
  protected sizeOfColumn({ fields }: SyntaxNode, { columns }: Scope): number | undefined {
    return columns.get(foldedNameIn(fields['fields']).at(-1) ?? UNNAMED) ?? columns.get(UNNAMED);
  }

  /** Returns the columns of a query, in order. */
  protected select(select: Fields, outer: Scope, self?: string): Columns {
    const { withClause, larg, rarg, targetList, fromClause, valuesLists, ...rest } = select;
    const scope = { ...outer, queries: this.#queries(fieldsOf(withClause), outer) };
    if (larg !== undefined) return this.#union([fieldsOf(larg), fieldsOf(rarg)], scope, self);
    const from = this.#from(nodesIn(fromClause), scope);
    const inner = seeing(scope, from);
    this.measure({ kind: 'rest', fields: rest }, inner);
    const rows = listOf(valuesLists).map((row) => this.#row(row, inner));
    const columns = [...nodesIn(targetList).flatMap((target) => this.#target(target, from, inner)), ...rows.reduce(widest, [])];
    return this.seenOutside(columns, select);
  }

  #union([first, second]: readonly [Fields, Fields], scope: Scope, self: string | undefined): Columns {
    const columns = this.select(first, scope);
    const known = self === undefined ? scope.queries : new Map([...scope.queries, [self, this.repeated(columns)]]);
    return widest(columns, this.select(second, { ...scope, queries: known }));
  }

  #queries({ ctes, recursive }: Fields, outer: Scope): Scope['queries'] {
    const queries = new Map(outer.queries);
    for (const { fields } of nodesIn(ctes)) {
      const name = folded(fields['ctename']);
      const query = nodeOf(fields['ctequery'])?.fields ?? {};
      const columns = this.select(query, { ...outer, queries }, recursive === true ? name : undefined);
      queries.set(name, renamed(columns, foldedNameIn(fields['aliascolnames'])));
    }
    return queries;
  }

  #from(items: readonly SyntaxNode[], scope: Scope): Columns {
    const columns: Column[] = [];
    for (const { kind, fields } of items) {
      const names = foldedNameIn(fieldsOf(fields['alias'])['colnames']);
      columns.push(...renamed(this.#item({ kind, fields }, scope, columns), names));
    }
    return columns;
  }

  #item({ kind, fields }: SyntaxNode, scope: Scope, before: Columns): Columns {
    if (kind === 'RangeVar') return scope.queries.get(folded(fields['relname'])) ?? [];
    const lateral = seeing(scope, before);
    if (kind === 'RangeSubselect')
      return this.select(nodeOf(fields['subquery'])?.fields ?? {}, fields['lateral'] === true ? lateral : scope);
    if (kind !== 'JoinExpr') return [{ name: UNNAMED, size: this.measure({ kind, fields }, lateral) }];
    const { larg, rarg, ...rest } = fields;
    const sides = this.#from(
      [larg, rarg].flatMap((side) => nodeOf(side) ?? []),
      lateral,
    );
    this.measure({ kind, fields: rest }, seeing(scope, sides));
    return sides;
  }

  #target({ fields }: SyntaxNode, from: Columns, scope: Scope): Columns {
    const value = nodeOf(fields['val']);
    const path = nodesIn(value?.fields['fields']);
    if (value === undefined || path.at(-1)?.kind === 'A_Star') return from;
    const name = folded(fields['name'] ?? path.at(-1)?.fields['sval']);
    return [{ name, size: this.measure(value, scope) }];
  }

  #row(row: unknown, scope: Scope): Columns {
    const values = listOf(nodeOf(row)?.fields['items']).flatMap((value) => nodeOf(value) ?? []);
    return values.map((value, index) => ({ name: `column${index + 1}`, size: this.measure(value, scope) }));
  }
}

/** Adds columns to a scope. They hide columns with the same names. */
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
