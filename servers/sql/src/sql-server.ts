import {
  App,
  ChangeBus,
  Complete,
  offersTool,
  Prompt,
  RequestContext,
  Resource,
  Tool,
  ToolError,
  type InterceptedCall,
  type Intercepting,
  type ListedTool,
  type ResourceDefinition,
  type ResourceLister,
  type Result,
  type ToolDefinition,
  type ToolLister,
  type ToolSelection,
  type ToolSelector,
} from '@org/mcp-decorators';
import { LARGE_RESULTS, readView, type Diagnosis, type OperatorLog, type ServerObject } from '@org/mcp-host';

import { Description } from './catalog/description.ts';
import type { Databases } from './engine/databases.ts';
import type { SqlDatabase } from './engine/sql-database.ts';
import type { SqlEngine } from './engine/sql-engine.ts';
import { explainError, ExplainErrorArguments } from './prompts/explain-error.ts';
import { exploreDatabase, ExploreDatabaseArguments } from './prompts/explore-database.ts';
import type { PromptMessage } from './prompts/prompt-message.ts';
import { writeQuery, WriteQueryArguments } from './prompts/write-query.ts';
import { completeSchemas, completeTableList, completeTables } from './resources/complete-names.ts';
import { readDdl, readSampleRows, readSchema, readTable } from './resources/read-catalog.ts';
import { ExportUri, readExport, type ExportPart } from './resources/read-export.ts';
import { readResultPage, ResultUri } from './resources/read-result.ts';
import { watchSchema } from './resources/schema-subscription.ts';
import {
  DDL_URI,
  EXPORT_URI,
  RESULT_URI,
  SAMPLE_URI,
  SAVED_QUERY_URI,
  SavedQueryUri,
  SCHEMA_URI,
  SchemaUri,
  TABLE_URI,
  TableUri,
} from './resources/uris.ts';
import type { ResultStore } from './result-store/result-store.ts';
import { SqlRuntime } from './runtime/sql-runtime.ts';
import type { SqlOptions } from './sql-options.ts';
import { LOSES, READS } from './tools/annotations.ts';
import type { DatabaseInput } from './tools/database-input.ts';
import { Export, ExportInput, exportRows } from './tools/query/export.ts';
import { fetchResult, FetchResultInput } from './tools/query/fetch-result.ts';
import { QueryInput, runQuery } from './tools/query/query.ts';
import { DescribeInput, describeObject } from './tools/schema/describe.ts';
import { drawErDiagram, ErDiagram, ErDiagramInput } from './tools/schema/er-diagram.ts';
import { GeneratedTypes, generateTypes, GenerateTypesInput } from './tools/schema/generate-types.ts';
import { listDatabases, ServedDatabases } from './tools/schema/list-databases.ts';
import { DatabaseObjects, searchObjects, SearchObjectsInput } from './tools/schema/search-objects.ts';
import { ExecuteInput, executeStatement } from './tools/write/execute.ts';
import { VIEWS } from './view-documents.ts';

type Messages = Promise<readonly PromptMessage[]>;
type CompletionArguments = Readonly<Record<string, string>>;

const NO_TOOLS: readonly ListedTool[] = [];

const ROWS_VIEW = 'ui://mcp-sql/rows';
const DIAGRAM_VIEW = 'ui://mcp-sql/diagram';
const WRITE_VIEW = 'ui://mcp-sql/write';

/**
 * The part of an MCP server that is the same for every SQL engine: it finds tables, reads and exports rows, keeps results, runs saved
 * queries, and writes after a confirmation. `PostgresServer` extends this class for PostgreSQL.
 *
 * A subclass for another engine opens its databases in `openDatabases`, and has the annotation `@McpServer` with
 * `resources: sqlResources(scheme)`, where `scheme` is the `uriScheme` of its engine. A subclass can override each tool, resource and
 * prompt, and add tools that use `this.databaseFor`.
 */
export abstract class SqlServer<Database extends SqlDatabase = SqlDatabase>
  implements ServerObject, Intercepting, ToolLister, ToolSelector, ResourceLister
{
  /** The operator's options. A subclass with its own options class redeclares them: `declare protected readonly options: AcmeOptions`. */
  protected readonly options: SqlOptions;
  readonly #runtime: SqlRuntime<Database>;

  constructor(options: SqlOptions) {
    this.options = options;
    this.#runtime = new SqlRuntime(options, () => ChangeBus.of(this).deliver({ kind: 'resources_list_changed' }));
  }

  /** The operator's selection of tools. */
  get toolSelection(): ToolSelection {
    return this.options;
  }

  // Views

  @App({
    uri: ROWS_VIEW,
    title: 'Rows',
    description: 'The rows of a result as a table or a plot',
    permissions: ['clipboardWrite'],
    calls: ['query', 'fetch_result', 'export'],
  })
  rowsView(): Promise<string> {
    return readView(VIEWS, 'rows');
  }

  @App({
    uri: DIAGRAM_VIEW,
    title: 'ER diagram',
    description: 'Tables with their columns and foreign keys',
  })
  diagramView(): Promise<string> {
    return readView(VIEWS, 'diagram');
  }

  @App({
    uri: WRITE_VIEW,
    title: 'Preview of a change',
    description: 'The rows that a statement would change, before and after, to confirm it',
  })
  writeView(): Promise<string> {
    return readView(VIEWS, 'write');
  }

  // Finding tables and columns

  @Tool({
    title: 'List databases',
    description: 'List the databases that can be queried, with engine, version, role and extensions',
    output: ServedDatabases,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async listDatabases(context: RequestContext): Promise<Result> {
    return listDatabases(this.databases, context);
  }

  @Tool({
    title: 'Search objects',
    description:
      'List or find tables, views, columns, functions, indexes, types and schemas by name. For the columns of one table use describe',
    output: DatabaseObjects,
    annotations: READS,
    sets: ['default', 'read'],
    _meta: { 'anthropic/alwaysLoad': true },
  })
  async searchObjects(input: SearchObjectsInput, context: RequestContext): Promise<Result> {
    return searchObjects(this.databaseFor(input), input, context);
  }

  @Tool({
    title: 'Describe',
    description:
      'Describe a table or view: columns, types, keys, constraints, indexes and comments; for a function, type, sequence or schema, its definition',
    output: Description,
    annotations: READS,
    sets: ['default', 'read'],
    _meta: { 'anthropic/searchHint': 'table structure' },
  })
  async describe(input: DescribeInput, context: RequestContext): Promise<Result> {
    return describeObject(this.databaseFor(input), input, context);
  }

  @Tool({
    title: 'ER diagram',
    description: 'Draw an entity-relationship diagram (Mermaid) of tables with their primary and foreign keys',
    output: ErDiagram,
    annotations: READS,
    sets: ['extra', 'read'],
    app: DIAGRAM_VIEW,
  })
  async erDiagram(input: ErDiagramInput, context: RequestContext): Promise<Result> {
    return drawErDiagram(this.databaseFor(input), input, context);
  }

  @Tool({
    title: 'Generate types',
    description: 'Generate TypeScript or Python types for the rows of tables and views',
    output: GeneratedTypes,
    annotations: READS,
    sets: ['extra', 'read'],
  })
  async generateTypes(input: GenerateTypesInput, context: RequestContext): Promise<Result> {
    return generateTypes(this.databaseFor(input), input, context);
  }

  // Reading rows

  @Tool({
    title: 'Query',
    description: 'Run one SQL statement that reads (SELECT) and return the first rows',
    annotations: READS,
    sets: ['default', 'read'],
    _meta: { ...LARGE_RESULTS, 'anthropic/alwaysLoad': true },
    app: ROWS_VIEW,
  })
  async query(input: QueryInput, context: RequestContext): Promise<Result> {
    return runQuery(this.databaseFor(input), this.results, input, context);
  }

  @Tool({
    title: 'Fetch result',
    description:
      'Fetch more rows of a result, unchanged since query (keep: true) or execute stored it. The handle expires after 15 minutes without use (default)',
    annotations: READS,
    sets: ['default', 'read'],
    _meta: LARGE_RESULTS,
    app: ROWS_VIEW,
  })
  async fetchResult(input: FetchResultInput, context: RequestContext): Promise<Result> {
    return fetchResult(this.results, input, context);
  }

  @Tool({
    title: 'Export',
    description:
      'Export all rows of a reading statement, or of a result that query or execute kept, to a temporary file (CSV, JSON, Markdown), and return its link',
    output: Export,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async export(input: ExportInput, context: RequestContext): Promise<Result> {
    return exportRows(
      this.databaseFor(input),
      { results: this.results, directory: this.#runtime.exportDirectory },
      input,
      context,
    );
  }

  // Writing

  @Tool({
    title: 'Execute',
    description:
      'Run one SQL statement that writes (INSERT, UPDATE, DELETE, DDL) and commit it, after the user has confirmed the affected rows or objects',
    annotations: LOSES,
    sets: ['default', 'write'],
    _meta: LARGE_RESULTS,
    app: WRITE_VIEW,
  })
  async execute(input: ExecuteInput, context: RequestContext): Promise<Result> {
    return executeStatement(this.databaseFor(input), this.results, input, context);
  }

  // Resources

  @Resource({
    uriTemplate: SAVED_QUERY_URI,
    name: 'saved_query',
    title: 'Saved query',
    description:
      'A saved query: its statement and the JSON Schemas of its input and output, or the problem that prevents its use',
    mimeType: 'application/json',
  })
  savedQuery({ name }: SavedQueryUri): object {
    const found = this.#runtime.savedQueries?.find(name);
    if (found === undefined) throw new ToolError('NOT_FOUND', `the saved query "${name}" does not exist`);
    return found;
  }

  @Resource({
    uriTemplate: SCHEMA_URI,
    title: 'Schema',
    description: 'Tables, views, functions, sequences and types of a schema',
    mimeType: 'application/json',
  })
  async schema(uri: SchemaUri, context: RequestContext): Promise<Description> {
    return readSchema(this.databaseFor(uri), uri, context);
  }

  @Resource({
    uriTemplate: TABLE_URI,
    title: 'Table',
    description: 'Columns, keys and comments of a table or view',
    mimeType: 'application/json',
  })
  async table(uri: TableUri, context: RequestContext): Promise<Description> {
    return readTable(this.databaseFor(uri), uri, context);
  }

  @Resource({
    uriTemplate: DDL_URI,
    title: 'DDL',
    description: 'The CREATE statements of a table or view',
    mimeType: 'application/sql',
  })
  async tableDdl(uri: TableUri, context: RequestContext): Promise<string> {
    return readDdl(this.databaseFor(uri), uri, context);
  }

  @Resource({ uriTemplate: SAMPLE_URI, title: 'Sample', description: 'Sample rows of a table or view', mimeType: 'text/csv' })
  async tableSample(uri: TableUri, context: RequestContext): Promise<string> {
    return readSampleRows(this.databaseFor(uri), uri, context);
  }

  @Resource({
    uriTemplate: RESULT_URI,
    name: 'result',
    title: 'Page of a stored result',
    description: '1,000 rows of a query with keep: true',
    mimeType: 'text/csv',
  })
  async resultPage(uri: ResultUri, context: RequestContext): Promise<string> {
    return readResultPage(this.results, uri, context);
  }

  @Resource({
    uriTemplate: EXPORT_URI,
    name: 'export',
    title: 'Exported file',
    description: 'A file that export wrote; a large file is read in parts, by offset',
  })
  async exportedFile(uri: ExportUri, context: RequestContext): Promise<ExportPart> {
    return readExport(this.engine, this.results, uri, context);
  }

  // Prompts

  @Prompt({ title: 'Explore database', description: 'Explore a database and describe what it contains' })
  async exploreDatabase(args: ExploreDatabaseArguments, context: RequestContext): Messages {
    return exploreDatabase(this, args, context);
  }

  @Prompt({ title: 'Write query', description: 'Write the SQL query that answers a question' })
  async writeQuery(args: WriteQueryArguments, context: RequestContext): Messages {
    return writeQuery(this, { engine: this.engine, hasExplain: offersTool(this, 'explain') }, args, context);
  }

  @Prompt({ title: 'Explain error', description: 'Explain an error of the database and how to fix the error' })
  async explainError(args: ExplainErrorArguments, context: RequestContext): Messages {
    return explainError(this, this.engine, args, context);
  }

  // Completions

  @Complete({ resource: SAVED_QUERY_URI, argument: 'name' })
  savedQueryNames(): readonly string[] {
    return this.#runtime.savedQueries?.entries.map(({ name }) => name) ?? [];
  }

  @Complete({ resource: SCHEMA_URI, argument: 'database' })
  @Complete({ resource: TABLE_URI, argument: 'database' })
  @Complete({ resource: DDL_URI, argument: 'database' })
  @Complete({ resource: SAMPLE_URI, argument: 'database' })
  @Complete({ prompt: 'explore_database', argument: 'database' })
  @Complete({ prompt: 'write_query', argument: 'database' })
  @Complete({ prompt: 'explain_error', argument: 'database' })
  async databaseNames(): Promise<readonly string[]> {
    return this.databases.all.map(({ id }) => id);
  }

  @Complete({ resource: SCHEMA_URI, argument: 'schema' })
  @Complete({ resource: TABLE_URI, argument: 'schema' })
  @Complete({ resource: DDL_URI, argument: 'schema' })
  @Complete({ resource: SAMPLE_URI, argument: 'schema' })
  @Complete({ prompt: 'explore_database', argument: 'schema' })
  async schemaNames(_: string, { database }: CompletionArguments, context: RequestContext): Promise<readonly string[]> {
    return completeSchemas(this.databases.get(database), context);
  }

  @Complete({ resource: TABLE_URI, argument: 'table' })
  @Complete({ resource: DDL_URI, argument: 'table' })
  @Complete({ resource: SAMPLE_URI, argument: 'table' })
  async tableNames(_: string, { database, schema }: CompletionArguments, context: RequestContext): Promise<readonly string[]> {
    return completeTables(this.databases.get(database), { schema }, context);
  }

  @Complete({ prompt: 'write_query', argument: 'tables' })
  async promptTables(value: string, { database }: CompletionArguments, context: RequestContext): Promise<readonly string[]> {
    return completeTableList(value, this.databases.get(database), context);
  }

  // Members for subclasses

  /** Opens the databases of the options. The first database is the default. Throws a `UsageError` for options that cannot be used. */
  protected abstract openDatabases(log?: OperatorLog): Databases<Database> | Promise<Databases<Database>>;

  /** Returns the database with the id of an input; default: the first database. @throws ToolError NOT_FOUND for an unknown id */
  protected databaseFor({ database }: Pick<DatabaseInput, 'database'>): Database {
    return this.databases.get(database);
  }

  /** All databases, available after `open`. */
  protected get databases(): Databases<Database> {
    return this.#runtime.databases;
  }

  /** The engine of the databases, available after `open`. */
  protected get engine(): SqlEngine {
    const [{ engine }] = this.databases.all;
    return engine;
  }

  /** Stored results and exports, which expire after `--result-lifetime` without use. */
  protected get results(): ResultStore {
    return this.#runtime.results;
  }

  // Lifecycle

  /**
   * Opens the databases and the directories of exports and saved queries. Waits for at most five seconds until the databases have
   * described the saved queries.
   *
   * Throws a `UsageError` for options that cannot be used, or for a directory that cannot be opened.
   */
  async open(log?: OperatorLog): Promise<void> {
    const databases = await this.openDatabases(log);
    await this.#runtime.open(databases, {
      server: this,
      databaseFor: (input) => this.databaseFor(input),
      query: (input, context) => this.query(input, context),
      log,
    });
  }

  /** Whether a tool is offered: `execute` only with `--writable`. An override adds conditions. */
  offers({ name }: Pick<ToolDefinition, 'name'>): boolean {
    return this.options.writable || name !== 'execute';
  }

  /**
   * Records each call in the operator's log when the call has ended, if the log level is `info` or `debug`. An override runs
   * around this method: the `next` of the override calls this method, so the override must not call `super.intercept`.
   */
  intercept(call: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> {
    return this.#runtime.intercept(call, next);
  }

  /** Returns a tool for each valid file of saved queries. */
  listTools(): readonly ListedTool[] {
    return this.#runtime.savedQueries?.tools ?? NO_TOOLS;
  }

  /** Returns all saved queries, including files with a problem. */
  listResources(): readonly ResourceDefinition[] | Promise<readonly ResourceDefinition[]> {
    return this.#runtime.savedQueries?.resources ?? [];
  }

  /**
   * Subscribes to a saved query, a schema, a table or the DDL of a table. Returns `undefined` for other URIs, and if the object
   * does not exist.
   */
  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    const { savedQueries, schemas: notifier } = this.#runtime;
    return savedQueries?.watch(uri, updated) ?? watchSchema(uri, { databases: this.databases, notifier, updated });
  }

  /** Reports the state of the databases and saved queries for `check` and `server://info`; an override adds entries. */
  diagnose(): Promise<readonly Diagnosis[]> {
    return this.#runtime.diagnose();
  }

  /** Closes everything that `open` opened. An override calls `super[Symbol.asyncDispose]()` last. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtime[Symbol.asyncDispose]();
  }
}
