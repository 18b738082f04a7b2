import type { RequestContext } from '@org/mcp-decorators';
import type * as engine from '@org/mcp-sql/engine';
import { cutText, encodeRow, limitCalls, RowProgress, timeoutFor } from '@org/mcp-sql/engine';

import { Catalog } from './catalog.js';
import { type CallLimits, Readers, type Statement } from './readers.js';

export const SQLITE: engine.SqlEngine = { name: 'SQLite', uriScheme: 'sqlite', placeholders: '?1, ?2' };

/** Time between two checks for changes of the schema, in ms. */
const CHECK_MS = 1000;

/** A database file, which is only read. */
export class SqliteDatabase implements engine.SqlDatabase {
  readonly engine: engine.SqlEngine = SQLITE;
  readonly writable = false;
  readonly limits: engine.CallLimits;
  readonly id: string;
  readonly #readers: Readers;
  readonly #catalog: Catalog;

  constructor(id: string, file: string, options: engine.CallOptions) {
    this.id = id;
    this.limits = limitCalls(options);
    this.#readers = new Readers(file);
    this.#catalog = new Catalog(this.#readers);
  }

  async facts(context: Pick<RequestContext, 'signal'>): Promise<engine.DatabaseFacts> {
    const [[version] = []] = await this.rows('SELECT sqlite_version()', [], context);
    return { version: version ?? '' };
  }

  async read({ sql, params, maxRows, page, timeoutMs }: engine.ReadQuery, context: RequestContext): Promise<engine.ReadOutcome> {
    using progress = new RowProgress(context);
    const started = performance.now();
    return await this.#readers.run({ signal: context.signal, timeoutMs }, async (reader) => {
      // One row more than the limit shows that the result is incomplete.
      const { columns, batches } = await reader.run({ sql, params, limit: maxRows + 1 });
      for await (const rows of batches) {
        for (const row of rows) if (page.add(row)) progress.add(1);
        if (page.truncated === 'bytes') break;
      }
      return { header: createHeader(columns), notices: [], elapsedMs: Math.round(performance.now() - started) };
    });
  }

  async stream(
    { sql, params, timeoutMs, signal }: engine.StreamedStatement,
    sink: engine.StreamSink,
    context: RequestContext,
  ): Promise<void> {
    using progress = new RowProgress(context);
    await this.#readers.run({ signal: signal ?? context.signal, timeoutMs }, async (reader) => {
      const { columns, batches } = await reader.run({ sql, params });
      sink.columns(createHeader(columns));
      for await (const rows of batches) {
        const encoded = Buffer.concat(rows.map(encodeRow));
        sink.rows(encoded, rows.length);
        progress.add(rows.length, encoded.length);
        await sink.busy;
      }
    });
  }

  async describeStatement(sql: string, signal: AbortSignal): Promise<engine.StatementDescription> {
    const limits = this.#limit({ signal });
    const { columns, placeholders } = await this.#readers.run(limits, (reader) => reader.run({ sql, limit: 0 }));
    return { parameters: Array.from({ length: placeholders }, () => ANY_VALUE), columns };
  }

  /** Returns the steps of the plan of a statement, with the inputs of a step indented below the step. */
  async explain(input: { sql: string; params?: string[]; timeout_ms?: number }, { signal }: RequestContext): Promise<string> {
    const statement = { sql: `EXPLAIN QUERY PLAN ${input.sql}`, params: input.params ?? [] };
    const steps = await this.#readers.rows(statement, { signal, timeoutMs: timeoutFor(this, input) });
    const depths = new Map([['0', -1]]);
    const lines = steps.map(([id, parent, , detail]) => {
      const depth = (depths.get(parent ?? '') ?? -1) + 1;
      depths.set(id ?? '', depth);
      return `${'  '.repeat(depth)}${detail}`;
    });
    return cutText(lines.join('\n'), this.limits.maxBytes);
  }

  search(search: engine.Search, context: RequestContext): Promise<readonly engine.FoundObject[]> {
    return this.#catalog.search(search, this.#limit(context));
  }

  describe(request: engine.DescribeRequest, { signal }: RequestContext): Promise<engine.Description> {
    return this.#catalog.describe(request, { signal, timeoutMs: request.timeoutMs });
  }

  tables(choice: engine.TableChoice, options: CallLimits): Promise<readonly engine.SchemaTable[]> {
    return this.#catalog.tables(choice, options);
  }

  names(context: Pick<RequestContext, 'signal'>): Promise<engine.CatalogNames> {
    return this.#catalog.names(this.#limit(context));
  }

  async fingerprintSchema({ schema, relation }: engine.SchemaPart, signal: AbortSignal): Promise<string | undefined> {
    const [[found] = []] = schema === 'main' ? await this.rows(FINGERPRINT, [relation ?? null], { signal }) : [];
    return found ?? undefined;
  }

  async watchSchema(changed: (change: engine.SchemaChange) => void): Promise<AsyncDisposable> {
    const stop = new AbortController();
    const read = (): Promise<unknown> => this.rows('SELECT schema_version FROM pragma_schema_version', [], stop).then(String);
    let last = await read();
    const check = async (): Promise<void> => {
      // If the file cannot be read, nothing is reported here: the next call of a tool fails.
      const found = await read().catch(() => last);
      if (found !== last) changed('changed');
      last = found;
    };
    const timer = setInterval(() => void check(), CHECK_MS);
    stop.signal.addEventListener('abort', () => clearInterval(timer));
    return { [Symbol.asyncDispose]: async () => stop.abort() };
  }

  /** Returns all rows of a statement of this package. */
  rows(sql: string, params: Statement['params'], limits: Partial<CallLimits>): ReturnType<Readers['rows']> {
    return this.#readers.rows({ sql, params: params ?? [] }, this.#limit(limits));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#readers[Symbol.asyncDispose]();
  }

  #limit({ signal = new AbortController().signal, timeoutMs = this.limits.statementTimeout }: Partial<CallLimits>): CallLimits {
    return { signal, timeoutMs };
  }
}

/** A placeholder has no type in SQLite. */
const ANY_VALUE: engine.StatementDescription['parameters'][number] = {
  name: 'any',
  schema: { type: ['string', 'number'] },
  format: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : null),
};

function createHeader(columns: engine.StatementDescription['columns']): engine.ResultHeader {
  return { names: columns.map(({ name }) => name), describe: async () => columns };
}

/** Query for the version of the schema or, for a given table, the statements that define the table, its indexes and triggers. */
const FINGERPRINT = `
  SELECT iif(?1 IS NULL, (SELECT schema_version FROM pragma_schema_version), (
    SELECT group_concat(sql, ';' ORDER BY type, name) FROM sqlite_schema WHERE lower(tbl_name) = lower(?1)))`;
