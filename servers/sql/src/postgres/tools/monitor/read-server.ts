import { Text, type RequestContext } from '@org/mcp-decorators';

import type { Database } from '../../database/database.ts';
import { ActivityInput, readActivity, type Activity } from './activity.ts';

/** URI templates of the resources about the server of a database. */
export const ACTIVITY_URI = 'pg://{database}/activity';
export const SETTINGS_URI = 'pg://{database}/settings';

/** The decoded variable of `pg://{database}/activity` and `pg://{database}/settings`. */
export class DatabaseUri {
  @Text('Id of the database') database!: string;
}

/** The current sessions of a database server. */
export interface ActivityContents {
  readonly sessions: Activity;
  /** Rows of blocking and blocked sessions, each blocked session after a session that blocks it. */
  readonly blocking_tree: Activity;
}

/** @throws ToolError errors of the tool `activity` */
export async function readServerActivity(database: Database, context: RequestContext): Promise<ActivityContents> {
  const [sessions, tree] = await Promise.all([
    readActivity(database, new ActivityInput(), context),
    readActivity(database, Object.assign(new ActivityInput(), { view: 'blocking_tree' }), context),
  ]);
  return { sessions, blocking_tree: tree };
}

/** A setting of the server that has been changed from its default. */
export interface ChosenSetting {
  readonly name: string;
  readonly value: string;
  /** Unit of the value, such as `8kB`. */
  readonly unit?: string;
  readonly default?: string;
  /** Source of the value, such as `configuration file`, `database` or `user`. */
  readonly source: string;
  /** Present if the configuration has another value, which takes effect only after a restart. */
  readonly pending_restart?: true;
}

/** Reads the non-default settings that the role may see. @throws ToolError errors of `Database.readOnly` */
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

// The settings of the client and of this session are excluded, because only settings of the server itself are listed.
const SETTINGS = `
  select name, setting, unit, boot_val, source, pending_restart from pg_settings
  where pending_restart or source not in ('default', 'override', 'client', 'session')
  order by name`;
