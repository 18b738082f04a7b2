import { Text, type RequestContext } from '@org/mcp-decorators';

import type { SqlEngine } from '../engine/sql-engine.ts';
import { DatabaseArguments } from './database-arguments.ts';
import { buildMessages, formatStatement, type PromptMessage, type PromptTools } from './prompt-message.ts';
import { describeTables, listTables } from './tables.ts';
import { findTableNames } from './table-names.ts';

export class ExplainErrorArguments extends DatabaseArguments {
  @Text('Text of the error, from the database or a tool', { maxLength: 16_384 }) error!: string;
  @Text('Statement that failed', { optional: true, maxLength: 65_536 }) sql?: string;
}

/**
 * Builds a prompt that asks for the meaning of an error.
 *
 * @throws ToolError errors of `describe` and `search_objects` that `collectMaterial` throws
 */
export async function explainError(
  tools: PromptTools,
  { name }: SqlEngine,
  { error, sql = '', ...given }: ExplainErrorArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const tables = await describeTables(tools, { ...given, tables: [...findTableNames(sql), ...findQuotedNames(error)] }, context);
  const words =
    `Explain this ${name} error: its meaning in plain words, its cause in the statement or the data, and how to fix it. ` +
    'Check the tables and columns in the database (search_objects, describe) before you answer, and show the corrected statement.';
  const notes = [formatStatement('Error', error), ...(sql === '' ? [] : [formatStatement('Statement', sql)])];
  return buildMessages(words, notes, tables.length > 0 ? tables : await listTables(tools, given, context));
}

/** Returns the texts in double quotes, with which PostgreSQL marks the names of objects in errors. */
function findQuotedNames(error: string): readonly string[] {
  return Array.from(error.matchAll(/"([^"]+)"/g), ([, name = '']) => name);
}
