import type { SchemaColumn, SchemaTable } from './schema-tables.ts';

/** Writes a type of each table's rows as the driver `pg` returns them. @param names names of the types, in the order of the tables */
export function writeTypescriptTypes(tables: readonly SchemaTable[], names: readonly string[]): string {
  return tables
    .map(({ columns, comment }, index) => {
      const lines = columns.map(
        (column) => `${formatComment(column.comment, '  ')}  ${quoteProperty(column.name)}: ${mapType(column)};\n`,
      );
      return `${formatComment(comment, '')}export interface ${names[index] ?? ''} {\n${lines.join('')}}\n`;
    })
    .join('\n');
}

function mapType({ type, isArray, nullable, labels }: SchemaColumn): string {
  const one = labels.length > 0 ? labels.map((label) => JSON.stringify(label)).join(' | ') : (TYPES[type] ?? 'string');
  const all = isArray ? `(${one} | null)[]` : one;
  return nullable ? `${all} | null` : all;
}

// The driver returns every other type as a string, including numbers that JavaScript cannot represent exactly.
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

function quoteProperty(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);
}

function formatComment(comment: string | undefined, indent: string): string {
  return comment === undefined ? '' : `${indent}/** ${comment.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;
}
