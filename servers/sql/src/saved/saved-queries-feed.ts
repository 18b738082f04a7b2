import {
  Changes,
  compileServer,
  Result,
  type ListedTool,
  type RequestContext,
  type ResourceDefinition,
} from '@org/mcp-decorators';
import { toldTo, UsageError, type Diagnosis, type OperatorLog } from '@org/mcp-host';
import { RootError } from '@org/mcp-roots';
import { WatchHub } from '@org/mcp-watch';

import type { Database } from '../database/database.ts';
import type { QueryInput } from '../operations/query.ts';
import { visible } from '../rows/shown-value.ts';
import { QueryFolder } from './query-folder.ts';
import type { SchemaFeed } from './schema-feed.ts';
import { SavedFolder, shown, type SavedEntry } from './saved-folder.ts';
import { describeSaved } from './saved-query.ts';
import { savedTools } from './saved-tools.ts';

/** Where saved queries are, and what runs them. */
export interface SavedQueriesSource {
  readonly directory: string;
  readonly databaseFor: (input: { readonly database?: string }) => Database;
  readonly query: (input: QueryInput, context: RequestContext) => Promise<Result>;
  /** Tells when queries have to be described anew. */
  readonly schemas: SchemaFeed;
  readonly log: OperatorLog | undefined;
}

/** A database that starts is waited for so long, so that most clients find the tools in their first list. */
const FIRST_LOOK_MS = 5000;

/** The saved queries of a server as tools and resources, and what its clients are told of them. */
export class SavedQueriesFeed implements AsyncDisposable {
  tools: readonly ListedTool[] = [];
  readonly #server: object;
  readonly #source: SavedQueriesSource;
  readonly #hub: WatchHub;
  readonly #files: QueryFolder;
  readonly #folder: SavedFolder;
  readonly #schemas = new Map<Database, Promise<AsyncDisposable>>();
  readonly #listeners = new Set<{ readonly name: string; readonly updated: () => void }>();

  private constructor(server: object, source: SavedQueriesSource, folder: QueryFolder) {
    const { log, databaseFor } = source;
    this.#server = server;
    this.#source = source;
    this.#files = folder;
    this.#hub = new WatchHub(log && { onError: toldTo(log) });
    this.#folder = new SavedFolder({
      folder,
      hub: this.#hub,
      describe: async (text, signal) => {
        const database = databaseFor(text.database === undefined ? {} : { database: text.database });
        // First: what changes while it is described must not be missed.
        await this.#listenTo(database);
        return describeSaved(database, text, signal);
      },
      isTaken: namesOf(server),
      changed: (before, now) => this.#changed(before, now),
      onError: log ? toldTo(log) : () => undefined,
    });
  }

  /** Throws a `UsageError` for a path that cannot be a folder. */
  static async open(server: object, source: SavedQueriesSource): Promise<SavedQueriesFeed> {
    const feed = new SavedQueriesFeed(server, source, await folderAt(source.directory));
    await settledWithin(feed.#folder.start(), FIRST_LOOK_MS);
    return feed;
  }

  get entries(): readonly SavedEntry[] {
    return this.#folder.entries;
  }

  get resources(): readonly ResourceDefinition[] {
    return this.entries.map((entry) => ({
      uri: uriOf(entry.name),
      name: entry.name,
      description: entry.query?.text.description ?? `${entry.file}: ${visible(entry.problem?.message ?? '')}`,
      mimeType: 'application/json',
    }));
  }

  /** How the folder and its files are. */
  async diagnose(): Promise<readonly Diagnosis[]> {
    if (await this.#files.isThere()) return this.entries.map(diagnosisOf);
    return [{ subject: `queries ${this.#source.directory}`, ok: false, detail: 'the directory is not there' }];
  }

  /** What is known of a query; `undefined` if there is none of that name. */
  shown(name: string): object | undefined {
    const entry = this.entries.find((each) => each.name === name);
    return entry && shown(entry);
  }

  /** Describes all queries anew. */
  refresh(): void {
    void this.#folder.look({ anew: true });
  }

  /** Calls `updated` when a query changes, is gone or is back; `undefined` for a URI of something else. */
  watch(uri: string, updated: () => void): AsyncDisposable | undefined {
    const entry = this.entries.find(({ name }) => uriOf(name) === uri);
    if (entry === undefined) return undefined;
    const listener = { name: entry.name, updated };
    this.#listeners.add(listener);
    return { [Symbol.asyncDispose]: () => Promise.resolve(void this.#listeners.delete(listener)) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#schemas.values()].map(async (listening) => (await listening)[Symbol.asyncDispose]()));
    await this.#folder[Symbol.asyncDispose]();
    await this.#hub[Symbol.asyncDispose]();
  }

  async #listenTo(database: Database): Promise<void> {
    const listening = this.#schemas.get(database) ?? this.#source.schemas.listen(database, () => this.refresh());
    this.#schemas.set(database, listening);
    await listening;
  }

  #changed(before: readonly SavedEntry[], now: readonly SavedEntry[]): void {
    const { log, query } = this.#source;
    const resources = JSON.stringify(this.resources);
    const tools = JSON.stringify(this.tools);
    this.tools = savedTools(now, query, () => this.refresh());
    const changes = Changes.of(this.#server);
    // Each process sees the folder for itself.
    if (JSON.stringify(this.tools) !== tools) changes.deliver({ kind: 'tools_list_changed' });
    if (resources !== this.#told) changes.deliver({ kind: 'resources_list_changed' });
    this.#told = resources;
    const changed = changedNames(before, now);
    for (const { name, updated } of this.#listeners) if (changed.has(name)) updated();
    for (const { file, name, problem } of now)
      if (problem !== undefined && changed.has(name))
        log?.warning(`saved query ${file}:${problem.line}:${problem.column}: ${visible(problem.message)}`);
  }

  #told = '[]';
}

function diagnosisOf({ file, name, problem }: SavedEntry): Diagnosis {
  const subject = `query ${file}`;
  if (problem === undefined) return { subject, ok: true, detail: `the tool ${name}` };
  return { subject, ok: false, detail: `${file}:${problem.line}:${problem.column}: ${visible(problem.message)}` };
}

function uriOf(name: string): string {
  return `pgquery://${encodeURIComponent(name)}`;
}

async function folderAt(directory: string): Promise<QueryFolder> {
  try {
    return await QueryFolder.open(directory);
  } catch (error) {
    throw error instanceof RootError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** Of all tools of the class, and their sets. */
function namesOf(server: object): (name: string) => boolean {
  const { tools } = compileServer(server);
  const sets = new Set(['all', ...[...tools.values()].flatMap((tool) => tool.sets), 'default', 'read', 'saved']);
  return (name) => tools.has(name) || sets.has(name);
}

function changedNames(before: readonly SavedEntry[], now: readonly SavedEntry[]): ReadonlySet<string> {
  const texts = (entries: readonly SavedEntry[]): ReadonlyMap<string, string> =>
    new Map(entries.map((entry) => [entry.name, JSON.stringify(shown(entry))]));
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
