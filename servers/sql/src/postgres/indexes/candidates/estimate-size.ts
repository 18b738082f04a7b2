import type { Candidate } from './candidate.ts';
import type { TableFacts } from '../statement/table-facts.ts';

/** Bytes of a row of a table without statistics, as an assumption. */
const ASSUMED_ROW = 100;
/** Width of a column without statistics, in bytes. */
const ASSUMED_WIDTH = 16;
const PAGE_BYTES = 8192;
/** Pages that one entry of a BRIN index describes: the default of PostgreSQL. */
const RANGE_PAGES = 128;
/**
 * Share of a page that a new index fills. Also the share of rows with frequent values from which a column counts as repetitive.
 */
const FILLED = 0.9;
/** Bytes of a B-tree entry besides its values: header, line pointer and alignment. */
const ENTRY_BYTES = 16;
/** Bytes of an entry of a value that many rows have. A B-tree stores such a value once. */
const REPEATED_BYTES = 6.5;
/** Bytes of a GIN index per byte of the indexed values, as measured, keyed by operator class. */
const INVERTED: Readonly<Record<string, number>> = { gin_trgm_ops: 1.2, jsonb_path_ops: 0.5 };

/** Returns PostgreSQL's estimate of the number of rows, or an estimate from the size if PostgreSQL has none. */
export function estimateRows({ rows, bytes }: TableFacts): number {
  return rows ?? Math.round(bytes / ASSUMED_ROW);
}

/** Estimates the size of an index in bytes, before it is built. */
export function estimateIndexBytes({ table, keys, include, where, method }: Candidate): number {
  const rows = estimateRows(table) * (where === undefined ? 1 : estimateShare(table, where));
  const width = [...keys.map(({ sql }) => sql), ...include].reduce((sum, sql) => sum + estimateWidth(table, sql), 0);
  if (method === 'brin') return roundToPages((table.bytes / PAGE_BYTES / RANGE_PAGES) * (width * 2 + ENTRY_BYTES));
  if (method === 'gin') {
    const factor = INVERTED[keys[0]?.opclass?.split('.').at(-1) ?? ''] ?? 0.8;
    return roundToPages(rows * (width * factor + REPEATED_BYTES));
  }
  const isRepeated = include.length === 0 && keys.every(({ sql }) => isRepetitive(table, sql));
  return roundToPages((rows * (isRepeated ? REPEATED_BYTES : Math.ceil(width / 8) * 8 + ENTRY_BYTES)) / FILLED);
}

function roundToPages(bytes: number): number {
  return (Math.ceil(bytes / PAGE_BYTES) + 1) * PAGE_BYTES;
}

function namedColumns(table: TableFacts, sql: string): readonly string[] {
  return [...table.columns.keys()].filter((name) => sql.includes(`"${name.replaceAll('"', '""')}"`));
}

function estimateWidth(table: TableFacts, sql: string): number {
  const [column] = namedColumns(table, sql);
  const width = table.columns.get(column ?? '')?.width ?? ASSUMED_WIDTH;
  // The value of an expression such as `attrs->>'k'` is usually a small part of its column, so its width is limited.
  return sql.startsWith('(') ? Math.min(width, ASSUMED_WIDTH) : width;
}

function isRepetitive(table: TableFacts, sql: string): boolean {
  const frequent = sql.startsWith('(') ? undefined : table.columns.get(namedColumns(table, sql)[0] ?? '')?.frequent;
  return frequent !== undefined && sum(frequent.values()) > FILLED;
}

/**
 * Estimates the share of the rows for which the predicate of a partial index holds. Returns 1 if the statistics do not show the
 * share.
 */
function estimateShare(table: TableFacts, where: string): number {
  const [name = ''] = namedColumns(table, where);
  const column = table.columns.get(name);
  if (where.endsWith(' is null')) return column?.nulls ?? 1;
  return column?.frequent.get(readConstant(where)) ?? 1;
}

/** Returns the constant of a predicate such as `status = 'open'::text`, and `t` or `f` for a predicate on a boolean column. */
function readConstant(where: string): string {
  const [, ...rest] = where.split(' = ');
  if (rest.length === 0) return where.startsWith('not ') ? 'f' : 't';
  const [constant = ''] = rest.join(' = ').split('::', 1);
  return constant.startsWith("'") && constant.endsWith("'") ? constant.slice(1, -1) : constant;
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}
