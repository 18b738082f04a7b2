import type { ParameterType, ValueSchema } from '../../engine/reading.ts';
import type { Database } from '../database/database.ts';

/** A type of the values of a parameter or column. */
export interface ValueType extends ParameterType {
  /** Values of an enum in order; `undefined` for other types. */
  readonly labels: readonly string[] | undefined;
}

/** Reads types by their object identifiers, with the element types of arrays. */
export async function readValueTypes(
  database: Database,
  oids: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, ValueType>> {
  if (oids.length === 0) return new Map();
  const rows = await database.rows(TYPES, [`{${[...new Set(oids)].join(',')}}`], { signal });
  const found = new Map<string, Found>(
    rows.map(([oid, name, base, element, labels]) => [
      oid ?? '',
      { name: name ?? 'unknown', base: base ?? 'unknown', element: element ?? undefined, labels: parseList(labels) },
    ]),
  );
  return new Map(oids.map((oid) => [oid, createType(resolveType(String(oid), found))]));
}

/** A type of PostgreSQL. */
interface PostgresType {
  /** Full name: `timestamp with time zone`. */
  readonly name: string;
  /** Short name of the type, or of the base type of a domain: `timestamptz`. */
  readonly base: string;
  /** Values of an enum in order; `undefined` for other types. */
  readonly labels: readonly string[] | undefined;
  /** Type of the elements of an array; `undefined` for other types. */
  readonly items: PostgresType | undefined;
}

function createType(type: PostgresType): ValueType {
  return { name: type.name, schema: buildSchema(type), labels: type.labels, format: (value) => formatValue(value, type) };
}

function buildSchema({ base, labels, items }: PostgresType): ValueSchema {
  if (items !== undefined) return { type: 'array', items: buildSchema(items) };
  if (labels !== undefined) return { type: 'string', enum: labels };
  return ACCEPTED[base] ?? { type: 'string' };
}

const SAFE = Number.MAX_SAFE_INTEGER;

/**
 * JSON Schemas of parameters, by the short name of their type. Enums and arrays have their own schemas. A value of any other type
 * is a string in PostgreSQL's syntax.
 */
const ACCEPTED: Readonly<Record<string, ValueSchema>> = {
  bool: { type: 'boolean' },
  int2: { type: 'integer', minimum: -32_768, maximum: 32_767 },
  int4: { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 },
  // JSON numbers are exact up to 2^53, so larger integers are text.
  int8: { type: ['integer', 'string'], minimum: -SAFE, maximum: SAFE, pattern: '^[+-]?[0-9]{1,19}$' },
  oid: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
  float4: { type: 'number' },
  float8: { type: 'number' },
  numeric: { type: ['string', 'number'], pattern: '^[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,5})?$' },
  date: { type: 'string', format: 'date' },
  timestamptz: { type: 'string', format: 'date-time' },
  timestamp: { type: 'string', pattern: '^[0-9]{4,6}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6})?)?)?$' },
  time: { type: 'string', pattern: '^[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6})?)?$' },
  uuid: { type: 'string', format: 'uuid' },
  json: {},
  jsonb: {},
};

/** The type of values whose type is not known. */
export const UNKNOWN_TYPE: ValueType = createType({ name: 'text', base: 'text', labels: undefined, items: undefined });

/**
 * Converts a value that matches the schema to PostgreSQL's syntax. `null` and `undefined` become NULL, but `null` of a JSON type
 * becomes JSON's `null`.
 */
function formatValue(value: unknown, type: PostgresType): string | null {
  if (value === undefined || value === null) return type.base.startsWith('json') && value === null ? 'null' : null;
  if (Array.isArray(value) && type.items !== undefined) return formatArray(value, type.items);
  if (type.base === 'json' || type.base === 'jsonb') return JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function formatArray(values: readonly unknown[], items: PostgresType): string {
  const texts = values.map((value) => formatValue(value, items));
  return `{${texts.map((text) => (text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`)).join(',')}}`;
}

/** A row of `TYPES`. */
interface Found {
  readonly name: string;
  readonly base: string;
  readonly element: string | undefined;
  readonly labels: readonly string[] | undefined;
}

function parseList(json: string | null | undefined): readonly string[] | undefined {
  const labels: unknown = JSON.parse(json ?? 'null');
  return Array.isArray(labels) ? labels.map(String) : undefined;
}

function resolveType(oid: string, found: ReadonlyMap<string, Found>): PostgresType {
  const { name, base, element, labels } = found.get(oid) ?? {
    name: 'unknown',
    base: 'unknown',
    element: undefined,
    labels: undefined,
  };
  return { name, base, labels, items: element === undefined ? undefined : resolveType(element, found) };
}

// The query is recursive, because a type can be a domain of an array of a domain of an enum.
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
