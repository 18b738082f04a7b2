import { formatTarget, isServed, toIndexKey, toSortedKeys, type Candidate, type IndexKey, type Purpose } from './candidate.ts';
import type { Use } from '../statement/condition-uses.ts';
import { columnKey } from '../statement/expression-sql.ts';
import type { QueryBlock } from '../statement/statement-uses.ts';
import type { TableFacts } from '../statement/table-facts.ts';

/** Maximum number of candidates per statement. Further candidates are dropped. */
const MAX_CANDIDATES = 60;
/** Maximum number of key columns of a candidate. */
const MAX_KEYS = 4;
/** Maximum number of columns that a candidate includes. */
const MAX_INCLUDED = 4;
/** Maximum share of the rows that a partial index may contain. */
const MAX_PARTIAL = 0.3;
/** Minimum number of rows for an index. A smaller table is read fast enough without one. */
const SMALL_ROWS = 1000;
/** Maximum size in bytes at which a table without statistics is small. */
const SMALL_BYTES = 64 * 1024;

export function isSmall({ rows, bytes }: TableFacts): boolean {
  return rows === undefined ? bytes <= SMALL_BYTES : rows < SMALL_ROWS;
}

/** Returns the indexes that may help, the most useful first, without those that exist and without indexes of small tables. */
export function proposeCandidates(blocks: readonly QueryBlock[]): readonly Candidate[] {
  const found = blocks.flatMap((block) => listTables(block).flatMap((table) => proposeForTable(block, table)));
  const distinct = new Map<string, Candidate>();
  for (const candidate of found.toSorted((one, other) => rank(one) - rank(other))) {
    const target = formatTarget(candidate);
    if (!distinct.has(target) && !isServed(candidate)) distinct.set(target, candidate);
  }
  return [...distinct.values()].slice(0, MAX_CANDIDATES);
}

const PURPOSES: readonly Purpose[] = ['filter', 'alternative', 'join', 'limit', 'extreme', 'order', 'variant'];

function rank({ purpose, keys }: Candidate): number {
  // An index for LIMIT, min or max that has several keys comes first, because the index both finds and sorts the rows.
  const isSorted = (purpose === 'limit' || purpose === 'extreme') && keys.length > 1;
  return isSorted ? -1 : PURPOSES.indexOf(purpose);
}

function listTables({ uses, alternatives, orders, extremes }: QueryBlock): readonly TableFacts[] {
  const keys = [...uses, ...alternatives.flat(), ...orders.flat()].map(({ key }) => key.table);
  return [...new Set([...keys, ...extremes.map(({ table }) => table)])].filter((table) => !isSmall(table));
}

/** The uses of one table by one SELECT. */
interface TableUses {
  readonly table: TableFacts;
  readonly equal: readonly IndexKey[];
  readonly joins: readonly IndexKey[];
  readonly ranges: readonly IndexKey[];
  readonly searches: readonly Use[];
  readonly orders: readonly (readonly IndexKey[])[];
  readonly extremes: readonly IndexKey[];
  readonly all: readonly Use[];
}

function proposeForTable(block: QueryBlock, table: TableFacts): readonly Candidate[] {
  const uses = groupUses(table, block);
  const alternatives = block.alternatives.flatMap((alternative) =>
    proposeFilters(groupUses(table, { ...block, uses: [...alternative], orders: [], extremes: [] }), 'alternative'),
  );
  const main = [
    ...proposeFilters(uses),
    ...proposeJoins(uses),
    ...proposeOrders(uses, block.isLimited),
    ...proposeExtremes(uses),
  ];
  return [...main, ...alternatives, ...proposePartial(uses), ...proposeCovering(main, block, table)];
}

function groupUses(table: TableFacts, { uses, orders, extremes }: QueryBlock): TableUses {
  const all = uses.filter(({ key }) => key.table === table);
  const pick = (wanted: (use: Use) => boolean): readonly IndexKey[] => distinct(all.filter(wanted).map(toIndexKey));
  return {
    table,
    all,
    equal: pick(({ kind, isJoin }) => kind === 'equal' && !isJoin),
    joins: pick(({ kind, isJoin }) => kind === 'equal' && isJoin),
    ranges: pick(({ kind }) => kind === 'range' || kind === 'prefix'),
    searches: all.filter(({ kind }) => kind === 'search'),
    orders: orders.filter(([first]) => first?.key.table === table).map(toSortedKeys),
    extremes: extremes.filter((key) => key.table === table).map(({ sql }) => ({ sql })),
  };
}

function distinct(keys: readonly IndexKey[]): readonly IndexKey[] {
  return [...new Map(keys.toReversed().map((key) => [`${key.sql} ${key.opclass ?? ''}`, key])).values()].toReversed();
}

function proposeFilters({ table, equal, ranges, searches }: TableUses, purpose: Purpose = 'filter'): readonly Candidate[] {
  const singles = [...equal, ...ranges].map((key) => [key]);
  const composites = ranges.length === 0 ? [equal] : ranges.map((range) => [...withoutKeys(equal, [range]), range]);
  const [main = [], ...others] = composites.filter((keys) => keys.length > 0);
  return [
    ...btree(table, purpose, [main]),
    ...searches.map((use) => ({
      table,
      method: use.access?.method ?? 'gin',
      keys: [toIndexKey(use)],
      include: [],
      where: undefined,
      purpose,
    })),
    ...btree(table, 'variant', [equal, ...others, ...singles]),
  ];
}

function proposeJoins({ table, joins, equal, ranges }: TableUses): readonly Candidate[] {
  const singles = joins.map((key) => [key]);
  const filtered = [...equal, ...ranges.slice(0, 1)];
  return [
    ...btree(table, 'join', singles),
    ...btree(table, 'variant', joins.length > 1 ? [joins] : []),
    ...btree(
      table,
      'variant',
      filtered.length === 0
        ? []
        : joins.flatMap((key) => [
            [...equal, key],
            [key, ...filtered],
          ]),
    ),
  ];
}

function proposeOrders({ table, orders, equal, joins }: TableUses, isLimited: boolean): readonly Candidate[] {
  return orders.flatMap((order) => {
    const prefixes = [equal, ...(joins.length === 0 ? [] : [joins, ...joins.map((key) => [key])])];
    const [main = order, ...others] = prefixes.map((prefix) => [...prefix, ...withoutKeys(order, prefix)]);
    return [...btree(table, isLimited ? 'limit' : 'order', [main]), ...btree(table, 'variant', [order, ...others])];
  });
}

function withoutKeys(keys: readonly IndexKey[], without: readonly IndexKey[]): readonly IndexKey[] {
  return keys.filter(({ sql }) => !without.some((key) => key.sql === sql));
}

function proposeExtremes({ table, extremes, equal }: TableUses): readonly Candidate[] {
  return extremes.flatMap((key) => btree(table, 'extreme', [[...withoutKeys(equal, [key]), key]]));
}

/**
 * Proposes partial indexes of the rows for which a constant condition holds, if these are at most `MAX_PARTIAL` of the rows. The
 * indexes are on the other keys of the SELECT, on its sort orders, or on the column of the condition.
 */
function proposePartial({ table, all, equal, joins, ranges, orders }: TableUses): readonly Candidate[] {
  return all.flatMap((use) => {
    const { key, predicate } = use;
    if (predicate === undefined || use.kind === 'range' || !isRare(use)) return [];
    const others = [...equal, ...joins, ...ranges].filter(({ sql }) => sql !== key.sql).map((other) => [other]);
    const own = key.column === undefined ? [] : [[{ sql: key.sql }]];
    const keys = [...others, ...orders, ...own].filter((list) => list.length > 0);
    return btree(table, 'variant', keys).map((candidate) => ({ ...candidate, where: predicate }));
  });
}

function isRare({ key, value }: Use): boolean {
  const column = key.column === undefined ? undefined : key.table.columns.get(key.column);
  if (column === undefined || value === undefined) return false;
  const share = value === null ? column.nulls : column.frequent.get(value);
  return share !== undefined && share <= MAX_PARTIAL;
}

/** Adds to indexes the other columns that the SELECT reads, so that the table need not be read. */
function proposeCovering(main: readonly Candidate[], { columns }: QueryBlock, table: TableFacts): readonly Candidate[] {
  const read = columns.get(table);
  if (read === undefined) return [];
  const wanted = [...read].map((column) => columnKey(table, column).sql);
  return main
    .filter(({ method }) => method === 'btree')
    .flatMap((candidate) => {
      const include = wanted.filter((sql) => !candidate.keys.some((key) => key.sql === sql));
      return include.length === 0 || include.length > MAX_INCLUDED
        ? []
        : [{ ...candidate, include, purpose: 'variant' as const }];
    });
}

function btree(table: TableFacts, purpose: Purpose, lists: readonly (readonly IndexKey[])[]): readonly Candidate[] {
  return lists
    .filter((keys) => keys.length > 0)
    .map((keys) => ({ table, method: 'btree', keys: keys.slice(0, MAX_KEYS), include: [], where: undefined, purpose }));
}
