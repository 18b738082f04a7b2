import type { Database } from '../database/database.ts';

/** What values of a type are like. */
export interface ValueType {
  /** As PostgreSQL calls it: `timestamp with time zone`. */
  readonly name: string;
  /** The type below all domains, by its short name: `timestamptz`. */
  readonly base: string;
  /** Of an enum, in order. */
  readonly labels: readonly string[] | undefined;
  /** Of an array. */
  readonly items: ValueType | undefined;
}

/** A row of `TYPES`. */
interface Found {
  readonly name: string;
  readonly base: string;
  readonly element: string | undefined;
  readonly labels: readonly string[] | undefined;
}

/** Types by their object identifiers, with the types of what arrays hold. */
export async function valueTypes(
  database: Database,
  oids: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, ValueType>> {
  if (oids.length === 0) return new Map();
  const rows = await database.rows(TYPES, [`{${[...new Set(oids)].join(',')}}`], { signal });
  const found = new Map<string, Found>(
    rows.map(([oid, name, base, element, labels]) => [
      oid ?? '',
      { name: name ?? 'unknown', base: base ?? 'unknown', element: element ?? undefined, labels: listOf(labels) },
    ]),
  );
  return new Map(oids.map((oid) => [oid, typeOf(String(oid), found)]));
}

function listOf(json: string | null | undefined): readonly string[] | undefined {
  const labels: unknown = JSON.parse(json ?? 'null');
  return Array.isArray(labels) ? labels.map(String) : undefined;
}

function typeOf(oid: string, found: ReadonlyMap<string, Found>): ValueType {
  const { name, base, element, labels } = found.get(oid) ?? {
    name: 'unknown',
    base: 'unknown',
    element: undefined,
    labels: undefined,
  };
  return { name, base, labels, items: element === undefined ? undefined : typeOf(element, found) };
}

// A domain of an array of a domain of an enum is all of these.
const TYPES = `
  with recursive wanted(oid, base) as (
    select t.oid, t.oid from pg_type t where t.oid = any ($1::oid[])
    union
    select case when t.typtype = 'd' then w.oid else t.typelem end, case when t.typtype = 'd' then t.typbasetype else t.typelem end
    from wanted w join pg_type t on t.oid = w.base
    where t.typtype = 'd' or (t.typelem <> 0 and t.typlen = -1)
  )
  select w.oid, format_type(w.oid, null), t.typname, nullif(case when t.typlen = -1 then t.typelem else 0 end, 0),
    (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
  from wanted w join pg_type t on t.oid = w.base
  where t.typtype <> 'd'`;
