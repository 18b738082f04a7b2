import { Text, type RequestContext } from '@org/mcp-decorators';

import { ActivityInput } from '../tools/monitor/activity.ts';
import { HealthInput } from '../tools/monitor/health.ts';
import { TopQueriesInput } from '../tools/monitor/top-queries.ts';
import { DatabaseArguments, pickDatabase } from '../../prompts/database-arguments.ts';
import { buildMessages, collectMaterial, type PromptMessage } from '../../prompts/prompt-message.ts';
import type { PostgresPromptTools } from './prompt-tools.ts';

export class DiagnoseSlowDatabaseArguments extends DatabaseArguments {
  @Text('Symptom, such as which calls are slow and since when', { optional: true, maxLength: 4000 }) symptom?: string;
}

/** Builds a prompt that asks why a database is slow. @throws ToolError errors of the tools that `collectMaterial` throws */
export async function diagnoseSlowDatabase(
  tools: PostgresPromptTools,
  { symptom, ...given }: DiagnoseSlowDatabaseArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const database = pickDatabase(given);
  const material = await Promise.all([
    collectMaterial('Health', tools.health(Object.assign(new HealthInput(), database), context)),
    collectMaterial('Sessions', tools.activity(Object.assign(new ActivityInput(), { ...database, limit: 30 }), context)),
    collectMaterial(
      'Blocked sessions',
      tools.activity(Object.assign(new ActivityInput(), { ...database, view: 'blocking_tree' }), context),
    ),
    collectMaterial(
      'Statements with the highest total time',
      tools.topQueries(Object.assign(new TopQueriesInput(), database), context),
    ),
  ]);
  const words =
    'Find out why this database is slow. Rule out these causes in this order: sessions that block others, sessions that wait or keep transactions open, ' +
    'a few statements that take most of the time, missing indexes and dead rows, too little memory, settings. explain shows the plan of a statement, ' +
    'activity shows the current sessions. Report the likely cause with its evidence, an immediate fix and a permanent fix, each with SQL, ' +
    'and what you could not determine. Do not end sessions or change anything unless I ask you to.';
  return buildMessages(words, symptom === undefined ? [] : [`Symptom: ${symptom}`], material.flat());
}
