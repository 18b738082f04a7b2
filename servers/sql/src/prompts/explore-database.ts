import { Text, type RequestContext } from '@org/mcp-decorators';

import { DatabaseArguments } from './database-arguments.ts';
import { buildMessages, type PromptMessage, type PromptTools } from './prompt-message.ts';
import { listTables } from './tables.ts';

export class ExploreDatabaseArguments extends DatabaseArguments {
  @Text('Restrict to this schema', { optional: true }) schema?: string;
  @Text('Purpose for which the data is needed', { optional: true, maxLength: 4000 }) goal?: string;
}

/**
 * Builds a prompt that asks for the contents of a database.
 *
 * @throws ToolError errors of `search_objects` that `collectMaterial` throws
 */
export async function exploreDatabase(
  tools: PromptTools,
  { goal, ...given }: ExploreDatabaseArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const words =
    'Explore this database and describe its contents: the subjects of the main tables, their relationships, the important columns, ' +
    'and anything surprising. describe shows columns, keys and comments; query shows a few rows. Start with the largest and most referenced tables, ' +
    'and do not read more than you need. End with three questions that the data can answer, each with its query.';
  return buildMessages(words, goal === undefined ? [] : [`Purpose: ${goal}`], await listTables(tools, given, context));
}
