/** A column of a query, and the size of its expression. */
export interface Column {
  readonly name: string;
  readonly size: number;
  /** Whether the entry stands for any number of columns, so that the positions of the columns are unknown. */
  readonly isOpen?: boolean;
}

/** Name of columns whose names the statement does not show. */
export const UNNAMED = '';
/** Name of an entry that stands for all columns of a row. */
export const ALL = '*';

/** PostgreSQL rejects queries with more columns. */
const MAX_COLUMNS = 1664;

/**
 * Columns in order. Columns beyond the maximum of PostgreSQL are merged into one entry, because stars could double their number at
 * each level.
 */
export class ColumnList {
  readonly columns: Column[] = [];

  static from(columns: readonly Column[]): ColumnList {
    const list = new ColumnList();
    for (const column of columns) list.add(column);
    return list;
  }

  add(column: Column): void {
    const last = this.columns.at(-1);
    if (last === undefined || this.columns.length < MAX_COLUMNS) this.columns.push(column);
    else this.columns.splice(-1, 1, { name: UNNAMED, size: Math.max(last.size, column.size), isOpen: true });
  }

  /** Adds the columns of a star. */
  addAll(columns: readonly Column[]): void {
    for (const column of columns.slice(0, MAX_COLUMNS)) this.add(column);
    if (columns.length > MAX_COLUMNS) this.add({ name: UNNAMED, size: findLargest(columns), isOpen: true });
  }
}

function findLargest(columns: readonly Column[]): number {
  return columns.reduce((most, { size }) => Math.max(most, size), 0);
}

export function isOpen(columns: readonly Column[]): boolean {
  return columns.some((column) => column.isOpen === true);
}

/**
 * Renames the columns, in order. If one of them stands for an unknown number of columns, it is unknown which column a name belongs to:
 * the result then contains an additional column for each name, with the size of the largest column.
 */
export function renameColumns(columns: readonly Column[], names: readonly string[]): readonly Column[] {
  if (names.length === 0) return columns;
  if (!isOpen(columns)) return columns.map(({ size, name }, index) => ({ name: names[index] ?? name, size }));
  const size = findLargest(columns);
  return [...names.map((name) => ({ name, size })), ...columns];
}

/** Merges the columns of two queries by position. */
export function mergeColumns(some: readonly Column[], others: readonly Column[]): readonly Column[] {
  if (some.length === 0) return others;
  if (others.length === 0) return some;
  if (!isOpen(some) && !isOpen(others))
    return some.map(({ name, size }, index) => ({ name, size: Math.max(size, others[index]?.size ?? 0) }));
  const size = Math.max(findLargest(some), findLargest(others));
  return some.map((column) => ({ ...column, size }));
}
