import { RequestContext, Tool, type Result } from '@org/mcp-decorators';

import { CatalogTools } from './catalog-tools.ts';
import { READS } from './hints.ts';
import { query, QueryInput, QueryResult } from './operations/query.ts';
import { queryResult } from './results/query-results.ts';

/** Tools that return rows. */
export abstract class QueryTools extends CatalogTools {
  @Tool({
    title: 'Query',
    description: 'Run one SQL statement that reads, in a read-only transaction, and return its first rows',
    output: QueryResult,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async query(input: QueryInput, context: RequestContext): Promise<Result> {
    return queryResult(await query(this.databaseFor(input), input, context));
  }
}
