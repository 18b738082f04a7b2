import type { FieldDef } from 'pg';

import type { Database } from './database.ts';

/** The columns of a result, as the protocol describes them. */
export type Fields = readonly FieldDef[];

/** Object identifiers from here on are given by users, and again to others. */
const FIRST_USER_OID = 16_384;

/** Names of column types, such as `numeric(10,2)`; those of PostgreSQL itself are asked for once. */
export class ColumnTypes {
  readonly #known = new Map<string, string>();

  /** The types of columns, in their order. */
  async of(fields: readonly FieldDef[], database: Database, signal: AbortSignal): Promise<readonly string[]> {
    const keys = fields.map(keyOf);
    const missing = [...new Set(keys)].filter((key) => !this.#known.has(key));
    const found = missing.length === 0 ? new Map<string, string>() : await ask(missing, database, signal);
    for (const [key, name] of found) if (Number.parseInt(key, 10) < FIRST_USER_OID) this.#known.set(key, name);
    return keys.map((key) => this.#known.get(key) ?? found.get(key) ?? 'unknown');
  }
}

async function ask(keys: readonly string[], database: Database, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const rows = await database.rows(TYPE_NAMES, [`{${keys.map((key) => `"${key}"`).join(',')}}`], { signal });
  return new Map(rows.map(([key, name]) => [key ?? '', name ?? 'unknown']));
}

function keyOf({ dataTypeID, dataTypeModifier }: FieldDef): string {
  return `${dataTypeID} ${dataTypeModifier}`;
}

const TYPE_NAMES = `
  select key, format_type(split_part(key, ' ', 1)::oid, split_part(key, ' ', 2)::int) from unnest($1::text[]) key`;
