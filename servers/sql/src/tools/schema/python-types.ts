import type { SchemaColumn, SchemaTable } from './schema-tables.ts';

/** Writes a type of each table's rows as the driver `psycopg` returns them. @param names names of the types, in the order of the tables */
export function writePythonTypes(tables: readonly SchemaTable[], names: readonly string[]): string {
  const types = tables.map(({ columns, comment }, index) => {
    const name = names[index] ?? '';
    const lines = columns.map(
      (column) => `${formatComment(column.comment, '    ')}    ${JSON.stringify(column.name)}: ${mapType(column)},\n`,
    );
    return `${formatComment(comment, '')}${name} = TypedDict("${name}", {\n${lines.join('')}})\n`;
  });
  return [IMPORTS, ...types].join('\n');
}

const IMPORTS = `import datetime
import decimal
import uuid
from typing import Any, Literal, Optional, TypedDict
`;

function mapType({ type, isArray, nullable, labels }: SchemaColumn): string {
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

function formatComment(comment: string | undefined, indent: string): string {
  return comment === undefined ? '' : `${indent}# ${comment.replaceAll(/\s+/g, ' ')}\n`;
}
