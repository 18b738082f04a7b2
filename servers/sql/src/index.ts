export type { DatabaseOptions } from './database/database.ts';
export { Database } from './database/database.ts';
export { Databases } from './database/databases.ts';
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
export { ExplainedPlan, ExplainInput, PlanSummary } from './operations/explain.ts';
export { ServedDatabase, ServedDatabases } from './operations/list-databases.ts';
export { QueryInput, QueryResult, ResultColumn } from './operations/query.ts';
export { FoundDatabaseObject, FoundObjects, SearchObjectsInput } from './operations/search-objects.ts';
export { PostgresOptions } from './options/postgres-options.ts';
export { PostgresServer } from './postgres-server.ts';
export { SchemaUri, TableUri } from './resources/uris.ts';
