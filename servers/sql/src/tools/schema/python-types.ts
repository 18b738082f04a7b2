import type { SchemaColumn, SchemaTable } from '../../catalog/schema-table.ts';

/**
 * Writes, for each table, a type of the rows as the usual driver for Python returns the rows.
 *
 * @param names names of the types, in the order of the tables
 */
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

function mapType({ codeTypes, nullable }: SchemaColumn): string {
  return nullable ? `Optional[${codeTypes.python}]` : codeTypes.python;
}

function formatComment(comment: string | undefined, indent: string): string {
  return comment === undefined ? '' : `${indent}# ${comment.replaceAll(/\s+/g, ' ')}\n`;
}
