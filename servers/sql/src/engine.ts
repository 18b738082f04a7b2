// The base of servers for any SQL engine. This module loads no part of PostgreSQL.
export type { CatalogNames, NamedColumn, NamedRelation } from './catalog/catalog-names.ts';
export {
  DescribedColumn,
  DescribedKey,
  DescribedMember,
  DescribedPart,
  DescribedSize,
  DescribedUse,
  Description,
  type Includable,
} from './catalog/description.ts';
export type { FoundObject, ObjectKind, Search } from './catalog/found-object.ts';
export { parseObjectName, type ObjectName } from './catalog/object-name.ts';
export type { Language, Reference, SchemaColumn, SchemaTable, TableChoice } from './catalog/schema-table.ts';
export { Databases } from './engine/databases.ts';
export { timeoutError } from './engine/errors.ts';
export { limitAffected, limitCalls, timeoutFor, writeTimeoutFor, type CallLimits, type CallOptions } from './engine/limits.ts';
export type {
  ParameterType,
  ReadOutcome,
  ReadQuery,
  ReadStatement,
  ResultColumn,
  ResultHeader,
  RowSink,
  StatementDescription,
  StreamedStatement,
  StreamSink,
  ValueSchema,
} from './engine/reading.ts';
export { RowProgress } from './engine/row-progress.ts';
export type { DatabaseFacts, DescribeRequest, SchemaChange, SchemaPart, SqlDatabase } from './engine/sql-database.ts';
export type { SqlEngine } from './engine/sql-engine.ts';
export type { CommittedWrite, PreparedWrite, WritePlan, WriteRequest, WriteSink } from './engine/writing.ts';
export { DatabaseArguments } from './prompts/database-arguments.ts';
export { ExplainErrorArguments } from './prompts/explain-error.ts';
export { ExploreDatabaseArguments } from './prompts/explore-database.ts';
export type { PromptMessage } from './prompts/prompt-message.ts';
export { WriteQueryArguments } from './prompts/write-query.ts';
export { ExportUri } from './resources/read-export.ts';
export { ResultUri } from './resources/read-result.ts';
export { SavedQueryUri, SchemaUri, sqlResources, TableUri } from './resources/uris.ts';
export { decodeRows, encodeRow } from './rows/encoded-rows.ts';
export { cutText } from './rows/fit.ts';
export type { Row } from './rows/format.ts';
export { Page, type PageLimits, type Truncation } from './rows/page.ts';
export { SqlOptions } from './sql-options.ts';
export { SqlServer } from './sql-server.ts';
export { DatabaseInput } from './tools/database-input.ts';
export { Export, ExportInput } from './tools/query/export.ts';
export { FetchResultInput } from './tools/query/fetch-result.ts';
export { QueryInput, type QueryResult } from './tools/query/query.ts';
export { RowsInput, type RowsPage } from './tools/query/rows-page.ts';
export { DescribeInput } from './tools/schema/describe.ts';
export { ErDiagram, ErDiagramInput } from './tools/schema/er-diagram.ts';
export { GeneratedTypes, GenerateTypesInput } from './tools/schema/generate-types.ts';
export { ServedDatabase, ServedDatabases } from './tools/schema/list-databases.ts';
export { DatabaseObject, DatabaseObjects, SearchObjectsInput } from './tools/schema/search-objects.ts';
export { TablesInput } from './tools/schema/tables-input.ts';
export { ConfirmInput } from './tools/write/confirm-input.ts';
export { ExecuteInput, type ExecutedStatement, type ReturnedRows } from './tools/write/execute.ts';
