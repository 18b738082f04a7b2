import type { SchemaColumn, SchemaTable } from '../../catalog/schema-table.ts';

/**
 * Writes, for each table, a type of the rows as the usual driver for JavaScript returns the rows.
 *
 * @param names names of the types, in the order of the tables
 */
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

function mapType({ codeTypes, nullable }: SchemaColumn): string {
  return nullable ? `${codeTypes.typescript} | null` : codeTypes.typescript;
}

function quoteProperty(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);
}

function formatComment(comment: string | undefined, indent: string): string {
  return comment === undefined ? '' : `${indent}/** ${comment.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;
}
