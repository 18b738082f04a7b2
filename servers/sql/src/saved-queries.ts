import {
  Changes,
  Complete,
  Resource,
  ToolError,
  type ListedTool,
  type ResourceDefinition,
  type ResourceLister,
  type ToolLister,
} from '@org/mcp-decorators';
import type { Diagnosis, OperatorLog } from '@org/mcp-host';

import { SchemaFeed } from './saved/schema-feed.ts';
import { watchSchema } from './saved/schema-watch.ts';
import type { SavedQueriesFeed } from './saved/saved-queries-feed.ts';
import { SAVED_QUERY_URI, SavedQueryUri } from './saved/saved-query-uri.ts';
import { WritingTools } from './writing-tools.ts';

/** Tools and resources that are files in a watched folder. */
export abstract class SavedQueries extends WritingTools implements ToolLister, ResourceLister {
  #saved: SavedQueriesFeed | undefined;
  readonly #schemas: SchemaFeed = new SchemaFeed(() => Changes.of(this).deliver({ kind: 'resources_list_changed' }));

  /** Looks at the folder of `--queries` too; waits a short while for the database, and goes on without it. */
  override async open(log?: OperatorLog): Promise<void> {
    await super.open(log);
    const { queries } = this.options;
    if (queries === undefined) return;
    const { SavedQueriesFeed: Feed } = await import('./saved/saved-queries-feed.ts');
    this.#saved = await Feed.open(this, {
      directory: queries,
      databaseFor: (input) => this.databaseFor(input),
      query: (input, context) => this.query(input, context),
      schemas: this.#schemas,
      log,
    });
  }

  /** One for each file that can be used. */
  listTools(): readonly ListedTool[] {
    return this.#saved?.tools ?? NONE;
  }

  /** The saved queries, those with a mistake too. */
  listResources(): readonly ResourceDefinition[] | Promise<readonly ResourceDefinition[]> {
    return this.#saved?.resources ?? [];
  }

  /** Tells of changes of saved queries, and of schemas and tables. */
  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    return this.#saved?.watch(uri, updated) ?? watchSchema(uri, { databases: this.databases, feed: this.#schemas, updated });
  }

  @Resource({
    uriTemplate: SAVED_QUERY_URI,
    name: 'saved_query',
    title: 'Saved query',
    description: 'A file of the folder of queries: its statement and schemas, or what is wrong with it',
    mimeType: 'application/json',
  })
  savedQuery({ name }: SavedQueryUri): object {
    const found = this.#saved?.shown(name);
    if (found === undefined) throw new ToolError('NOT_FOUND', `there is no saved query "${name}"`);
    return found;
  }

  @Complete({ resource: SAVED_QUERY_URI, argument: 'name' })
  savedQueryNames(): readonly string[] {
    return this.#saved?.entries.map(({ name }) => name) ?? [];
  }

  override async diagnose(): Promise<readonly Diagnosis[]> {
    return [...(await super.diagnose()), ...((await this.#saved?.diagnose()) ?? [])];
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.#saved?.[Symbol.asyncDispose]();
    await this.#schemas[Symbol.asyncDispose]();
    await super[Symbol.asyncDispose]();
  }
}

const NONE: readonly ListedTool[] = [];
