import {
  ChangeBus,
  compileServer,
  Result,
  type ListedTool,
  type RequestContext,
  type ResourceDefinition,
  ToolError,
} from '@org/mcp-decorators';
import { logFailures, UsageError, type Diagnosis, type OperatorLog, LARGE_RESULTS } from '@org/mcp-host';
import { RootError } from '@org/mcp-roots';
import { WatchHub } from '@org/mcp-watch';

import { disposeInOrder } from '../engine/dispose-in-order.ts';
import type { SqlDatabase } from '../engine/sql-database.ts';
import { QueryInput } from '../tools/query/query.ts';
import { visible } from '../rows/shown-value.ts';
import type { SchemaNotifier } from '../resources/schema-notifier.ts';
import { QueryDirectory } from './query-directory.ts';
import { SavedQueryScanner, toPublicEntry, type SavedEntry } from './saved-query-scanner.ts';
import { describeSavedQuery, type SavedQuery } from './saved-query.ts';

/**
 * Everything that saved queries need: their directory, the functions that find a database and run a query, and the schema
 * notifier.
 */
export interface SavedQueriesSource {
  readonly directory: string;
  /** `uriScheme` of the engine. */
  readonly uriScheme: string;
  readonly databaseFor: (input: { readonly database?: string }) => SqlDatabase;
  readonly query: (input: QueryInput, context: RequestContext) => Promise<Result>;
  /** Reports schema changes, after which the queries must be described again. */
  readonly schemas: SchemaNotifier;
  readonly log: OperatorLog | undefined;
}

/**
 * Maximum time that the start waits for the first scan. Most clients then find the tools in their first list, even if the database
 * is still starting.
 */
const FIRST_SCAN_MS = 5000;

/** The saved queries of a server, as tools and resources; notifies clients of changes. */
export class SavedQueries implements AsyncDisposable {
  tools: readonly ListedTool[] = [];
  readonly #server: object;
  readonly #source: SavedQueriesSource;
  readonly #hub: WatchHub;
  readonly #directory: QueryDirectory;
  readonly #scanner: SavedQueryScanner;
  readonly #subscriptions = new Map<SqlDatabase, AsyncDisposable>();
  readonly #listeners = new Set<{ readonly name: string; readonly updated: () => void }>();

  private constructor(server: object, source: SavedQueriesSource, directory: QueryDirectory) {
    const { log, databaseFor } = source;
    this.#server = server;
    this.#source = source;
    this.#directory = directory;
    this.#hub = new WatchHub(log && { onError: logFailures(log) });
    this.#scanner = new SavedQueryScanner({
      directory,
      hub: this.#hub,
      describe: async (text, signal) => {
        const database = databaseFor(text.database === undefined ? {} : { database: text.database });
        // The listener starts first, so that changes during the description are not missed.
        await this.#listenTo(database);
        return describeSavedQuery(database, text, signal);
      },
      isTaken: findReservedNames(server),
      changed: (before, now) => this.#changed(before, now),
      onError: log ? logFailures(log) : () => undefined,
    });
  }

  /** Opens and scans a directory. Throws a `UsageError` for a path that cannot be a directory. */
  static async open(server: object, source: SavedQueriesSource): Promise<SavedQueries> {
    const saved = new SavedQueries(server, source, await openDirectory(source.directory));
    await settledWithin(saved.#scanner.start(), FIRST_SCAN_MS);
    return saved;
  }

  get entries(): readonly SavedEntry[] {
    return this.#scanner.entries;
  }

  get resources(): readonly ResourceDefinition[] {
    return this.entries.map((entry) => ({
      uri: formatUri(this.#source.uriScheme, entry.name),
      name: entry.name,
      description: entry.query?.text.description ?? `${entry.file}: ${visible(entry.problem?.message ?? '')}`,
      mimeType: 'application/json',
    }));
  }

  /** Reports the state of the directory and of each file. */
  async diagnose(): Promise<readonly Diagnosis[]> {
    if (await this.#directory.exists()) return this.entries.map(diagnoseEntry);
    return [{ subject: `queries ${this.#source.directory}`, ok: false, detail: 'the directory does not exist' }];
  }

  /** Returns the facts about a query, or `undefined` if no query has the name. */
  find(name: string): object | undefined {
    const entry = this.entries.find((each) => each.name === name);
    return entry && toPublicEntry(entry);
  }

  /** Starts to describe all queries again. */
  refresh(): void {
    void this.#scanner.scan({ all: true });
  }

  /**
   * Calls `updated` when the query of a URI is changed, removed or added again. Returns `undefined` for a URI without a query.
   */
  watch(uri: string, updated: () => void): AsyncDisposable | undefined {
    const entry = this.entries.find(({ name }) => formatUri(this.#source.uriScheme, name) === uri);
    if (entry === undefined) return undefined;
    const listener = { name: entry.name, updated };
    this.#listeners.add(listener);
    return { [Symbol.asyncDispose]: () => Promise.resolve(void this.#listeners.delete(listener)) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The end of the scanner ends the scan, which might otherwise add another subscription.
    await disposeInOrder([this.#scanner, ...this.#subscriptions.values(), this.#hub]);
  }

  /** Subscribes to the schema of a database. If the subscription fails, the next scan tries again. */
  async #listenTo(database: SqlDatabase): Promise<void> {
    // The scanner describes one query at a time, so a database never gets two subscriptions.
    if (this.#subscriptions.has(database)) return;
    this.#subscriptions.set(database, await this.#source.schemas.listen(database, () => this.refresh()));
  }

  #changed(before: readonly SavedEntry[], now: readonly SavedEntry[]): void {
    const { log, query } = this.#source;
    const resources = JSON.stringify(this.resources);
    const tools = JSON.stringify(this.tools);
    this.tools = createTools(now, query, () => this.refresh());
    const changes = ChangeBus.of(this.#server);
    // Each process watches the directory itself, so the notification stays in this process.
    if (JSON.stringify(this.tools) !== tools) changes.deliver({ kind: 'tools_list_changed' });
    if (resources !== this.#announcedResources) changes.deliver({ kind: 'resources_list_changed' });
    this.#announcedResources = resources;
    const changed = findChangedNames(before, now);
    for (const { name, updated } of this.#listeners) if (changed.has(name)) updated();
    for (const { file, name, problem } of now)
      if (problem !== undefined && changed.has(name))
        log?.warning(`saved query ${file}:${problem.line}:${problem.column}: ${visible(problem.message)}`);
  }

  #announcedResources = '[]';
}

function diagnoseEntry({ file, name, problem }: SavedEntry): Diagnosis {
  const subject = `query ${file}`;
  if (problem === undefined) return { subject, ok: true, detail: `the tool ${name}` };
  return { subject, ok: false, detail: `${file}:${problem.line}:${problem.column}: ${visible(problem.message)}` };
}

function formatUri(scheme: string, name: string): string {
  return `${scheme}query://${encodeURIComponent(name)}`;
}

async function openDirectory(directory: string): Promise<QueryDirectory> {
  try {
    return await QueryDirectory.open(directory);
  } catch (error) {
    throw error instanceof RootError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** Returns a function that checks whether a tool of the server class or a set of tools already has a name. */
function findReservedNames(server: object): (name: string) => boolean {
  const { tools } = compileServer(server);
  const sets = new Set(['all', ...[...tools.values()].flatMap((tool) => tool.sets), 'default', 'read', 'saved']);
  return (name) => tools.has(name) || sets.has(name);
}

function findChangedNames(before: readonly SavedEntry[], now: readonly SavedEntry[]): ReadonlySet<string> {
  const texts = (entries: readonly SavedEntry[]): ReadonlyMap<string, string> =>
    new Map(entries.map((entry) => [entry.name, JSON.stringify(toPublicEntry(entry))]));
  const [old, young] = [texts(before), texts(now)];
  return new Set([...old.keys(), ...young.keys()].filter((name) => old.get(name) !== young.get(name)));
}

async function settledWithin(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}

/** Runs a query like the tool `query`. */
type RunQuery = (input: QueryInput, context: RequestContext) => Promise<Result>;

/** Creates a tool for each valid file. @param stale called when the columns of a query have changed */
function createTools(entries: readonly SavedEntry[], run: RunQuery, stale: () => void): readonly ListedTool[] {
  return entries.flatMap(({ query }) => (query === undefined ? [] : [createTool(query, run, stale)]));
}

function createTool(query: SavedQuery, run: RunQuery, stale: () => void): ListedTool {
  const { text, inputSchema, outputSchema } = query;
  const { name, description } = text;
  return {
    definition: {
      name,
      description,
      inputSchema,
      ...(outputSchema && { outputSchema }),
      annotations: { readOnlyHint: true, openWorldHint: false },
      _meta: LARGE_RESULTS,
    },
    sets: ['default', 'read', 'saved'],
    async call(given, context) {
      const result = await run(createInput(query, given), context);
      if (outputSchema !== undefined && result.structured === undefined) throw columnsTooLong(query);
      if (hasItsColumns(query, result)) return result;
      stale();
      if (outputSchema === undefined) return result;
      throw new ToolError('CONFLICT', `the columns that ${name} returns differ from the columns in the list of tools`, {
        hint: 'list the tools again',
      });
    },
  };
}

function createInput(query: SavedQuery, given: Readonly<Record<string, unknown>>): QueryInput {
  const { sql, maxRows, database, structured } = query.text;
  return Object.assign(new QueryInput(), {
    sql,
    params: query.bindParameters(given),
    max_rows: maxRows,
    structured,
    ...(database !== undefined && { database }),
  });
}

/**
 * Whether a result has the columns that the database described for the query. Clients reject structured content that does not
 * match the output schema.
 */
function hasItsColumns({ columns }: SavedQuery, { structured, facts = {} }: Result): boolean {
  const found: unknown = Reflect.get(structured ?? facts, 'columns');
  // If the columns are too long for a result, the result contains only their number.
  if (found === undefined) return Reflect.get(facts, 'columns_omitted') === columns.length;
  return (
    Array.isArray(found) &&
    found.length === columns.length &&
    found.every((column: object, index) => {
      const { name, type } = columns[index] ?? {};
      return Reflect.get(column, 'name') === name && Reflect.get(column, 'type') === type;
    })
  );
}

function columnsTooLong({ text }: SavedQuery): ToolError {
  return new ToolError('TOO_LARGE', `the columns of ${text.name} alone are too long for structured content`, {
    hint: 'select fewer columns in the saved query; the operator can raise the limit with --max-bytes',
  });
}
