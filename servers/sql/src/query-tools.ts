import path from 'node:path';

import { RequestContext, Tool, type Result } from '@org/mcp-decorators';
import { LARGE_RESULTS, stateDirectoryOf } from '@org/mcp-host';

import { CatalogTools } from './catalog-tools.ts';
import { READS } from './hints.ts';
import { Export, ExportInput, exportRows } from './operations/export.ts';
import { fetchResult, FetchResultInput } from './operations/fetch-result.ts';
import { query, QueryInput } from './operations/query.ts';
import { exportResult, fetchedResult, queryResult } from './results/query-results.ts';
import { Spool } from './spool/spool.ts';

/** Tools that return rows. */
export abstract class QueryTools extends CatalogTools {
  #spool: Spool | undefined;

  /** Results and exports that are kept for a while. */
  protected get spool(): Spool {
    this.#spool ??= this.#newSpool();
    return this.#spool;
  }

  @Tool({
    title: 'Query',
    description:
      'Run one SQL statement that reads from PostgreSQL, in a read-only transaction that is rolled back, and return its first rows',
    annotations: READS,
    sets: ['default', 'read'],
    _meta: { ...LARGE_RESULTS, 'anthropic/alwaysLoad': true },
  })
  async query(input: QueryInput, context: RequestContext): Promise<Result> {
    return queryResult(await query(this.databaseFor(input), this.spool, input, context));
  }

  @Tool({
    title: 'Fetch result',
    description:
      'Return more rows of a query with keep, as they were when it ran. Its handle expires when it is not used, by default for 15 minutes',
    annotations: READS,
    sets: ['default', 'read'],
    _meta: LARGE_RESULTS,
  })
  async fetchResult(input: FetchResultInput, context: RequestContext): Promise<Result> {
    return fetchedResult(await fetchResult(this.spool, input, context));
  }

  @Tool({
    title: 'Export',
    description:
      'Write all rows of a statement that reads, or of a query with keep, to a temporary file, and return a link to it',
    output: Export,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async export(input: ExportInput, context: RequestContext): Promise<Result> {
    return exportResult(await exportRows(this.databaseFor(input), this.spool, input, context));
  }

  #newSpool(): Spool {
    const { maxSpool, keepMs } = this.options;
    const directory = path.join(stateDirectoryOf('mcp-sql', this.options), 'spool');
    return new Spool({ directory, maxBytes: maxSpool, idleMs: keepMs });
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.#spool?.[Symbol.asyncDispose]();
    await super[Symbol.asyncDispose]();
  }
}
