import { Text, type RequestContext } from '@org/mcp-decorators';

import type { SqlEngine } from '../engine/sql-engine.ts';
import { DatabaseArguments } from './database-arguments.ts';
import { buildMessages, type PromptMessage, type PromptTools } from './prompt-message.ts';
import { describeTables, findMentionedTables, listTables } from './tables.ts';

export class WriteQueryArguments extends DatabaseArguments {
  @Text('Question that the query answers', { maxLength: 4000 }) question!: string;
  @Text('Tables to use, separated by commas; default: found by words of the question', { optional: true }) tables?: string;
}

/** Facts about the server that the prompt mentions. */
interface WriteQueryServer {
  readonly engine: SqlEngine;
  /** Whether the server offers a tool `explain`. */
  readonly hasExplain: boolean;
}

/**
 * Builds a prompt that asks for the query that answers a question.
 *
 * @throws ToolError errors of `search_objects`, and errors of `describe` that `collectMaterial` throws
 */
export async function writeQuery(
  tools: PromptTools,
  { engine: { name, placeholders }, hasExplain }: WriteQueryServer,
  { question, tables = '', ...given }: WriteQueryArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const named = splitNames(tables);
  const names = named.length > 0 ? named : await findMentionedTables(tools, { ...given, text: question }, context);
  const known = await describeTables(tools, { ...given, tables: names }, context);
  const others = named.length > 0 && known.length > 0 ? [] : await listTables(tools, given, context);
  const words =
    `Write one SQL statement for ${name} that answers the question below. Use only existing tables and columns (describe shows them), ` +
    `join by keys, consider NULL and rows that a join repeats, and pass values as ${placeholders}. ${hasExplain ? 'Check the plan with explain, run' : 'Run'} the statement with query, ` +
    'and explain the result and your assumptions.';
  return buildMessages(words, [`Question: ${question}`], [...known, ...others]);
}

/** Splits a list at commas. */
function splitNames(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
