import { CachedCatalog } from '../catalog/cached-catalog.ts';
import { Policy, type PolicyOptions } from '../policy/policy.ts';
import type { Source } from './connect/source.ts';
import { ColumnTypes } from './query/column-types.ts';
import { ReadOnlyDatabase, type ReadOnlyDatabaseOptions } from './query/read-only-database.ts';
import { Writer } from './writer.ts';

/** How a database is used. */
export interface DatabaseOptions extends ReadOnlyDatabaseOptions, PolicyOptions {
  /** Maximum time of a call that writes, in ms. A value below `timeoutMs` has no effect. */
  readonly writeTimeoutMs: number;
  /** Whether statements may write. `readOnly: true` takes precedence. */
  readonly writable?: boolean;
  readonly readOnly?: boolean;
}

/**
 * A database that runs statements which its policy admits. Also provides the names in its catalog, the types of columns, and a
 * writer if statements may write.
 */
export class Database extends ReadOnlyDatabase<DatabaseOptions> {
  readonly columnTypes: ColumnTypes = new ColumnTypes(this);
  readonly catalog: CachedCatalog = new CachedCatalog(this);
  /** Decides which statements of callers are sent. */
  readonly policy: Policy;
  /** `undefined` if statements may only read. */
  readonly writer: Writer | undefined;

  constructor(id: string, source: Source, options: DatabaseOptions) {
    super(id, source, options);
    this.policy = new Policy(this, options);
    const { writable = false, readOnly = false } = options;
    this.writer = writable && !readOnly ? new Writer(this, source.writer ?? source) : undefined;
  }

  /** Returns the timeout of a call that writes, in ms: the requested time, up to the limit of the operator. */
  writeTimeoutFor({ timeout_ms = this.limits.timeoutMs }: { readonly timeout_ms?: number }): number {
    return Math.min(timeout_ms, Math.max(this.limits.timeoutMs, this.limits.writeTimeoutMs));
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.writer?.[Symbol.asyncDispose](), super[Symbol.asyncDispose]()]);
  }
}
