import { Text, type RequestContext } from '@org/mcp-decorators';

import { ExplainInput } from '../operations/explain.ts';
import { DatabaseArguments, named } from './database-arguments.ts';
import { request, shown, statement, type PromptMessage, type PromptTools } from './prompt-message.ts';
import { described, tablesIn } from './tables.ts';

export class OptimizeQueryArguments extends DatabaseArguments {
  @Text('The statement that is too slow', { maxLength: 65_536 }) sql!: string;
}

/** Asks how a statement becomes faster. @throws ToolError those of `explain` and `describe` */
export async function optimizeQuery(
  tools: PromptTools,
  { sql, ...given }: OptimizeQueryArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const input = Object.assign(new ExplainInput(), { ...named(given), sql });
  const [plan, tables] = await Promise.all([
    shown('Its plan', tools.explain(input, context)),
    described(tools, { ...given, tables: tablesIn(sql) }, context),
  ]);
  const words =
    'Make this statement faster without changing what it returns. Read the plan below from the inside out: where the cost is, what is read in vain, ' +
    'which estimates look wrong. explain with analyze measures it, if it may be run. Propose the smallest change first: a rewritten statement, ' +
    'then an index (say what it costs on writes), then statistics or settings. Show by explain that a rewritten one is better.';
  return request(words, [statement('Statement', sql)], [...plan, ...tables]);
}
