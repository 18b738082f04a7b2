import type { RequestContext } from '@org/mcp-decorators';

import type { CatalogNames } from '../catalog/catalog-names.ts';
import type { Description } from '../catalog/description.ts';
import type { FoundObject, Search } from '../catalog/found-object.ts';
import type { SchemaTable, TableChoice } from '../catalog/schema-table.ts';
import type { ReadOutcome, ReadQuery, StatementDescription, StreamedStatement, StreamSink } from '../engine/reading.ts';
import type { DatabaseFacts, DescribeRequest, SchemaChange, SchemaPart, SqlDatabase } from '../engine/sql-database.ts';
import type { SqlEngine } from '../engine/sql-engine.ts';
import type { PreparedWrite, WriteRequest } from '../engine/writing.ts';
import { CachedCatalog } from './catalog/cached-catalog.ts';
import { describeStatement } from './catalog/describe-statement.ts';
import { readDescription } from './catalog/describe/describe.ts';
import { computeSchemaFingerprint } from './catalog/schema-fingerprint.ts';
import { readTables } from './catalog/schema-tables.ts';
import { searchCatalog } from './catalog/search.ts';
import { listCapabilities } from './database/connect/capabilities.ts';
import type { Source } from './database/connect/source.ts';
import type { Database, DatabaseOptions } from './database/database.ts';
import { SchemaListener } from './database/listen/schema-listener.ts';
import { ColumnTypes } from './database/query/column-types.ts';
import { ReadOnlyDatabase } from './database/query/read-only-database.ts';
import { read } from './database/read.ts';
import { stream } from './database/stream.ts';
import { Writer } from './database/writer.ts';
import { computeFingerprint } from './policy/fingerprint.ts';
import { Policy } from './policy/policy.ts';
import { prepareWrite } from './tools/write/prepare-write.ts';

export const POSTGRES: SqlEngine = {
  name: 'PostgreSQL',
  uriScheme: 'pg',
  placeholders: '$1, $2',
  fingerprintStatement: computeFingerprint,
};

/** A PostgreSQL database, which runs statements that its policy admits. */
export class PostgresDatabase extends ReadOnlyDatabase<DatabaseOptions> implements Database, SqlDatabase {
  readonly engine: SqlEngine = POSTGRES;
  readonly columnTypes: ColumnTypes = new ColumnTypes(this);
  readonly catalog: CachedCatalog = new CachedCatalog(this);
  readonly policy: Policy;
  readonly writer: Writer | undefined;

  constructor(id: string, source: Source, options: DatabaseOptions) {
    super(id, source, options);
    this.policy = new Policy(this, options);
    const { writable = false, readOnly = false } = options;
    this.writer = writable && !readOnly ? new Writer(this, source.writer ?? source) : undefined;
  }

  get writable(): boolean {
    return this.writer !== undefined;
  }

  get embedded(): boolean {
    return this.source.embedded;
  }

  get exposure(): string | undefined {
    return this.source.exposure;
  }

  get route(): string | undefined {
    return this.source.route;
  }

  async facts({ signal }: Pick<RequestContext, 'signal'>): Promise<DatabaseFacts> {
    const { version, role } = await this.identity();
    await this.policy.masks?.requireMatched(signal);
    const extensions = await this.rows('select extname from pg_extension order by 1', [], { signal });
    const capabilities = listCapabilities(await this.capabilities());
    return { version, role, capabilities, extensions: extensions.map(([name]) => name ?? '') };
  }

  read(query: ReadQuery, context: RequestContext): Promise<ReadOutcome> {
    return read(this, query, context);
  }

  stream(statement: StreamedStatement, sink: StreamSink, context: RequestContext): Promise<void> {
    return stream(this, statement, sink, context);
  }

  describeStatement(sql: string, signal: AbortSignal): Promise<StatementDescription> {
    return describeStatement(this, sql, signal);
  }

  prepareWrite(request: WriteRequest, context: RequestContext): Promise<PreparedWrite> {
    return prepareWrite(this, request, context);
  }

  search(search: Search, context: RequestContext): Promise<readonly FoundObject[]> {
    return searchCatalog(this, search, context);
  }

  describe(request: DescribeRequest, context: RequestContext): Promise<Description> {
    return readDescription(this, request, context);
  }

  tables(
    choice: TableChoice,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<readonly SchemaTable[]> {
    return this.readOnly(options, ({ connection }) => readTables(connection, choice));
  }

  names(context: Pick<RequestContext, 'signal'>): Promise<CatalogNames> {
    return this.catalog.snapshot(context);
  }

  fingerprintSchema(part: SchemaPart, signal: AbortSignal): Promise<string | undefined> {
    return computeSchemaFingerprint(this, part, signal);
  }

  async watchSchema(changed: (change: SchemaChange) => void): Promise<AsyncDisposable> {
    const listener = new SchemaListener(this.source, ({ kind }) => {
      // The announcement of an event trigger arrives before PostgreSQL updates the statistics counters by which the cached
      // catalog detects changes. Therefore the cached names are discarded here.
      if (kind === 'announced') this.catalog.forget();
      changed(kind === 'reconnected' ? 'reconnected' : 'changed');
    });
    await listener.start();
    return listener;
  }

  onCallEnd(): void {
    this.source.onCallEnd?.();
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.writer?.[Symbol.asyncDispose](), super[Symbol.asyncDispose]()]);
  }
}
