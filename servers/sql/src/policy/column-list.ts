/** A column of a query and its size. */
export interface Column {
  readonly name: string;
  readonly size: number;
  /** Whether the entry stands for any number of columns, so that the positions of the columns are unknown. */
  readonly isOpen?: boolean;
}

/** Name of a column without a name in the statement. */
export const UNNAMED = '';
/** Name of all columns together. */
export const ALL = '*';

/** PostgreSQL rejects queries with more columns. */
const MOST_COLUMNS = 1664;

/** Columns in order. Columns beyond the maximum of PostgreSQL are counted as one, because stars could double them at each level. */
export class ColumnList {
  readonly columns: Column[] = [];

  static of(columns: readonly Column[]): ColumnList {
    const list = new ColumnList();
    for (const column of columns) list.add(column);
    return list;
  }

  add(column: Column): void {
    const last = this.columns.at(-1);
    if (last === undefined || this.columns.length < MOST_COLUMNS) this.columns.push(column);
    else this.columns.splice(-1, 1, { name: UNNAMED, size: Math.max(last.size, column.size), isOpen: true });
  }

  /** Adds the columns of a star. */
  addAll(columns: readonly Column[]): void {
    for (const column of columns.slice(0, MOST_COLUMNS)) this.add(column);
    if (columns.length > MOST_COLUMNS) this.add({ name: UNNAMED, size: largestOf(columns), isOpen: true });
  }
}

function largestOf(columns: readonly Column[]): number {
  return columns.reduce((most, { size }) => Math.max(most, size), 0);
}

export function isOpen(columns: readonly Column[]): boolean {
  return columns.some((column) => column.isOpen === true);
}

/** Gives columns other names. If the positions are unknown, each name may mean the largest column. */
export function renamed(columns: readonly Column[], names: readonly string[]): readonly Column[] {
  if (names.length === 0) return columns;
  if (!isOpen(columns)) return columns.map(({ size, name }, index) => ({ name: names[index] ?? name, size }));
  const size = largestOf(columns);
  return [...names.map((name) => ({ name, size })), ...columns];
}

/** Merges the columns of two queries by position. */
export function widest(some: readonly Column[], others: readonly Column[]): readonly Column[] {
  if (some.length === 0) return others;
  if (others.length === 0) return some;
  if (!isOpen(some) && !isOpen(others))
    return some.map(({ name, size }, index) => ({ name, size: Math.max(size, others[index]?.size ?? 0) }));
  const size = Math.max(largestOf(some), largestOf(others));
  return some.map((column) => ({ ...column, size }));
}
