import { Text, type RequestContext } from '@org/mcp-decorators';

import { ActivityInput } from '../operations/activity.ts';
import { HealthInput } from '../operations/health.ts';
import { TopQueriesInput } from '../operations/top-queries.ts';
import { DatabaseArguments, named } from './database-arguments.ts';
import { request, shown, type PromptMessage, type PromptTools } from './prompt-message.ts';

export class DiagnoseSlowDatabaseArguments extends DatabaseArguments {
  @Text('What is slow, since when', { optional: true, maxLength: 4000 }) symptom?: string;
}

/** Asks why a database is slow. @throws ToolError those of `Database.readOnly` */
export async function diagnoseSlowDatabase(
  tools: PromptTools,
  { symptom, ...given }: DiagnoseSlowDatabaseArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const database = named(given);
  const material = await Promise.all([
    shown('Health', tools.health(Object.assign(new HealthInput(), database), context)),
    shown('Sessions', tools.activity(Object.assign(new ActivityInput(), { ...database, limit: 30 }), context)),
    shown('Who blocks whom', tools.activity(Object.assign(new ActivityInput(), { ...database, view: 'blocking_tree' }), context)),
    shown('Statements that took most', tools.topQueries(Object.assign(new TopQueriesInput(), database), context)),
  ]);
  const words =
    'Find out why this database is slow. Rule out in this order: sessions that block others, sessions that wait or hold transactions open, ' +
    'a few statements that take most of the time, missing indexes and dead rows, too little memory, settings. explain shows the plan of a statement, ' +
    'activity what goes on now. Say which cause is likely and by what it shows, what would mend it at once and what for good, with the SQL, ' +
    'and what could not be seen. Nothing is ended or changed unless I say so.';
  return request(words, symptom === undefined ? [] : [`What is slow: ${symptom}`], material.flat());
}
