import { openCursor, RequestContext, sealCursor, Tool, type Result } from '@org/mcp-decorators';

import { READS } from './hints.ts';
import { describe, DescribeInput } from './operations/describe.ts';
import { Description } from './operations/description.ts';
import { explain, ExplainedPlan, ExplainInput } from './operations/explain.ts';
import { listDatabases, ServedDatabases } from './operations/list-databases.ts';
import { FoundObjects, searchObjects, SearchObjectsInput } from './operations/search-objects.ts';
import { databasesResult, foundResult, planResult } from './results/catalog-results.ts';
import { descriptionResult } from './results/description-result.ts';
import { SqlGround } from './sql-ground.ts';

/** Tools that show what a database holds, and how it would answer. */
export abstract class CatalogTools extends SqlGround {
  @Tool({
    title: 'Describe',
    description:
      'Columns, keys, constraints, indexes and comments of a table or view; the definition of a function, type, sequence or schema',
    output: Description,
    annotations: READS,
    sets: ['default', 'read'],
    _meta: { 'anthropic/searchHint': 'table structure' },
  })
  async describe(input: DescribeInput, context: RequestContext): Promise<Result> {
    return descriptionResult(await describe(this.databaseFor(input), input, context));
  }

  @Tool({
    title: 'Search objects',
    description: 'List or find tables, views, columns, functions, indexes, types and schemas by name',
    output: FoundObjects,
    annotations: READS,
    sets: ['default', 'read'],
    _meta: { 'anthropic/alwaysLoad': true },
  })
  async searchObjects(input: SearchObjectsInput, context: RequestContext): Promise<Result> {
    const found = await searchObjects(this.databaseFor(input), await openCursor(input, context), context);
    return foundResult(await sealCursor(found, context));
  }

  @Tool({
    title: 'Explain',
    description: 'The plan of a statement, and what stands out in it; analyze runs and measures it',
    output: ExplainedPlan,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async explain(input: ExplainInput, context: RequestContext): Promise<Result> {
    return planResult(await explain(this.databaseFor(input), input, context));
  }

  @Tool({
    title: 'List databases',
    description: 'The databases that can be queried, with engine, version, role and extensions',
    output: ServedDatabases,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async listDatabases(context: RequestContext): Promise<Result> {
    return databasesResult(await listDatabases(this.databases, context));
  }
}
