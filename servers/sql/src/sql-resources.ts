import { Complete, RequestContext, Resource } from '@org/mcp-decorators';

import type { Description } from './operations/describe.ts';
import { completeSchema, completeTable } from './resources/complete-table.ts';
import { EXPORT_URI, ExportUri, readExport, type ExportPart } from './resources/export-uri.ts';
import { readResultPage, RESULT_URI, ResultUri } from './resources/result-uri.ts';
import { readTable, TABLE_URI, TableUri } from './resources/table-uri.ts';
import { SavedQueries } from './saved-queries.ts';

/** What of a database can be read by URI. */
export abstract class SqlResources extends SavedQueries {
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
