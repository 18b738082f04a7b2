import type { ResultColumn, ResultHeader } from '../../../engine/reading.ts';
import type { Row } from '../../../rows/format.ts';
import type { ResultField } from '../protocol/driver.ts';
import type { ReadOnlyDatabase } from './read-only-database.ts';

/** Type and nullability of a column. */
interface ColumnFacts {
  /** Name of the type in PostgreSQL, such as `numeric(10,2)`. */
  readonly type: string;
  /** Whether the value comes from a table column that is never NULL. An outer join may still produce NULL. */
  readonly notNull: boolean;
}

interface AskOptions {
  readonly signal: AbortSignal;
  /** Whether the statement of the result still runs on a connection of the pool. Default: false. */
  readonly isRunning?: boolean;
}

/** The columns of a result, as the protocol describes them. */
export type Fields = readonly ResultField[];

/** Maximum age of cached facts. Types and tables may change, so older facts are loaded again. */
const KNOWN_MS = 60_000;

/** Cache of facts about columns of results. */
export class ColumnTypes {
  readonly #database: ReadOnlyDatabase;
  #known = new Map<string, ColumnFacts>();
  #since = performance.now();

  constructor(database: ReadOnlyDatabase) {
    this.#database = database;
  }

  /** Returns the header of a result. @param sql the statement of the result, which decides whether a NOT NULL column may contain NULL */
  createHeader(fields: Fields, sql: string): ResultHeader {
    return {
      names: fields.map(({ name }) => name),
      describe: async (options) => toColumns(fields, await this.describe(fields, options), sql),
    };
  }

  /**
   * Returns the facts of columns, in the order of the columns. If the caller still uses a connection, as for a result that is being
   * stored, the facts are read on the control connection. Waiting for a second connection of the pool could then cause a deadlock.
   */
  async describe(fields: Fields, { signal, isRunning = false }: AskOptions): Promise<readonly ColumnFacts[]> {
    if (performance.now() - this.#since > KNOWN_MS) {
      this.#known = new Map();
      this.#since = performance.now();
    }
    const known = this.#known;
    const keys = fields.map(toColumnKey);
    const missing = keys.filter((key) => !known.has(key));
    if (missing.length === 0) return keys.map((key) => known.get(key) ?? UNKNOWN);
    const parameter = toTypeKeys([...new Set(missing)]);
    const rows = isRunning
      ? await queryOnControl(parameter, this.#database)
      : await this.#database.rows(FACTS, [parameter], { signal });
    for (const [key, type, notNull] of rows) known.set(key ?? '', { type: type ?? 'unknown', notNull: notNull === 't' });
    return keys.map((key) => known.get(key) ?? UNKNOWN);
  }
}

/** Words in statements that may return NULL for a NOT NULL column. For example, RETURNING may refer to the old row of an INSERT. */
const MAKES_NULLS = /\b(?:returning|left|right|full|grouping|rollup|cube|union|intersect|except)\b/i;

function toColumns(fields: Fields, facts: readonly ColumnFacts[], sql: string): readonly ResultColumn[] {
  const isMixed = MAKES_NULLS.test(sql);
  return fields.map(({ name }, index) => {
    const { type, notNull } = facts[index] ?? UNKNOWN;
    return { name, type, nullable: isMixed || !notNull };
  });
}

const UNKNOWN: ColumnFacts = { type: 'unknown', notNull: false };

async function queryOnControl(parameter: string, database: ReadOnlyDatabase): Promise<readonly Row[]> {
  const [found] = await database.control.row(FACTS_AS_JSON, [parameter]);
  const rows: readonly (readonly [string, string, string])[] = JSON.parse(found ?? '[]');
  return rows.map(([key, type, notNull]) => [key, type, notNull === 'true' ? 't' : 'f']);
}

function toColumnKey({ dataTypeID, dataTypeModifier, tableID, columnID }: ResultField): string {
  return `${dataTypeID} ${dataTypeModifier} ${tableID} ${columnID}`;
}

// A NOT NULL constraint is not always true: for a foreign table, for rows that precede the constraint (PostgreSQL 18), and for
// child tables (PostgreSQL 18).
const FACTS = `
  select key, format_type(part[1]::oid, part[2]::int) as type, coalesce(
    (select a.attnotnull and c.relkind in ('r', 'p') and not exists (
        select from pg_constraint n where n.conrelid = c.oid and n.contype = 'n' and a.attnum = any(n.conkey)
          and (not n.convalidated or n.connoinherit))
      from pg_attribute a join pg_class c on c.oid = a.attrelid where c.oid = part[3]::oid and a.attnum = part[4]::int), false) as not_null
  from unnest($1::text[]) key, string_to_array(key, ' ') part`;

const FACTS_AS_JSON = `select json_agg(array[key, type, not_null::text]) from (${FACTS}) facts`;

/**
 * Returns keys as an array literal for the parameter of `TYPE_NAMES`. Each key of `TYPE_NAMES` is an OID, a space and a type
 * modifier.
 */
export function toTypeKeys(keys: readonly string[]): string {
  return `{${keys.map((key) => `"${key}"`).join(',')}}`;
}

export const TYPE_NAMES: string = `
  select key, format_type(split_part(key, ' ', 1)::oid, split_part(key, ' ', 2)::int) from unnest($1::text[]) key`;
