export { Database, type DatabaseOptions } from './database/database.ts';
export { Databases } from './database/databases.ts';
export { Writer, type WriteOptions } from './database/writer.ts';
export { Activity, ActivityInput } from './operations/activity.ts';
export { AdviseIndexesInput, IndexAdvice, ScanAdvice } from './operations/advise-indexes.ts';
export { CancelInput, CancelOutcome } from './operations/cancel.ts';
export { CompareSchemasInput, SchemaDifference, SchemaDifferences } from './operations/compare-schemas.ts';
export { ConfirmInput } from './operations/confirm-input.ts';
export { DatabaseInput } from './operations/database-input.ts';
export { DescribeInput } from './operations/describe.ts';
export {
  DescribedColumn,
  DescribedKey,
  DescribedMember,
  DescribedPart,
  DescribedSize,
  DescribedUse,
  Description,
} from './operations/description.ts';
export { ErDiagram, ErDiagramInput } from './operations/er-diagram.ts';
export { ExecuteInput, type ExecutedStatement, type ReturnedRows } from './operations/execute.ts';
export { ExplainedPlan, ExplainInput, PlanSummary } from './operations/explain.ts';
export { Export, ExportInput } from './operations/export.ts';
export { FetchResultInput } from './operations/fetch-result.ts';
export { GeneratedTypes, GenerateTypesInput } from './operations/generate-types.ts';
export { CheckedHealth, Health, HealthInput } from './operations/health.ts';
export { ImportInput, type ImportedRows } from './operations/import-rows.ts';
export { ServedDatabase, ServedDatabases } from './operations/list-databases.ts';
export { HeardNotification, HeardNotifications, ListenInput } from './operations/listen.ts';
export { ColumnProfile, FrequentValue, ProfileColumnInput } from './operations/profile-column.ts';
export { QueryInput, type QueryResult } from './operations/query.ts';
export { RowsInput, type ResultColumn, type RowsPage } from './operations/rows-page.ts';
export { RunMaintenanceInput } from './operations/run-maintenance.ts';
export { FoundDatabaseObject, FoundObjects, SearchObjectsInput } from './operations/search-objects.ts';
export { TablesInput } from './operations/tables-input.ts';
export { TopQueries, TopQueriesInput, TopQuery } from './operations/top-queries.ts';
export { PostgresOptions } from './options/postgres-options.ts';
export { PostgresServer } from './postgres-server.ts';
export { DatabaseArguments } from './prompts/database-arguments.ts';
export { DiagnoseSlowDatabaseArguments } from './prompts/diagnose-slow-database.ts';
export { ExplainErrorArguments } from './prompts/explain-error.ts';
export { ExploreDatabaseArguments } from './prompts/explore-database.ts';
export { OptimizeQueryArguments } from './prompts/optimize-query.ts';
export type { PromptMessage } from './prompts/prompt-message.ts';
export { ReviewMigrationArguments } from './prompts/review-migration.ts';
export { WriteQueryArguments } from './prompts/write-query.ts';
export { ExportUri } from './resources/export-uri.ts';
export { ResultUri } from './resources/result-uri.ts';
export { DatabaseUri, SchemaUri, TableUri } from './resources/uris.ts';
export { SavedQueryUri } from './saved/saved-query-uri.ts';
