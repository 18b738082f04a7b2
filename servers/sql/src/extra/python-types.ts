import type { SchemaColumn, SchemaTable } from './schema-tables.ts';

/** Types of rows as the driver `psycopg` returns them; `names` are those of the types, in order. */
export function pythonTypes(tables: readonly SchemaTable[], names: readonly string[]): string {
  const types = tables.map(({ columns, comment }, index) => {
    const name = names[index] ?? '';
    const lines = columns.map(
      (column) => `${note(column.comment, '    ')}    ${JSON.stringify(column.name)}: ${typeOf(column)},\n`,
    );
    return `${note(comment, '')}${name} = TypedDict("${name}", {\n${lines.join('')}})\n`;
  });
  return [IMPORTS, ...types].join('\n');
}

const IMPORTS = `import datetime
import decimal
import uuid
from typing import Any, Literal, Optional, TypedDict
`;

function typeOf({ type, isArray, nullable, labels }: SchemaColumn): string {
  const one = labels.length > 0 ? `Literal[${labels.map((label) => JSON.stringify(label)).join(', ')}]` : (TYPES[type] ?? 'str');
  const all = isArray ? `list[Optional[${one}]]` : one;
  return nullable ? `Optional[${all}]` : all;
}

const TYPES: Readonly<Record<string, string>> = {
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

function note(comment: string | undefined, indent: string): string {
  return comment === undefined ? '' : `${indent}# ${comment.replaceAll(/\s+/g, ' ')}\n`;
}
