import { Text, type RequestContext } from '@org/mcp-decorators';

import { HealthInput } from '../tools/monitor/health.ts';
import { DatabaseArguments, pickDatabase } from '../../prompts/database-arguments.ts';
import { buildMessages, collectMaterial, formatStatement, type PromptMessage } from '../../prompts/prompt-message.ts';
import { describeTables } from '../../prompts/tables.ts';
import { findTableNames } from '../../prompts/table-names.ts';
import type { PostgresPromptTools } from './prompt-tools.ts';

export class ReviewMigrationArguments extends DatabaseArguments {
  @Text('Statements of the migration, in order', { maxLength: 65_536 }) sql!: string;
}

/**
 * Builds a prompt that asks for the effects of a migration on a database in use.
 *
 * @throws ToolError errors of `describe` and `health` that `collectMaterial` throws
 */
export async function reviewMigration(
  tools: PostgresPromptTools,
  { sql, ...given }: ReviewMigrationArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const checks = Object.assign(new HealthInput(), {
    ...pickDatabase(given),
    checks: ['long_transactions', 'idle_in_transaction'],
  });
  const [tables, health] = await Promise.all([
    describeTables(tools, { ...given, tables: findTableNames(sql) }, context),
    collectMaterial('Transactions that would block the migration', tools.health(checks, context)),
  ]);
  const words =
    'Review this migration for a database that is in use. For each statement, report which lock it takes on which object, and for how long given the size of the table, ' +
    'whether the table is rewritten or scanned, which existing rows make it fail, what breaks for programs that expect the old schema, ' +
    'and how to undo it. Then write the migration as it should be run: its steps, with lock_timeout, CONCURRENTLY and NOT VALID if they help, ' +
    'and which statements can share a transaction. Do not run any statement.';
  return buildMessages(words, [formatStatement('Migration', sql)], [...tables, ...health]);
}
