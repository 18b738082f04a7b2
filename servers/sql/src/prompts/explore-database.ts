import { Text, type RequestContext } from '@org/mcp-decorators';

import { DatabaseArguments } from './database-arguments.ts';
import { request, type PromptMessage, type PromptTools } from './prompt-message.ts';
import { listed } from './tables.ts';

export class ExploreDatabaseArguments extends DatabaseArguments {
  @Text('Only this schema', { optional: true }) schema?: string;
  @Text('What you want to do with the data', { optional: true, maxLength: 4000 }) goal?: string;
}

/** Asks what a database holds. @throws ToolError those of `search_objects` */
export async function exploreDatabase(
  tools: PromptTools,
  { goal, ...given }: ExploreDatabaseArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const words =
    'Get to know this database and tell what it holds: what the main tables are about, how they belong together, which columns matter, ' +
    'and what is surprising. describe shows columns, keys and comments, query a few rows. Look at the largest and most referred-to tables first, ' +
    'and do not read more than you need. End with three questions that the data can answer, each with its query.';
  return request(words, goal === undefined ? [] : [`What it is wanted for: ${goal}`], await listed(tools, given, context));
}
