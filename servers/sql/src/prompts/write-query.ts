import { Text, type RequestContext } from '@org/mcp-decorators';

import { DatabaseArguments } from './database-arguments.ts';
import { request, type PromptMessage, type PromptTools } from './prompt-message.ts';
import { described, listed } from './tables.ts';

export class WriteQueryArguments extends DatabaseArguments {
  @Text('What is to be found out', { maxLength: 4000 }) question!: string;
  @Text('Tables that it is about, separated by commas; default: those that fit', { optional: true }) tables?: string;
}

/** Asks for the query that answers a question. @throws ToolError those of `describe` and `search_objects` */
export async function writeQuery(
  tools: PromptTools,
  { question, tables = '', ...given }: WriteQueryArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const names = namesIn(tables);
  const known = await described(tools, { ...given, tables: names }, context);
  const words =
    'Write one SQL statement for PostgreSQL that answers the question below. Use only tables and columns that are there (describe shows them), ' +
    'join by their keys, mind NULL and rows that a join repeats, and put values into $1, $2. Check the plan with explain, run it with query, ' +
    'and say what the result means and what was assumed.';
  return request(words, [`Question: ${question}`], known.length > 0 ? known : await listed(tools, given, context));
}

/** Names in a list, as they were written. */
function namesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
