import type { FieldDef } from 'pg';

import type { Database } from './database.ts';

/** What is known of a column besides its name. */
export interface ColumnFacts {
  /** As PostgreSQL calls it: `numeric(10,2)`. */
  readonly type: string;
  /** It comes from a column of a table that is never NULL; a join may still make it so. */
  readonly notNull: boolean;
}

/** The columns of a result, as the protocol describes them. */
export type Fields = readonly FieldDef[];

/** Types and tables change, though seldom. */
const KNOWN_MS = 60_000;

/** Facts about columns of results; each is asked for once in a while. */
export class ColumnTypes {
  #known = new Map<string, ColumnFacts>();
  #since = performance.now();

  /** The facts of columns, in their order. */
  async of(fields: Fields, database: Database, signal: AbortSignal): Promise<readonly ColumnFacts[]> {
    if (performance.now() - this.#since > KNOWN_MS) {
      this.#known = new Map();
      this.#since = performance.now();
    }
    const known = this.#known;
    const keys = fields.map(keyOf);
    const missing = keys.filter((key) => !known.has(key));
    if (missing.length > 0) for (const [key, facts] of await ask([...new Set(missing)], database, signal)) known.set(key, facts);
    return keys.map((key) => known.get(key) ?? { type: 'unknown', notNull: false });
  }
}

async function ask(
  keys: readonly string[],
  database: Database,
  signal: AbortSignal,
): Promise<readonly (readonly [string, ColumnFacts])[]> {
  const rows = await database.rows(FACTS, [typeKeys(keys)], { signal });
  return rows.map(([key, type, notNull]) => [key ?? '', { type: type ?? 'unknown', notNull: notNull === 't' }]);
}

function keyOf({ dataTypeID, dataTypeModifier, tableID, columnID }: FieldDef): string {
  return `${dataTypeID} ${dataTypeModifier} ${tableID} ${columnID}`;
}

// A constraint may be there without being true: of a foreign table, of rows before it (18), of a table without its children (18).
const FACTS = `
  select key, format_type(part[1]::oid, part[2]::int), coalesce(
    (select a.attnotnull and c.relkind in ('r', 'p') and not exists (
        select from pg_constraint n where n.conrelid = c.oid and n.contype = 'n' and a.attnum = any(n.conkey)
          and (not n.convalidated or n.connoinherit))
      from pg_attribute a join pg_class c on c.oid = a.attrelid where c.oid = part[3]::oid and a.attnum = part[4]::int), false)
  from unnest($1::text[]) key, string_to_array(key, ' ') part`;

/** The parameter of `TYPE_NAMES`, of keys that are an oid, a space and a modifier. */
export function typeKeys(keys: readonly string[]): string {
  return `{${keys.map((key) => `"${key}"`).join(',')}}`;
}

export const TYPE_NAMES: string = `
  select key, format_type(split_part(key, ' ', 1)::oid, split_part(key, ' ', 2)::int) from unnest($1::text[]) key`;
