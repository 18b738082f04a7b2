import { Text, type RequestContext } from '@org/mcp-decorators';

import { ExplainInput } from '../tools/plan/explain.ts';
import { DatabaseArguments, pickDatabase } from '../../prompts/database-arguments.ts';
import { buildMessages, collectMaterial, formatStatement, type PromptMessage } from '../../prompts/prompt-message.ts';
import { describeTables } from '../../prompts/tables.ts';
import { findTableNames } from '../../prompts/table-names.ts';
import type { PostgresPromptTools } from './prompt-tools.ts';

export class OptimizeQueryArguments extends DatabaseArguments {
  @Text('Slow statement', { maxLength: 65_536 }) sql!: string;
}

/**
 * Builds a prompt that asks for a faster statement.
 *
 * @throws ToolError errors of `explain` and `describe` that `collectMaterial` throws
 */
export async function optimizeQuery(
  tools: PostgresPromptTools,
  { sql, ...given }: OptimizeQueryArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const input = Object.assign(new ExplainInput(), { ...pickDatabase(given), sql });
  const [plan, tables] = await Promise.all([
    collectMaterial('Plan of the statement', tools.explain(input, context)),
    describeTables(tools, { ...given, tables: findTableNames(sql) }, context),
  ]);
  const words =
    'Make this statement faster without changing its result. Read the plan below from the innermost step: find the expensive steps, unnecessary reads ' +
    'and wrong estimates. explain with analyze measures the statement, if it may be run. Propose the smallest change first: a rewritten statement, ' +
    'then an index (with its cost for writes), then statistics or settings. Use explain to show that a rewritten statement is better.';
  return buildMessages(words, [formatStatement('Statement', sql)], [...plan, ...tables]);
}
