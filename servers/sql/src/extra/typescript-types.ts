import type { SchemaColumn, SchemaTable } from './schema-tables.ts';

/** Types of rows as the driver `pg` returns them; `names` are those of the types, in order. */
export function typescriptTypes(tables: readonly SchemaTable[], names: readonly string[]): string {
  return tables
    .map(({ columns, comment }, index) => {
      const lines = columns.map((column) => `${doc(column.comment, '  ')}  ${property(column.name)}: ${typeOf(column)};\n`);
      return `${doc(comment, '')}export interface ${names[index] ?? ''} {\n${lines.join('')}}\n`;
    })
    .join('\n');
}

function typeOf({ type, isArray, nullable, labels }: SchemaColumn): string {
  const one = labels.length > 0 ? labels.map((label) => JSON.stringify(label)).join(' | ') : (TYPES[type] ?? 'string');
  const all = isArray ? `(${one} | null)[]` : one;
  return nullable ? `${all} | null` : all;
}

// What it cannot hold without loss the driver returns as a string, and so it does with types that it does not know.
const TYPES: Readonly<Record<string, string>> = {
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

function property(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);
}

function doc(comment: string | undefined, indent: string): string {
  return comment === undefined ? '' : `${indent}/** ${comment.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;
}
