import { Flag, Integer, OneOf, Result, Text, type RequestContext } from '@org/mcp-decorators';

import { LANGUAGES, type Language, type SchemaTable } from '../../catalog/schema-table.ts';
import { timeoutFor } from '../../engine/limits.ts';
import type { SqlDatabase } from '../../engine/sql-database.ts';
import { fenced } from '../../rows/fenced.ts';
import { writeThatFit } from '../../rows/fit.ts';
import { visible } from '../../rows/shown-value.ts';
import { writePythonTypes } from './python-types.ts';
import { writeTypescriptTypes } from './typescript-types.ts';
import { noteMissingTables, TablesInput } from './tables-input.ts';

export class GenerateTypesInput extends TablesInput {
  @OneOf(LANGUAGES, 'Types as the usual driver of the language returns them')
  language: Language = 'typescript';
  @Integer('Maximum number of tables', { min: 1, max: 200 }) limit = 50;
}

export class GeneratedTypes {
  @OneOf(LANGUAGES) language!: Language;
  @Text() code!: string;
  @Integer('Number of tables and views in the code') tables!: number;
  @Flag('More tables exist') truncated!: boolean;
  @Flag('The only table shown lacks some columns', { optional: true }) cut?: boolean;
}

const WRITERS = { typescript: writeTypescriptTypes, python: writePythonTypes } as const;

/** @throws ToolError errors of the database */
export async function generateTypes(database: SqlDatabase, input: GenerateTypesInput, context: RequestContext): Promise<Result> {
  const types = await writeTypes(database, input, context);
  return Result.of(types, [fenced(visible(types.code), types.language), ...noteMissingTables(types)].join('\n'));
}

async function writeTypes(database: SqlDatabase, input: GenerateTypesInput, { signal }: RequestContext): Promise<GeneratedTypes> {
  const { schema, tables: names, language, limit } = input;
  const timeoutMs = timeoutFor(database, input);
  const found = await database.tables({ schema, tables: names, limit: limit + 1 }, { signal, timeoutMs });
  const write = (tables: typeof found): string => WRITERS[language](tables, nameTypes(tables));
  const { text, count, isCut } = writeThatFit(found.slice(0, limit), write, database.limits.maxBytes);
  return { language, code: text, tables: count, truncated: found.length > count, ...(isCut && { cut: true }) };
}

/** Returns the names of the types of tables, such as `OrderLines` for `order_lines`; a number makes equal names unique. */
function nameTypes(tables: readonly SchemaTable[]): readonly string[] {
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
