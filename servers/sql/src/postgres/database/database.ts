import type { RequestContext } from '@org/mcp-decorators';

import type { CatalogNames } from '../../catalog/catalog-names.ts';
import type { Policy, PolicyOptions } from '../policy/policy.ts';
import type { ColumnTypes } from './query/column-types.ts';
import type { ReadOnlyDatabase, ReadOnlyDatabaseOptions } from './query/read-only-database.ts';
import type { Writer } from './writer.ts';

/** How a database is used. */
export interface DatabaseOptions extends ReadOnlyDatabaseOptions, PolicyOptions {
  /** Whether statements may write. `readOnly: true` takes precedence. */
  readonly writable?: boolean;
  readonly readOnly?: boolean;
  /** Maximum number of tables, views and partitions that are copied to plan with other indexes, or to rehearse a migration. */
  readonly maxCopiedTables: number;
  /** Maximum size of the sampled rows of a table that are copied to rehearse a migration, in bytes. */
  readonly maxSampleBytes: number;
}

/**
 * A database that runs statements which its policy admits. Also provides the names in its catalog, the types of columns, and a
 * writer if statements may write.
 */
export interface Database extends ReadOnlyDatabase<DatabaseOptions> {
  readonly columnTypes: ColumnTypes;
  /** Decides which statements of callers are sent. */
  readonly policy: Policy;
  /** `undefined` if statements may only read. */
  readonly writer: Writer | undefined;
  /** Returns the names of the catalog, for suggestions. @throws errors of `ReadOnlyDatabase.readOnly` */
  names(context: Pick<RequestContext, 'signal'>): Promise<CatalogNames>;
}
