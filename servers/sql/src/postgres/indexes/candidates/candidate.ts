import type { Use } from '../statement/condition-uses.ts';
import type { SortKey } from '../statement/statement-uses.ts';
import type { TableFacts } from '../statement/table-facts.ts';

/** One key of an index. */
export interface IndexKey {
  /** SQL of the column or expression. */
  readonly sql: string;
  readonly opclass?: string | undefined;
  /** `desc`, `nulls first` and the like; empty for the default order. */
  readonly order?: string;
}

/** The part of a statement that an index speeds up. Only some purposes are worth a proposal if the costs are unknown. */
export type Purpose = 'filter' | 'alternative' | 'join' | 'limit' | 'extreme' | 'order' | 'variant';

/** An index that may help a statement. */
export interface Candidate {
  readonly table: TableFacts;
  /** Access method. A candidate of this package is a B-tree, GIN or GiST index. */
  readonly method: string;
  readonly keys: readonly IndexKey[];
  /** Further columns, as SQL, so that the statement need not read the table. */
  readonly include: readonly string[];
  /** Predicate of a partial index. */
  readonly where: string | undefined;
  readonly purpose: Purpose;
}

/** Returns the part of CREATE INDEX from the name of the table on. */
export function formatTarget({ table, method, keys, include, where }: Candidate): string {
  const list = keys
    .map(({ sql, opclass, order = '' }) => `${sql}${opclass === undefined ? '' : ` ${opclass}`}${order}`)
    .join(', ');
  const using = method === 'btree' ? '' : ` using ${method}`;
  const covered = include.length === 0 ? '' : ` include (${include.join(', ')})`;
  return `${table.sql}${using} (${list})${covered}${where === undefined ? '' : ` where ${where}`}`;
}

/**
 * Returns the SQL that creates an index. PostgreSQL cannot create an index of a partitioned table concurrently, so the SQL for
 * such a table blocks writes to the partitions.
 */
export function formatIndexSql(candidate: Candidate): string {
  return `create index ${candidate.table.isPartitioned ? '' : 'concurrently '}on ${formatTarget(candidate)}`;
}

/** Returns a measure of the writes that an index costs, to compare indexes with the same benefit. */
export function measureComplexity({ keys, include, where, method }: Candidate): number {
  return keys.length * 2 + include.length + (where === undefined ? 0 : 1) + (method === 'btree' ? 0 : 3);
}

export function toIndexKey({ key, access }: Use): IndexKey {
  return { sql: key.sql, opclass: access?.opclass };
}

/**
 * Returns the keys of an index that returns rows in a sort order. PostgreSQL also reads an index backwards, so only the
 * differences between the directions of the keys matter.
 */
export function toSortedKeys(order: readonly SortKey[]): readonly IndexKey[] {
  const places = order.map(({ isDescending, nullsFirst = isDescending }) => ({ isDescending, nullsFirst }));
  const isReversed = places[0]?.isDescending === true;
  return order.map(({ key }, place) => {
    const { isDescending, nullsFirst } = places[place] ?? { isDescending: false, nullsFirst: false };
    const descends = isDescending !== isReversed;
    const first = nullsFirst !== isReversed;
    return {
      sql: key.sql,
      order: `${descends ? ' desc' : ''}${first === descends ? '' : first ? ' nulls first' : ' nulls last'}`,
    };
  });
}

/** Returns whether an existing index makes a candidate unnecessary. */
export function isServed({ table, method, keys, include, where }: Candidate): boolean {
  if (include.length > 0 || where !== undefined || keys.some(({ order = '' }) => order !== '')) return false;
  const wanted = keys.map(({ sql, opclass }) => normalize(`${sql} ${unqualify(opclass)}`));
  return table.indexes.some(
    (index) =>
      index.method === method && !index.isPartial && wanted.every((key, place) => key === normalize(index.keys[place] ?? '')),
  );
}

function unqualify(opclass = ''): string {
  return opclass.split('.').at(-1) ?? '';
}

// PostgreSQL adds parentheses and casts to an expression, and quotes only names that need quotes. Keys are compared without
// casts, parentheses and quotes.
function normalize(sql: string): string {
  return sql.replaceAll(/::[a-z_ ]+(\([^)]*\))?|["() \t\n]/g, '');
}
