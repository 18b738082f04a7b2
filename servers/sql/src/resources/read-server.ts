import type { RequestContext } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { activity, ActivityInput, type Activity } from '../operations/activity.ts';

/** What a database server is doing. */
export interface ActivityContents {
  readonly sessions: Activity;
  /** Who waits for whom. */
  readonly blocking_tree: Activity;
}

/** @throws ToolError those of `activity` */
export async function readActivity(database: Database, context: RequestContext): Promise<ActivityContents> {
  const [sessions, tree] = await Promise.all([
    activity(database, new ActivityInput(), context),
    activity(database, Object.assign(new ActivityInput(), { view: 'blocking_tree' }), context),
  ]);
  return { sessions, blocking_tree: tree };
}

/** A setting of the server that somebody chose. */
export interface ChosenSetting {
  readonly name: string;
  readonly value: string;
  /** What the value counts. */
  readonly unit?: string;
  readonly default?: string;
  /** Where it was chosen, such as `configuration file`, `database` or `user`. */
  readonly source: string;
  /** It takes effect at a restart. */
  readonly pending_restart?: true;
}

/** Settings that are not at their defaults, as the role sees them. @throws ToolError those of `Database.readOnly` */
export async function readSettings(
  database: Database,
  context: RequestContext,
): Promise<{ readonly settings: readonly ChosenSetting[] }> {
  const rows = await database.rows(SETTINGS, [], context);
  return {
    settings: rows.map(([name, value, unit, initial, source, pending]) => ({
      name: name ?? '',
      value: value ?? '',
      ...(typeof unit === 'string' && { unit }),
      ...(typeof initial === 'string' && { default: initial }),
      source: source ?? '',
      ...(pending === 't' && { pending_restart: true as const }),
    })),
  };
}

// What the client and this session set is nothing of the server.
const SETTINGS = `
  select name, setting, unit, boot_val, source, pending_restart from pg_settings
  where pending_restart or source not in ('default', 'override', 'client', 'session')
  order by name`;
