import type { Language } from '../../catalog/schema-table.ts';

/** Returns the types of a value as the drivers `pg` and `psycopg` return the value. @param type name of the type, without modifiers */
export function findCodeTypes(type: string): Readonly<Record<Language, string>> {
  return { typescript: TYPESCRIPT[type] ?? 'string', python: PYTHON[type] ?? 'str' };
}

// The driver returns every other type as a string, including numbers that JavaScript cannot represent exactly.
const TYPESCRIPT: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  oid: 'number',
  real: 'number',
  'double precision': 'number',
  date: 'Date',
  'timestamp without time zone': 'Date',
  'timestamp with time zone': 'Date',
  json: 'unknown',
  jsonb: 'unknown',
  bytea: 'Buffer',
};

const PYTHON: Readonly<Record<string, string>> = {
  boolean: 'bool',
  smallint: 'int',
  integer: 'int',
  bigint: 'int',
  oid: 'int',
  real: 'float',
  'double precision': 'float',
  numeric: 'decimal.Decimal',
  uuid: 'uuid.UUID',
  date: 'datetime.date',
  'time without time zone': 'datetime.time',
  'time with time zone': 'datetime.time',
  'timestamp without time zone': 'datetime.datetime',
  'timestamp with time zone': 'datetime.datetime',
  interval: 'datetime.timedelta',
  json: 'Any',
  jsonb: 'Any',
  bytea: 'bytes',
};
