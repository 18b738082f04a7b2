import { Flag, Integer, OneOf, Text, type RequestContext } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { pythonTypes } from '../extra/python-types.ts';
import { schemaTables, type SchemaTable } from '../extra/schema-tables.ts';
import { typescriptTypes } from '../extra/typescript-types.ts';
import { TablesInput } from './tables-input.ts';
import { writeThatFit } from '../rows/fit.ts';

const LANGUAGES = ['typescript', 'python'] as const;

export type Language = (typeof LANGUAGES)[number];

export class GenerateTypesInput extends TablesInput {
  @OneOf(LANGUAGES, 'Types of rows as pg (TypeScript) or psycopg (Python) returns them') language: Language = 'typescript';
  @Integer('Most tables to write types for', { min: 1, max: 200 }) limit = 50;
}

export class GeneratedTypes {
  @OneOf(LANGUAGES) language!: Language;
  @Text() code!: string;
  @Integer('Tables and views in it') tables!: number;
  @Flag('There are more tables') truncated!: boolean;
  @Flag('The only table has more columns than fit', { optional: true }) cut?: boolean;
}

const WRITERS = { typescript: typescriptTypes, python: pythonTypes } as const;

/** @throws ToolError those of `Database.readOnly` */
export function generateTypes(
  database: Database,
  input: GenerateTypesInput,
  { signal }: RequestContext,
): Promise<GeneratedTypes> {
  const { schema, tables: names, language, limit } = input;
  return database.readOnly({ signal, timeoutMs: database.timeoutFor(input) }, async ({ connection }) => {
    const found = await schemaTables(connection, { schema, tables: names, limit: limit + 1 });
    const write = (tables: typeof found): string => WRITERS[language](tables, typeNames(tables));
    const { text, count, isCut } = writeThatFit(found.slice(0, limit), write, database.limits.maxBytes);
    return { language, code: text, tables: count, truncated: found.length > count, ...(isCut && { cut: true }) };
  });
}

/** `order_lines` becomes `OrderLines`; what several tables would be called has a number. */
function typeNames(tables: readonly SchemaTable[]): readonly string[] {
  const taken = new Set<string>();
  return tables.map(({ name }) => {
    const words = name.split(/[^\p{L}\p{N}]+/u).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
    const plain = words.join('').replace(/^(?=\p{N}|$)/u, 'T');
    let free = plain;
    for (let number = 2; taken.has(free); number += 1) free = `${plain}${number}`;
    taken.add(free);
    return free;
  });
}
