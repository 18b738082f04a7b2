import { Complete, RequestContext, Resource } from '@org/mcp-decorators';

import type { Description } from './operations/description.ts';
import { completeSchema, completeTable } from './resources/complete-table.ts';
import { EXPORT_URI, ExportUri, readExport, type ExportPart } from './resources/export-uri.ts';
import { readResultPage, RESULT_URI, ResultUri } from './resources/result-uri.ts';
import { readDdl, readSample, readSchema, readTable } from './resources/read-catalog.ts';
import { readActivity, readSettings, type ActivityContents, type ChosenSetting } from './resources/read-server.ts';
import { DatabaseUri, SchemaUri, TableUri } from './resources/uris.ts';
import { SavedQueries } from './saved-queries.ts';

const ACTIVITY = 'pg://{database}/activity';
const SETTINGS = 'pg://{database}/settings';
const SCHEMA = 'pg://{database}/{schema}';
const TABLE = 'pg://{database}/{schema}/{table}';
const DDL = 'pg://{database}/{schema}/{table}/ddl';
const SAMPLE = 'pg://{database}/{schema}/{table}/sample';

type Given = Readonly<Record<string, string>>;

/** What of a database can be read by URI. */
export abstract class SqlResources extends SavedQueries {
  @Resource({
    uriTemplate: ACTIVITY,
    title: 'Activity',
    description: 'Sessions, and who waits for whom',
    mimeType: 'application/json',
  })
  async serverActivity(uri: DatabaseUri, context: RequestContext): Promise<ActivityContents> {
    return readActivity(this.databaseFor(uri), context);
  }

  @Resource({
    uriTemplate: SETTINGS,
    title: 'Settings',
    description: 'Settings of the server that are not at their defaults',
    mimeType: 'application/json',
  })
  async serverSettings(uri: DatabaseUri, context: RequestContext): Promise<{ readonly settings: readonly ChosenSetting[] }> {
    return readSettings(this.databaseFor(uri), context);
  }

  @Resource({
    uriTemplate: SCHEMA,
    title: 'Schema',
    description: 'Tables, views, functions, sequences and types of a schema',
    mimeType: 'application/json',
  })
  async schema(uri: SchemaUri, context: RequestContext): Promise<Description> {
    return readSchema(this.databaseFor(uri), uri, context);
  }

  @Resource({
    uriTemplate: TABLE,
    title: 'Table',
    description: 'Columns, keys and comments of a table or view',
    mimeType: 'application/json',
  })
  async table(uri: TableUri, context: RequestContext): Promise<Description> {
    return readTable(this.databaseFor(uri), uri, context);
  }

  @Resource({ uriTemplate: DDL, title: 'DDL', description: 'The SQL that makes a table or view', mimeType: 'application/sql' })
  async tableDdl(uri: TableUri, context: RequestContext): Promise<string> {
    return readDdl(this.databaseFor(uri), uri, context);
  }

  @Resource({ uriTemplate: SAMPLE, title: 'Sample', description: 'A few rows of a table or view', mimeType: 'text/csv' })
  async tableSample(uri: TableUri, context: RequestContext): Promise<string> {
    return readSample(this.databaseFor(uri), uri, context);
  }

  @Resource({
    uriTemplate: RESULT_URI,
    name: 'result',
    title: 'Page of a kept result',
    description: '1,000 rows of a query with keep',
    mimeType: 'text/csv',
  })
  async resultPage(uri: ResultUri, context: RequestContext): Promise<string> {
    return readResultPage(this.spool, uri, context);
  }

  @Resource({
    uriTemplate: EXPORT_URI,
    name: 'export',
    title: 'Exported file',
    description: 'What export wrote; a large file is read in parts, by offset',
  })
  async exportedFile(uri: ExportUri, context: RequestContext): Promise<ExportPart> {
    return readExport(this.spool, uri, context);
  }

  @Complete({ resource: ACTIVITY, argument: 'database' })
  @Complete({ resource: SETTINGS, argument: 'database' })
  @Complete({ resource: SCHEMA, argument: 'database' })
  @Complete({ resource: TABLE, argument: 'database' })
  @Complete({ resource: DDL, argument: 'database' })
  @Complete({ resource: SAMPLE, argument: 'database' })
  async databaseNames(): Promise<readonly string[]> {
    return this.databases.all.map(({ id }) => id);
  }

  @Complete({ resource: SCHEMA, argument: 'schema' })
  @Complete({ resource: TABLE, argument: 'schema' })
  @Complete({ resource: DDL, argument: 'schema' })
  @Complete({ resource: SAMPLE, argument: 'schema' })
  async schemaNames(_: string, { database }: Given, context: RequestContext): Promise<readonly string[]> {
    return completeSchema(this.databases.get(database), context);
  }

  @Complete({ resource: TABLE, argument: 'table' })
  @Complete({ resource: DDL, argument: 'table' })
  @Complete({ resource: SAMPLE, argument: 'table' })
  async tableNames(_: string, { database, schema }: Given, context: RequestContext): Promise<readonly string[]> {
    return completeTable(this.databases.get(database), { schema }, context);
  }
}
