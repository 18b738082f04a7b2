import {
  toFields,
  foldName,
  toList,
  getFoldedName,
  toNode,
  toNodes,
  type Fields,
  type SyntaxNode,
} from '../parse/syntax-tree.ts';
import { ALL, ColumnList, isOpen, renameColumns, UNNAMED, mergeColumns, type Column } from './column-list.ts';

export type Columns = readonly Column[];

/** A query whose FROM defines names. While a subquery in FROM without LATERAL is measured, the names are hidden. */
interface Level {
  isHidden: boolean;
}

/** Sizes of a name: the size that the query defines, and the largest size in the queries around it. */
interface Visible {
  readonly level: Level;
  readonly inside: number;
  readonly outside: number | undefined;
}

/** Sizes of an item of FROM: its largest column, all its columns together, and whether the positions of its columns are unknown. */
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
  protected abstract toOuterColumns(columns: Columns, select: Fields): Columns;

  /** Returns the columns that a recursive query sees when it refers to itself, from the columns of its non-recursive part. */
  protected abstract repeatColumns(columns: Columns): Columns;

  /** Returns the size of a row, from the sizes of its columns. */
  protected abstract rowSize(item: Pick<Item, 'largest' | 'total'>): number;

  /** Returns the size of the column or row to which a reference refers. Returns `undefined` if no subquery defines the column or row. */
  protected findColumnSize({ fields }: SyntaxNode): number | undefined {
    // In `q.*`, the star has no name, so the name `q` of the row is used.
    const name = getFoldedName(fields['fields']).findLast((part) => part !== '') ?? ALL;
    const named = this.#findSize(name);
    const unnamed = this.#findSize(UNNAMED);
    return named === undefined || unnamed === undefined ? (named ?? unnamed) : Math.max(named, unnamed);
  }

  /** Returns the columns of a query, in order. */
  protected select(select: Fields, self?: string): Columns {
    const entered = [this.#columns.enter(), this.#queries.enter()] as const;
    const outer = this.#level;
    this.#level = { isHidden: false };
    const columns = this.#measureSelect(select, self);
    this.#level = outer;
    this.#columns.leave(entered[0]);
    this.#queries.leave(entered[1]);
    return columns;
  }

  #measureSelect(select: Fields, self: string | undefined): Columns {
    const { withClause, larg, rarg, targetList, fromClause, valuesLists, ...rest } = select;
    this.#define(toFields(withClause));
    if (larg !== undefined) {
      const columns = this.#union([toFields(larg), toFields(rarg)], self);
      this.measure({ kind: 'rest', fields: rest });
      return columns;
    }
    const from: Column[] = [];
    const items = toNodes(fromClause);
    for (const item of items) this.#join(item, from);
    this.measure({ kind: 'rest', fields: rest });
    const rows = toList(valuesLists).map((row) => this.#row(row));
    const columns = new ColumnList();
    for (const target of toNodes(targetList)) this.#target(target, { from, isSingle: items.length === 1 }, columns);
    columns.addAll(rows.reduce(mergeColumns, []));
    return this.toOuterColumns(columns.columns, select);
  }

  #union([first, second]: readonly [Fields, Fields], self: string | undefined): Columns {
    const columns = this.select(first);
    const entered = this.#queries.enter();
    if (self !== undefined) this.#queries.set(self, this.repeatColumns(columns));
    const others = this.select(second);
    this.#queries.leave(entered);
    return mergeColumns(columns, others);
  }

  #define({ ctes, recursive }: Fields): void {
    for (const { fields } of toNodes(ctes)) {
      const name = foldName(fields['ctename']);
      const query = toNode(fields['ctequery'])?.fields ?? {};
      const columns = this.select(query, recursive === true ? name : undefined);
      const mark = toFields(fields['cycle_clause']);
      const marks = 'cycle_mark_column' in mark ? [this.#mark(mark)] : [];
      this.#queries.set(name, [...renameColumns(columns, getFoldedName(fields['aliascolnames'])), ...marks]);
    }
  }

  #mark(cycle: Fields): Column {
    return { name: foldName(cycle['cycle_mark_column']), size: this.measure({ kind: 'cycle_clause', fields: cycle }) };
  }

  /** Adds the columns of an item of FROM to `from`, and makes their names and the aliases of the item visible. */
  #join({ kind, fields }: SyntaxNode, from: Column[]): Item {
    const start = from.length;
    const item = this.#item({ kind, fields }, from);
    const { aliasname, colnames } = toFields(fields['alias']);
    for (const alias of [aliasname, fields['relname'], toFields(fields['join_using_alias'])['aliasname']])
      if (typeof alias === 'string') this.#show({ name: foldName(alias), size: this.rowSize(item) });
    for (const [index, name] of getFoldedName(colnames).entries()) {
      const before = from[start + index];
      const column = { name, size: item.isOpen ? item.largest : (before?.size ?? 0) };
      // If the positions are unknown, the columns also keep their own names.
      if (item.isOpen || before === undefined) from.push(column);
      else from[start + index] = column;
      this.#show(column);
    }
    return item;
  }

  #item({ kind, fields }: SyntaxNode, from: Column[]): Item {
    if (kind === 'RangeVar') return this.#addColumns(this.#relation(fields), from);
    if (kind === 'RangeSubselect') return this.#addColumns(this.#subquery(fields), from);
    if (kind !== 'JoinExpr')
      return this.#addColumns([{ name: UNNAMED, size: this.measure({ kind, fields }), isOpen: true }], from);
    const { larg, rarg, ...rest } = fields;
    const sides = [larg, rarg].flatMap((side) => toNode(side) ?? []).map((side) => this.#join(side, from));
    // PostgreSQL moves the columns of USING to the front, so the positions of the columns are unknown.
    if ('usingClause' in rest || 'isNatural' in rest) sides.push(this.#addColumns([{ name: ALL, size: 0, isOpen: true }], from));
    this.measure({ kind, fields: rest });
    return sides.reduce((all, side) => ({
      largest: Math.max(all.largest, side.largest),
      total: all.total + side.total,
      isOpen: all.isOpen || side.isOpen,
    }));
  }

  #relation({ relname, schemaname }: Fields): Columns {
    const query = schemaname === undefined ? this.#queries.get(foldName(relname)) : undefined;
    return query ?? [{ name: ALL, size: this.stored, isOpen: true }];
  }

  #subquery({ subquery, lateral }: Fields): Columns {
    this.#level.isHidden = lateral !== true;
    const columns = this.select(toNode(subquery)?.fields ?? {});
    this.#level.isHidden = false;
    return columns;
  }

  #addColumns(columns: Columns, from: Column[]): Item {
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
      if (before?.level !== level) this.#columns.set(key, { level, inside: size, outside: this.#findSize(key) });
      else if (size > before.inside) this.#columns.set(key, { ...before, inside: size });
    }
  }

  #findSize(name: string): number | undefined {
    const visible = this.#columns.get(name);
    if (visible === undefined || visible.level.isHidden) return visible?.outside;
    return Math.max(visible.inside, visible.outside ?? 0);
  }

  #target({ fields }: SyntaxNode, { from, isSingle }: { from: Columns; isSingle: boolean }, columns: ColumnList): void {
    const value = toNode(fields['val']);
    if (value === undefined) return;
    const path = toNodes(value.fields['fields']);
    if (path.at(-1)?.kind !== 'A_Star') {
      const name = foldName(fields['name'] ?? path.at(-1)?.fields['sval']);
      columns.add({ name, size: this.measure(value), isOpen: isStar(value) });
      return;
    }
    columns.addAll(from);
    // A star with a name, such as `a.*`, contains only the columns of that item, so the positions are unknown.
    if (path.length > 1 && !isSingle) columns.add({ name: ALL, size: 0, isOpen: true });
  }

  #row(row: unknown): Columns {
    const values = toList(toNode(row)?.fields['items']).flatMap((value) => toNode(value) ?? []);
    return values.map((value, index) => ({ name: `column${index + 1}`, size: this.measure(value), isOpen: isStar(value) }));
  }
}

/** Whether an expression is a star such as `t.*`, which PostgreSQL replaces with the fields of a row. */
function isStar({ fields }: SyntaxNode): boolean {
  return toNodes(fields['indirection'] ?? fields['fields']).at(-1)?.kind === 'A_Star';
}

/**
 * Names that are visible in a part of a statement. The cost of entering and leaving a part depends only on the number of names that
 * the part defines.
 */
class Bindings<Value> {
  readonly #values = new Map<string, Value>();
  readonly #replaced: (readonly [name: string, value: Value | undefined])[] = [];

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: Value): void {
    this.#replaced.push([name, this.#values.get(name)]);
    this.#values.set(name, value);
  }

  /** Enters a part of a statement. Returns the argument with which `leave` removes all names that are set from now on. */
  enter(): number {
    return this.#replaced.length;
  }

  leave(entered: number): void {
    while (this.#replaced.length > entered) {
      const [name, value] = this.#replaced.pop() ?? [''];
      if (value === undefined) this.#values.delete(name);
      else this.#values.set(name, value);
    }
  }
}
