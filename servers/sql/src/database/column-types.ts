import type { FieldDef } from 'pg';

import { SendableSql } from '../policy/sendable-sql.ts';
import type { Row } from '../rows/format.ts';
import type { Database } from './database.ts';

/** What is known of a column besides its name. */
export interface ColumnFacts {
  /** As PostgreSQL calls it: `numeric(10,2)`. */
  readonly type: string;
  /** It comes from a column of a table that is never NULL; a join may still make it so. */
  readonly notNull: boolean;
}

interface AskOptions {
  readonly signal: AbortSignal;
  /** Whether the caller still uses a connection. */
  readonly connected?: boolean;
}

/** The columns of a result, as the protocol describes them. */
export type Fields = readonly FieldDef[];

/** Types and tables change, though seldom. */
const KNOWN_MS = 60_000;

/** Facts about columns of results; each is asked for once in a while. */
export class ColumnTypes {
  #known = new Map<string, ColumnFacts>();
  #since = performance.now();

  /**
   * The facts of columns, in their order. While the caller still uses a connection, as it does for a result that is being kept, they
   * are read on the control connection: a second one may not become free before the first.
   */
  async of(fields: Fields, database: Database, { signal, connected = false }: AskOptions): Promise<readonly ColumnFacts[]> {
    if (performance.now() - this.#since > KNOWN_MS) {
      this.#known = new Map();
      this.#since = performance.now();
    }
    const known = this.#known;
    const keys = fields.map(keyOf);
    const missing = keys.filter((key) => !known.has(key));
    if (missing.length === 0) return keys.map((key) => known.get(key) ?? UNKNOWN);
    const parameter = typeKeys([...new Set(missing)]);
    const rows = connected ? await askApart(parameter, database) : await database.rows(FACTS, [parameter], { signal });
    for (const [key, type, notNull] of rows) known.set(key ?? '', { type: type ?? 'unknown', notNull: notNull === 't' });
    return keys.map((key) => known.get(key) ?? UNKNOWN);
  }
}

const UNKNOWN: ColumnFacts = { type: 'unknown', notNull: false };

async function askApart(parameter: string, database: Database): Promise<readonly Row[]> {
  const [found] = await database.control.row(SendableSql.own(FACTS_AS_JSON), [parameter]);
  const rows: readonly (readonly [string, string, string])[] = JSON.parse(found ?? '[]');
  return rows.map(([key, type, notNull]) => [key, type, notNull === 'true' ? 't' : 'f']);
}

function keyOf({ dataTypeID, dataTypeModifier, tableID, columnID }: FieldDef): string {
  return `${dataTypeID} ${dataTypeModifier} ${tableID} ${columnID}`;
}

// A constraint may be there without being true: of a foreign table, of rows before it (18), of a table without its children (18).
const FACTS = `
  select key, format_type(part[1]::oid, part[2]::int) as type, coalesce(
    (select a.attnotnull and c.relkind in ('r', 'p') and not exists (
        select from pg_constraint n where n.conrelid = c.oid and n.contype = 'n' and a.attnum = any(n.conkey)
          and (not n.convalidated or n.connoinherit))
      from pg_attribute a join pg_class c on c.oid = a.attrelid where c.oid = part[3]::oid and a.attnum = part[4]::int), false) as not_null
  from unnest($1::text[]) key, string_to_array(key, ' ') part`;

const FACTS_AS_JSON = `select json_agg(array[key, type, not_null::text]) from (${FACTS}) facts`;

/** The parameter of `TYPE_NAMES`, of keys that are an oid, a space and a modifier. */
export function typeKeys(keys: readonly string[]): string {
  return `{${keys.map((key) => `"${key}"`).join(',')}}`;
}

export const TYPE_NAMES: string = `
  select key, format_type(split_part(key, ' ', 1)::oid, split_part(key, ' ', 2)::int) from unnest($1::text[]) key`;
