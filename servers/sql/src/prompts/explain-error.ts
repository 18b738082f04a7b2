import { Text, type RequestContext } from '@org/mcp-decorators';

import { DatabaseArguments } from './database-arguments.ts';
import { request, statement, type PromptMessage, type PromptTools } from './prompt-message.ts';
import { described, listed, tablesIn } from './tables.ts';

export class ExplainErrorArguments extends DatabaseArguments {
  @Text('As PostgreSQL or a tool wrote it', { maxLength: 16_384 }) error!: string;
  @Text('The statement that failed', { optional: true, maxLength: 65_536 }) sql?: string;
}

/** Asks what an error means. @throws ToolError those of `describe` and `search_objects` */
export async function explainError(
  tools: PromptTools,
  { error, sql = '', ...given }: ExplainErrorArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const tables = await described(tools, { ...given, tables: [...tablesIn(sql), ...namedIn(error)] }, context);
  const words =
    'Explain this error of PostgreSQL: what it says in plain words, what in the statement or the data causes it, and how it is mended. ' +
    'Check against what the database holds (search_objects, describe) before you answer, and show the corrected statement.';
  const notes = [statement('Error', error), ...(sql === '' ? [] : [statement('Statement', sql)])];
  return request(words, notes, tables.length > 0 ? tables : await listed(tools, given, context));
}

/** PostgreSQL names objects between quotes. */
function namedIn(error: string): readonly string[] {
  return Array.from(error.matchAll(/"([^"]+)"/g), ([, name = '']) => name);
}
