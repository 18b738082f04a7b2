import type { JsonValue, RawSchema } from '@org/mcp-decorators';

import type { Database } from '../postgres/database/database.ts';
import { describeStatement } from '../postgres/database/describe-statement.ts';
import { visible } from '../rows/shown-value.ts';
import { SavedProblem, type SavedParameter, type SavedText } from './saved-text.ts';

/** A saved query that PostgreSQL has parsed. */
export interface SavedQuery {
  readonly text: SavedText;
  readonly inputSchema: RawSchema;
  /** Absent if the query returns only text. */
  readonly outputSchema?: RawSchema;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Converts an input that matches the schema to the values of `$1`, `$2` and so on. */
  bindParameters(input: Readonly<Record<string, unknown>>): (string | null)[];
}

/** A column of the result. */
interface Column {
  readonly name: string;
  readonly type: string;
  readonly values: ValueType | undefined;
}

/**
 * Lets PostgreSQL describe the parameters and columns of a saved query.
 *
 * @throws SavedProblem if the statement and the header do not have the same number of parameters; ToolError errors of
 * `describeStatement`
 */
export async function describeSavedQuery(database: Database, text: SavedText, signal: AbortSignal): Promise<SavedQuery> {
  const { parameters, fields } = await describeStatement(database, text.sql, signal);
  const { params } = text;
  if (parameters.length !== params.length)
    throw new SavedProblem(`the statement has ${counted(parameters.length)}, and params names ${params.length}`);
  const types = await readValueTypes(database, [...parameters, ...fields.map(({ dataTypeID }) => dataTypeID)], signal);
  const facts = await database.columnTypes.describe(fields, { signal });
  const columns = fields.map(({ name, dataTypeID }, index) => ({
    name,
    type: facts[index]?.type ?? 'unknown',
    values: types.get(dataTypeID),
  }));
  const given = params.map((parameter, index) => ({ ...parameter, type: types.get(parameters[index] ?? 0) ?? UNKNOWN }));
  return {
    text,
    inputSchema: buildInputSchema(given),
    ...(text.structured && { outputSchema: buildOutputSchema(columns) }),
    columns: columns.map(({ name, type }) => ({ name, type })),
    bindParameters: (input) =>
      given.map(({ name, type }) => formatValue(Object.hasOwn(input, name) ? input[name] : undefined, type)),
  };
}

const UNKNOWN: ValueType = { name: 'text', base: 'text', labels: undefined, items: undefined };

function counted(parameters: number): string {
  return `${parameters} ${parameters === 1 ? 'parameter' : 'parameters'}`;
}

function buildInputSchema(params: readonly (SavedParameter & { readonly type: ValueType })[]): RawSchema {
  const required = params.filter(({ optional }) => !optional).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      params.map(({ name, description, type, optional }) => [
        name,
        {
          description: description === '' ? type.name : `${description} (${type.name})`,
          ...buildValueSchema(type, optional),
        },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function buildOutputSchema(columns: readonly Column[]): RawSchema {
  const described = columns.map(({ name, type }) => ({
    type: 'object',
    properties: { name: { const: name }, type: { const: type } },
    required: ['name', 'type'],
  }));
  const properties: Record<string, JsonValue> = {
    columns: { type: 'array', prefixItems: described, minItems: columns.length, maxItems: columns.length },
    row_count: { type: 'integer', description: 'Number of rows returned' },
    truncated: { type: 'string', description: 'Limit that was reached if rows are missing: rows or bytes' },
    rows: buildRowsSchema(columns),
  };
  return { type: 'object', properties, required: ['columns', 'row_count', 'rows'] };
}

function buildRowsSchema(columns: readonly Column[]): JsonValue {
  const values = columns.map(({ name, type, values: of }) => ({
    title: visible(name),
    description: type,
    ...buildColumnSchema(of ?? UNKNOWN),
  }));
  return { type: 'array', items: { type: 'array', prefixItems: values, minItems: columns.length, maxItems: columns.length } };
}

type Schema = { readonly [keyword: string]: JsonValue };

const SAFE = Number.MAX_SAFE_INTEGER;

/** JSON Schema of parameters by type; values of other types are text in PostgreSQL's syntax. */
const ACCEPTED: Readonly<Record<string, Schema>> = {
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

/** Builds the JSON Schema of a parameter; an optional parameter also accepts `null`. */
function buildValueSchema(type: ValueType, optional = false): Schema {
  const { labels, items } = type;
  const nulls = (name: string): JsonValue => (optional ? [name, 'null'] : name);
  if (items !== undefined) return { type: nulls('array'), items: buildValueSchema(items) };
  if (labels !== undefined) return { type: nulls('string'), enum: optional ? [...labels, null] : [...labels] };
  const schema = ACCEPTED[type.base] ?? { type: 'string' };
  if (!optional || schema['type'] === undefined) return schema;
  return { ...schema, type: [schema['type'], 'null'].flat() };
}

/** Builds the JSON Schema of a column: values are text as PostgreSQL formats them, or null. */
function buildColumnSchema({ labels }: ValueType): Schema {
  return labels === undefined ? { type: ['string', 'null'] } : { type: ['string', 'null'], enum: [...labels, null] };
}

/** Converts a value that matches the schema to PostgreSQL's syntax; `null` is NULL. */
function formatValue(value: unknown, type: ValueType): string | null {
  if (value === undefined || value === null) return type.base.startsWith('json') && value === null ? 'null' : null;
  if (Array.isArray(value) && type.items !== undefined) return formatArray(value, type.items);
  if (type.base === 'json' || type.base === 'jsonb') return JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function formatArray(values: readonly unknown[], items: ValueType): string {
  const texts = values.map((value) => formatValue(value, items));
  return `{${texts.map((text) => (text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`)).join(',')}}`;
}

/** A type of PostgreSQL. */
interface ValueType {
  /** Full name: `timestamp with time zone`. */
  readonly name: string;
  /** Short name of the type without domains: `timestamptz`. */
  readonly base: string;
  /** Values of an enum in order; `undefined` for other types. */
  readonly labels: readonly string[] | undefined;
  /** Type of the elements of an array; `undefined` for other types. */
  readonly items: ValueType | undefined;
}

/** A row of `TYPES`. */
interface Found {
  readonly name: string;
  readonly base: string;
  readonly element: string | undefined;
  readonly labels: readonly string[] | undefined;
}

/** Reads types by their object identifiers, with the element types of arrays. */
async function readValueTypes(
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
  return new Map(oids.map((oid) => [oid, resolveType(String(oid), found)]));
}

function parseList(json: string | null | undefined): readonly string[] | undefined {
  const labels: unknown = JSON.parse(json ?? 'null');
  return Array.isArray(labels) ? labels.map(String) : undefined;
}

function resolveType(oid: string, found: ReadonlyMap<string, Found>): ValueType {
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
