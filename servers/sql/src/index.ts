export { Database, type DatabaseOptions } from './postgres/database/database.ts';
export { Databases } from './engine/databases.ts';
export { Writer, type WriteOptions } from './postgres/database/writer.ts';
export { Activity, ActivityInput } from './postgres/tools/monitor/activity.ts';
export { AdviseIndexesInput, IndexAdvice, ScanAdvice } from './postgres/tools/plan/advise-indexes.ts';
export { CancelInput, CancelOutcome } from './postgres/tools/monitor/cancel.ts';
export { CompareSchemasInput, SchemaDifference, SchemaDifferences } from './postgres/tools/compare-schemas.ts';
export { ConfirmInput } from './tools/write/confirm-input.ts';
export { DatabaseInput } from './tools/database-input.ts';
export { DescribeInput } from './tools/schema/describe.ts';
export {
  DescribedColumn,
  DescribedKey,
  DescribedMember,
  DescribedPart,
  DescribedSize,
  DescribedUse,
  Description,
} from './tools/schema/description.ts';
export { ErDiagram, ErDiagramInput } from './tools/schema/er-diagram.ts';
export { ExecuteInput, type ExecutedStatement, type ReturnedRows } from './tools/write/execute.ts';
export { ExplainedPlan, ExplainInput, PlanSummary } from './postgres/tools/plan/explain.ts';
export { Export, ExportInput } from './tools/query/export.ts';
export { FetchResultInput } from './tools/query/fetch-result.ts';
export { GeneratedTypes, GenerateTypesInput } from './tools/schema/generate-types.ts';
export { CheckedHealth, Health, HealthInput } from './postgres/tools/monitor/health.ts';
export { ImportInput, type ImportedRows } from './postgres/tools/write/import-rows.ts';
export { ServedDatabase, ServedDatabases } from './tools/schema/list-databases.ts';
export { ReceivedNotification, ReceivedNotifications, ListenInput } from './postgres/tools/monitor/listen.ts';
export { ColumnProfile, FrequentValue, ProfileColumnInput } from './postgres/tools/profile-column.ts';
export { QueryInput, type QueryResult } from './tools/query/query.ts';
export { RowsInput, type ResultColumn, type RowsPage } from './tools/query/rows-page.ts';
export { RunMaintenanceInput } from './postgres/tools/write/run-maintenance.ts';
export { DatabaseObject, DatabaseObjects, SearchObjectsInput } from './tools/schema/search-objects.ts';
export { TablesInput } from './tools/schema/tables-input.ts';
export { TopQueries, TopQueriesInput, TopQuery } from './postgres/tools/monitor/top-queries.ts';
export { PostgresOptions } from './postgres-options.ts';
export { PostgresServer } from './postgres-server.ts';
export { DatabaseArguments } from './prompts/database-arguments.ts';
export { DiagnoseSlowDatabaseArguments } from './postgres/prompts/diagnose-slow-database.ts';
export { ExplainErrorArguments } from './postgres/prompts/explain-error.ts';
export { ExploreDatabaseArguments } from './prompts/explore-database.ts';
export { OptimizeQueryArguments } from './postgres/prompts/optimize-query.ts';
export type { PromptMessage } from './prompts/prompt-message.ts';
export { ReviewMigrationArguments } from './postgres/prompts/review-migration.ts';
export { WriteQueryArguments } from './prompts/write-query.ts';
export { ExportUri } from './resources/read-export.ts';
export { ResultUri } from './resources/read-result.ts';
export { DatabaseUri, SavedQueryUri, SchemaUri, TableUri } from './resources/uris.ts';
