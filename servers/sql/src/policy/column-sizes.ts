import { Bindings } from './bindings.ts';
import { ALL, ColumnList, isOpen, renamed, UNNAMED, widest, type Column } from './column-list.ts';
import { fieldsOf, folded, listOf, foldedNameIn, nodeOf, nodesIn, type Fields, type SyntaxNode } from './syntax-tree.ts';

export type Columns = readonly Column[];

/** A query whose FROM defines names. Subqueries in FROM that are not LATERAL do not see the names. */
interface Level {
  isHidden: boolean;
}

/** Sizes that a name has in a query and, at most, in the queries around it. */
interface Visible {
  readonly level: Level;
  readonly inside: number;
  readonly outside: number | undefined;
}

/** An item of FROM: its largest column, all its columns together, and whether some of its columns are unknown. */
interface Item {
  readonly largest: number;
  readonly total: number;
  readonly isOpen: boolean;
}

/**
 * Measures the expressions of a statement. A column of a subquery is as large as the expression that defines the column. Subclasses
 * define the unit. If a name is visible several times, its size is the largest, because the name may be qualified.
 */
export abstract class ColumnSizes {
  readonly #columns = new Bindings<Visible>();
  readonly #queries = new Bindings<Columns>();
  #level: Level = { isHidden: false };

  /** Measures a whole statement. */
  statement(statement: SyntaxNode): void {
    this.measure(statement);
  }

  /** Size of a column of a table. */
  protected abstract readonly stored: number;

  /** Returns the size of an expression or of any other part of a statement. Subqueries are measured with `select`. */
  protected abstract measure(part: SyntaxNode): number;

  /** Returns the columns of a query as the outer query sees them. */
  protected abstract seenOutside(columns: Columns, select: Fields): Columns;

  /** Returns the columns of a recursive query inside its own definition, from the columns of its first part. */
  protected abstract repeated(columns: Columns): Columns;

  /** Returns the size of a row, which may be read field by field. */
  protected abstract rowSize(item: Pick<Item, 'largest' | 'total'>): number;

  /** Returns the size of a named column or row, or `undefined` if no subquery defines the column or row. */
  protected sizeOfColumn({ fields }: SyntaxNode): number | undefined {
    // In `q.*`, only the row has a name.
    const name = foldedNameIn(fields['fields']).findLast((part) => part !== '') ?? ALL;
    const named = this.#sizeOf(name);
    const unnamed = this.#sizeOf(UNNAMED);
    return named === undefined || unnamed === undefined ? (named ?? unnamed) : Math.max(named, unnamed);
  }

  /** Returns the columns of a query, in order. */
  protected select(select: Fields, self?: string): Columns {
    const entered = [this.#columns.enter(), this.#queries.enter()] as const;
    const outer = this.#level;
    this.#level = { isHidden: false };
    const columns = this.#selected(select, self);
    this.#level = outer;
    this.#columns.leave(entered[0]);
    this.#queries.leave(entered[1]);
    return columns;
  }

  #selected(select: Fields, self: string | undefined): Columns {
    const { withClause, larg, rarg, targetList, fromClause, valuesLists, ...rest } = select;
    this.#define(fieldsOf(withClause));
    if (larg !== undefined) {
      const columns = this.#union([fieldsOf(larg), fieldsOf(rarg)], self);
      this.measure({ kind: 'rest', fields: rest });
      return columns;
    }
    const from: Column[] = [];
    const items = nodesIn(fromClause);
    for (const item of items) this.#join(item, from);
    this.measure({ kind: 'rest', fields: rest });
    const rows = listOf(valuesLists).map((row) => this.#row(row));
    const columns = new ColumnList();
    for (const target of nodesIn(targetList)) this.#target(target, { from, isSingle: items.length === 1 }, columns);
    columns.addAll(rows.reduce(widest, []));
    return this.seenOutside(columns.columns, select);
  }

  #union([first, second]: readonly [Fields, Fields], self: string | undefined): Columns {
    const columns = this.select(first);
    const entered = this.#queries.enter();
    if (self !== undefined) this.#queries.set(self, this.repeated(columns));
    const others = this.select(second);
    this.#queries.leave(entered);
    return widest(columns, others);
  }

  #define({ ctes, recursive }: Fields): void {
    for (const { fields } of nodesIn(ctes)) {
      const name = folded(fields['ctename']);
      const query = nodeOf(fields['ctequery'])?.fields ?? {};
      const columns = this.select(query, recursive === true ? name : undefined);
      const mark = fieldsOf(fields['cycle_clause']);
      const marks = 'cycle_mark_column' in mark ? [this.#mark(mark)] : [];
      this.#queries.set(name, [...renamed(columns, foldedNameIn(fields['aliascolnames'])), ...marks]);
    }
  }

  #mark(cycle: Fields): Column {
    return { name: folded(cycle['cycle_mark_column']), size: this.measure({ kind: 'cycle_clause', fields: cycle }) };
  }

  /** Adds the columns of an item of FROM to those before it, and makes their names visible. */
  #join({ kind, fields }: SyntaxNode, from: Column[]): Item {
    const start = from.length;
    const item = this.#item({ kind, fields }, from);
    const { aliasname, colnames } = fieldsOf(fields['alias']);
    for (const alias of [aliasname, fields['relname'], fieldsOf(fields['join_using_alias'])['aliasname']])
      if (typeof alias === 'string') this.#show({ name: folded(alias), size: this.rowSize(item) });
    for (const [index, name] of foldedNameIn(colnames).entries()) {
      const before = from[start + index];
      const column = { name, size: item.isOpen ? item.largest : (before?.size ?? 0) };
      // Without known positions, the columns keep their own names, too.
      if (item.isOpen || before === undefined) from.push(column);
      else from[start + index] = column;
      this.#show(column);
    }
    return item;
  }

  #item({ kind, fields }: SyntaxNode, from: Column[]): Item {
    if (kind === 'RangeVar') return this.#added(this.#relation(fields), from);
    if (kind === 'RangeSubselect') return this.#added(this.#subquery(fields), from);
    if (kind !== 'JoinExpr') return this.#added([{ name: UNNAMED, size: this.measure({ kind, fields }), isOpen: true }], from);
    const { larg, rarg, ...rest } = fields;
    const sides = [larg, rarg].flatMap((side) => nodeOf(side) ?? []).map((side) => this.#join(side, from));
    // PostgreSQL puts merged columns first.
    if ('usingClause' in rest || 'isNatural' in rest) sides.push(this.#added([{ name: ALL, size: 0, isOpen: true }], from));
    this.measure({ kind, fields: rest });
    return sides.reduce((all, side) => ({
      largest: Math.max(all.largest, side.largest),
      total: all.total + side.total,
      isOpen: all.isOpen || side.isOpen,
    }));
  }

  #relation({ relname, schemaname }: Fields): Columns {
    const query = schemaname === undefined ? this.#queries.get(folded(relname)) : undefined;
    return query ?? [{ name: ALL, size: this.stored, isOpen: true }];
  }

  #subquery({ subquery, lateral }: Fields): Columns {
    this.#level.isHidden = lateral !== true;
    const columns = this.select(nodeOf(subquery)?.fields ?? {});
    this.#level.isHidden = false;
    return columns;
  }

  #added(columns: Columns, from: Column[]): Item {
    let [largest, total] = [0, 0];
    for (const column of columns) {
      from.push(column);
      this.#show(column);
      largest = Math.max(largest, column.size);
      total += column.size;
    }
    return { largest, total, isOpen: isOpen(columns) };
  }

  #show({ name, size }: Column): void {
    for (const key of [name, ALL]) {
      const before = this.#columns.get(key);
      const level = this.#level;
      if (before?.level !== level) this.#columns.set(key, { level, inside: size, outside: this.#sizeOf(key) });
      else if (size > before.inside) this.#columns.set(key, { ...before, inside: size });
    }
  }

  #sizeOf(name: string): number | undefined {
    const visible = this.#columns.get(name);
    if (visible === undefined || visible.level.isHidden) return visible?.outside;
    return Math.max(visible.inside, visible.outside ?? 0);
  }

  #target({ fields }: SyntaxNode, { from, isSingle }: { from: Columns; isSingle: boolean }, columns: ColumnList): void {
    const value = nodeOf(fields['val']);
    if (value === undefined) return;
    const path = nodesIn(value.fields['fields']);
    if (path.at(-1)?.kind !== 'A_Star') {
      const name = folded(fields['name'] ?? path.at(-1)?.fields['sval']);
      columns.add({ name, size: this.measure(value), isOpen: isStar(value) });
      return;
    }
    columns.addAll(from);
    // The star of one item of several has fewer columns.
    if (path.length > 1 && !isSingle) columns.add({ name: ALL, size: 0, isOpen: true });
  }

  #row(row: unknown): Columns {
    const values = listOf(nodeOf(row)?.fields['items']).flatMap((value) => nodeOf(value) ?? []);
    return values.map((value, index) => ({ name: `column${index + 1}`, size: this.measure(value), isOpen: isStar(value) }));
  }
}

/** Whether an expression is a row that is replaced by its fields. */
function isStar({ fields }: SyntaxNode): boolean {
  return nodesIn(fields['indirection'] ?? fields['fields']).at(-1)?.kind === 'A_Star';
}
