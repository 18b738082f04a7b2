import { Complete, RequestContext, Resource } from '@org/mcp-decorators';

import type { Description } from './operations/describe.ts';
import {
  ACTIVITY_URI,
  DatabaseUri,
  readActivity,
  readSettings,
  SETTINGS_URI,
  type ActivityContents,
  type ChosenSetting,
} from './resources/database-uri.ts';
import { completeSchema, completeTable } from './resources/complete-table.ts';
import { readTable, TABLE_URI, TableUri } from './resources/table-uri.ts';
import { SavedQueries } from './saved-queries.ts';

/** What of a database can be read by URI. */
export abstract class SqlResources extends SavedQueries {
  @Resource({
    uriTemplate: ACTIVITY_URI,
    name: 'activity',
    title: 'Activity',
    description: 'Sessions, and who waits for whom',
    mimeType: 'application/json',
  })
  async serverActivity({ database }: DatabaseUri, context: RequestContext): Promise<ActivityContents> {
    return readActivity(this.databases.get(database), context);
  }

  @Resource({
    uriTemplate: SETTINGS_URI,
    name: 'settings',
    title: 'Settings',
    description: 'Settings of the server that are not at their defaults',
    mimeType: 'application/json',
  })
  async serverSettings(
    { database }: DatabaseUri,
    context: RequestContext,
  ): Promise<{ readonly settings: readonly ChosenSetting[] }> {
    return readSettings(this.databases.get(database), context);
  }

  @Resource({
    uriTemplate: TABLE_URI,
    name: 'table',
    title: 'Table',
    description: 'Columns, keys and comments of a table or view',
    mimeType: 'application/json',
  })
  async table(uri: TableUri, context: RequestContext): Promise<Description> {
    return readTable(this.databases, uri, context);
  }

  @Complete({ resource: ACTIVITY_URI, argument: 'database' })
  @Complete({ resource: SETTINGS_URI, argument: 'database' })
  @Complete({ resource: TABLE_URI, argument: 'database' })
  async databaseNames(): Promise<readonly string[]> {
    return this.databases.all.map(({ id }) => id);
  }

  @Complete({ resource: TABLE_URI, argument: 'schema' })
  async schemaNames(
    value: string,
    { database }: Readonly<Record<string, string>>,
    context: RequestContext,
  ): Promise<readonly string[]> {
    return completeSchema(this.databases.get(database), value, context);
  }

  @Complete({ resource: TABLE_URI, argument: 'table' })
  async tableNames(
    value: string,
    { database, schema }: Readonly<Record<string, string>>,
    context: RequestContext,
  ): Promise<readonly string[]> {
    return completeTable(this.databases.get(database), value, { schema }, context);
  }
}
