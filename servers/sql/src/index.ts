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
export { PostgresOptions } from './postgres-options.ts';
export { PostgresServer } from './postgres-server.ts';
export type { DatabaseOptions } from './postgres/database/database.ts';
export { Writer, type WriteOptions } from './postgres/database/writer.ts';
export { PostgresDatabase } from './postgres/postgres-database.ts';
export { DiagnoseSlowDatabaseArguments } from './postgres/prompts/diagnose-slow-database.ts';
export { PostgresExplainErrorArguments } from './postgres/prompts/explain-error-arguments.ts';
export { OptimizeQueryArguments } from './postgres/prompts/optimize-query.ts';
export { ReviewMigrationArguments } from './postgres/prompts/review-migration.ts';
export { CompareSchemasInput, SchemaDifference, SchemaDifferences } from './postgres/tools/compare-schemas.ts';
export { PostgresExportInput } from './postgres/tools/export-input.ts';
export { PostgresGenerateTypesInput } from './postgres/tools/generate-types-input.ts';
export { Activity, ActivityInput } from './postgres/tools/monitor/activity.ts';
export { CancelInput, CancelOutcome } from './postgres/tools/monitor/cancel.ts';
export { CheckedHealth, Health, HealthInput } from './postgres/tools/monitor/health.ts';
export { ListenInput, ReceivedNotification, ReceivedNotifications } from './postgres/tools/monitor/listen.ts';
export { DatabaseUri } from './postgres/tools/monitor/read-server.ts';
export { TopQueries, TopQueriesInput, TopQuery } from './postgres/tools/monitor/top-queries.ts';
export { AdviseIndexesInput, IndexAdvice, IndexProposal } from './postgres/tools/plan/advise-indexes.ts';
export { RehearsedStep } from './postgres/tools/migrations/describe-step.ts';
export { ComparedQuery, RehearsedMigration, RehearseMigrationInput } from './postgres/tools/migrations/rehearse-migration.ts';
export { ExplainedPlan, ExplainInput, PlanSummary } from './postgres/tools/plan/explain.ts';
export type { ViewedPlan, ViewedStep } from './postgres/tools/plan/view-plan.ts';
export type { AffectedRow } from './postgres/tools/write/dry-run.ts';
export type { ViewedRows } from './tools/query/rows-result.ts';
export { ColumnProfile, FrequentValue, ProfileColumnInput } from './postgres/tools/profile-column.ts';
export { PostgresQueryInput } from './postgres/tools/query-input.ts';
export { PostgresExecuteInput } from './postgres/tools/write/execute-input.ts';
export { ImportInput, type ImportedRows } from './postgres/tools/write/import-rows.ts';
export { RunMaintenanceInput } from './postgres/tools/write/run-maintenance.ts';
export { DatabaseArguments } from './prompts/database-arguments.ts';
export { ExplainErrorArguments } from './prompts/explain-error.ts';
export { ExploreDatabaseArguments } from './prompts/explore-database.ts';
export type { PromptMessage } from './prompts/prompt-message.ts';
export { WriteQueryArguments } from './prompts/write-query.ts';
export { ExportUri } from './resources/read-export.ts';
export { ResultUri } from './resources/read-result.ts';
export { SavedQueryUri, SchemaUri, sqlResources, TableUri } from './resources/uris.ts';
export { decodeRows, encodeRow } from './rows/encoded-rows.ts';
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
