import { Complete, Prompt, RequestContext } from '@org/mcp-decorators';

import { diagnoseSlowDatabase, DiagnoseSlowDatabaseArguments } from './prompts/diagnose-slow-database.ts';
import { explainError, ExplainErrorArguments } from './prompts/explain-error.ts';
import { exploreDatabase, ExploreDatabaseArguments } from './prompts/explore-database.ts';
import { optimizeQuery, OptimizeQueryArguments } from './prompts/optimize-query.ts';
import type { PromptMessage } from './prompts/prompt-message.ts';
import { reviewMigration, ReviewMigrationArguments } from './prompts/review-migration.ts';
import { writeQuery, WriteQueryArguments } from './prompts/write-query.ts';
import { completeSchema, completeTable } from './resources/complete-table.ts';
import { SqlResources } from './sql-resources.ts';

type Messages = Promise<readonly PromptMessage[]>;
type Given = Readonly<Record<string, string>>;

/** What to ask a model about a database, together with what it has to know of it. */
export abstract class SqlPrompts extends SqlResources {
  @Prompt({ title: 'Explore database', description: 'Tell what a database holds' })
  async exploreDatabase(args: ExploreDatabaseArguments, context: RequestContext): Messages {
    return exploreDatabase(this, args, context);
  }

  @Prompt({ title: 'Write query', description: 'Write the statement that answers a question' })
  async writeQuery(args: WriteQueryArguments, context: RequestContext): Messages {
    return writeQuery(this, args, context);
  }

  @Prompt({ title: 'Optimize query', description: 'Make a statement faster' })
  async optimizeQuery(args: OptimizeQueryArguments, context: RequestContext): Messages {
    return optimizeQuery(this, args, context);
  }

  @Prompt({ title: 'Diagnose slow database', description: 'Find out why a database is slow' })
  async diagnoseSlowDatabase(args: DiagnoseSlowDatabaseArguments, context: RequestContext): Messages {
    return diagnoseSlowDatabase(this, args, context);
  }

  @Prompt({ title: 'Review migration', description: 'Say what a migration would do to a database in use' })
  async reviewMigration(args: ReviewMigrationArguments, context: RequestContext): Messages {
    return reviewMigration(this, args, context);
  }

  @Prompt({ title: 'Explain error', description: 'Say what an error means and how it is mended' })
  async explainError(args: ExplainErrorArguments, context: RequestContext): Messages {
    return explainError(this, args, context);
  }

  @Complete({ prompt: 'explore_database', argument: 'database' })
  @Complete({ prompt: 'write_query', argument: 'database' })
  @Complete({ prompt: 'optimize_query', argument: 'database' })
  @Complete({ prompt: 'diagnose_slow_database', argument: 'database' })
  @Complete({ prompt: 'review_migration', argument: 'database' })
  @Complete({ prompt: 'explain_error', argument: 'database' })
  async promptDatabases(): Promise<readonly string[]> {
    return this.databases.all.map(({ id }) => id);
  }

  @Complete({ prompt: 'explore_database', argument: 'schema' })
  async promptSchemas(_: string, { database }: Given, context: RequestContext): Promise<readonly string[]> {
    return completeSchema(this.databases.get(database), context);
  }

  /** The last of the names that were typed so far. */
  @Complete({ prompt: 'write_query', argument: 'tables' })
  async promptTables(value: string, { database }: Given, context: RequestContext): Promise<readonly string[]> {
    const [before = ''] = /^.*,\s*/s.exec(value) ?? [];
    const names = await completeTable(this.databases.get(database), {}, context);
    return names.map((name) => before + name);
  }
}
