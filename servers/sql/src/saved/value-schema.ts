import type { JsonValue } from '@org/mcp-decorators';

import type { ValueType } from './value-types.ts';

type Schema = { readonly [keyword: string]: JsonValue };

const SAFE = Number.MAX_SAFE_INTEGER;

/** What is accepted of a type; others are taken as the text that PostgreSQL reads. */
const ACCEPTED: Readonly<Record<string, Schema>> = {
  bool: { type: 'boolean' },
  int2: { type: 'integer', minimum: -32_768, maximum: 32_767 },
  int4: { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 },
  // JSON's numbers are exact up to 2^53: what is larger comes as text.
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

/** JSON Schema of what is accepted for a parameter; for an optional one `null` too. */
export function acceptedSchema(type: ValueType, optional = false): Schema {
  const { labels, items } = type;
  const nulls = (name: string): JsonValue => (optional ? [name, 'null'] : name);
  if (items !== undefined) return { type: nulls('array'), items: acceptedSchema(items) };
  if (labels !== undefined) return { type: nulls('string'), enum: optional ? [...labels, null] : [...labels] };
  const schema = ACCEPTED[type.base] ?? { type: 'string' };
  if (!optional || schema['type'] === undefined) return schema;
  return { ...schema, type: [schema['type'], 'null'].flat() };
}

/** JSON Schema of what is returned in a column: values are text as PostgreSQL wrote them, or null. */
export function returnedSchema({ labels }: ValueType): Schema {
  return labels === undefined ? { type: ['string', 'null'] } : { type: ['string', 'null'], enum: [...labels, null] };
}

/** A value that the schema accepts, as PostgreSQL reads it; `null` for NULL. */
export function textOf(value: unknown, type: ValueType): string | null {
  if (value === undefined || value === null) return type.base.startsWith('json') && value === null ? 'null' : null;
  if (Array.isArray(value) && type.items !== undefined) return arrayText(value, type.items);
  if (type.base === 'json' || type.base === 'jsonb') return JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function arrayText(values: readonly unknown[], items: ValueType): string {
  const texts = values.map((value) => textOf(value, items));
  return `{${texts.map((text) => (text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`)).join(',')}}`;
}
