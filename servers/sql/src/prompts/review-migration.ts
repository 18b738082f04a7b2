import { Text, type RequestContext } from '@org/mcp-decorators';

import { HealthInput } from '../operations/health.ts';
import { DatabaseArguments, named } from './database-arguments.ts';
import { request, shown, statement, type PromptMessage, type PromptTools } from './prompt-message.ts';
import { described, tablesIn } from './tables.ts';

export class ReviewMigrationArguments extends DatabaseArguments {
  @Text('The statements, in order', { maxLength: 65_536 }) sql!: string;
}

/** Asks what a migration would do to a database in use. @throws ToolError those of `describe` and `health` */
export async function reviewMigration(
  tools: PromptTools,
  { sql, ...given }: ReviewMigrationArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const checks = Object.assign(new HealthInput(), { ...named(given), checks: ['long_transactions', 'idle_in_transaction'] });
  const [tables, health] = await Promise.all([
    described(tools, { ...given, tables: tablesIn(sql) }, context),
    shown('Transactions that its locks would wait for', tools.health(checks, context)),
  ]);
  const words =
    'Review this migration for a database that is in use. For each statement: which lock it takes on what and for how long given the size of the table, ' +
    'whether the table is rewritten or read whole, what fails on the rows that are there, what breaks for programs that still expect the old schema, ' +
    'and how it is undone. Then the same migration as it should be run: in which steps, with lock_timeout, CONCURRENTLY and NOT VALID where they help, ' +
    'what belongs into one transaction and what cannot. Do not run any of it.';
  return request(words, [statement('Migration', sql)], [...tables, ...health]);
}
