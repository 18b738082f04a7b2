import { Field, Flag, Integer, OneOf, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';
import { IsArray } from 'class-validator';

import { ACTIVITY_QUERIES, ACTIVITY_VIEWS, HIDDEN_QUERY, type ActivityViewName } from '../activity/activity-views.ts';
import { blockingTree } from '../activity/blocking-tree.ts';
import type { Database } from '../database/database.ts';
import type { Row } from '../rows/format.ts';
import { DatabaseInput } from './database-input.ts';

export class ActivityInput extends DatabaseInput {
  @OneOf(ACTIVITY_VIEWS, 'progress: of VACUUM, ANALYZE, CREATE INDEX, CLUSTER, COPY and base backups')
  view: ActivityViewName = 'sessions';

  @Integer('Most rows to return', { min: 1, max: 1000 }) limit = 100;
}

/** What a server is doing at the moment. */
export class Activity {
  @TextList() columns!: string[];

  @Field('Arrays of values as text, or null')
  @IsArray({ each: true })
  rows!: Row[];

  @Flag('There are more') truncated!: boolean;
  @Integer('Rows of sessions that the role may not look into', { optional: true }) hidden?: number;
}

/** @throws ToolError UNSUPPORTED_ENGINE, and those of `Database.readOnly` */
export async function activity(database: Database, input: ActivityInput, { signal }: RequestContext): Promise<Activity> {
  const { view, limit } = input;
  const capabilities = await database.capabilities();
  if (!capabilities.activity) throw noActivity();
  const { columns, sql } = ACTIVITY_QUERIES[view];
  const timeoutMs = database.timeoutFor(input);
  const found = await database.readOnly({ signal, timeoutMs }, ({ connection }) =>
    connection.lastRows(sql(capabilities), [String(limit + 1)]),
  );
  const shown = firstThatFit(found.slice(0, limit), database.limits.maxBytes);
  const hidden = shown.filter((row) => row.at(-1) === HIDDEN_QUERY).length;
  return {
    columns: [...columns],
    rows: [...(view === 'blocking_tree' ? blockingTree(shown) : shown)],
    truncated: found.length > shown.length,
    ...(hidden > 0 && { hidden }),
  };
}

/** That the server does not tell what its sessions do. */
export function noActivity(): ToolError {
  return new ToolError('UNSUPPORTED_ENGINE', 'this server does not tell what its sessions are doing', {
    hint: 'pg_stat_activity with wait events is needed',
    data: { retryable: false },
  });
}
