import type { Language } from '../../catalog/schema-table.ts';

/** A type of PostgreSQL, as far as drivers distinguish types. A domain is replaced by its base type. */
export interface DriverType {
  /** Name without modifiers: `numeric`. For an array, the name of the element type. */
  readonly name: string;
  readonly isArray: boolean;
  /** Whether the type, or the element type, belongs to PostgreSQL itself, not to an extension or a user. */
  readonly isBuiltIn: boolean;
  /** Values of an enum; empty for other types. */
  readonly labels: readonly string[];
}

/** Returns the TypeScript type and the Python type of the values that the drivers `pg` and `psycopg` return. */
export function findCodeTypes(type: DriverType): Readonly<Record<Language, string>> {
  return { typescript: findTypescriptType(type), python: findPythonType(type) };
}

function findTypescriptType({ name, isArray, isBuiltIn, labels }: DriverType): string {
  if (!isArray && labels.length > 0) return labels.map((label) => JSON.stringify(label)).join(' | ');
  const found = isBuiltIn ? (isArray ? TYPESCRIPT_ELEMENTS : TYPESCRIPT)[name] : undefined;
  if (found === undefined) return 'string';
  return isArray ? `(${found} | null)[]` : found;
}

function findPythonType({ name, isArray, isBuiltIn, labels }: DriverType): string {
  if (!isArray && labels.length > 0) return `Literal[${labels.map((label) => JSON.stringify(label)).join(', ')}]`;
  const one = isBuiltIn ? (PYTHON[name] ?? 'str') : 'str';
  return isArray && isBuiltIn ? `list[Optional[${one}]]` : one;
}

const POINT = '{ x: number; y: number }';
const INTERVAL =
  '{ years?: number; months?: number; days?: number; hours?: number; minutes?: number; seconds?: number; milliseconds?: number }';

// `pg` returns a value of any other type as a string, including `bigint` and `numeric`, which JavaScript cannot represent
// exactly.
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
  interval: INTERVAL,
  point: POINT,
  circle: '{ x: number; y: number; radius: number }',
  json: 'unknown',
  jsonb: 'unknown',
  bytea: 'Buffer',
};

/** TypeScript types of the elements of arrays that `pg` parses. `pg` returns any other array as one string, such as `{a,b}`. */
const TYPESCRIPT_ELEMENTS: Readonly<Record<string, string | undefined>> = {
  ...TYPESCRIPT,
  circle: undefined,
  bigint: 'string',
  numeric: 'number',
  ...Object.fromEntries(
    [
      'character',
      'character varying',
      'cidr',
      'inet',
      'macaddr',
      'money',
      'numrange',
      'regproc',
      'text',
      'time with time zone',
      'time without time zone',
      'uuid',
    ].map((name) => [name, 'string']),
  ),
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
