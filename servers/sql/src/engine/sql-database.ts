import type { RequestContext } from '@org/mcp-decorators';

import type { CatalogNames } from '../catalog/catalog-names.ts';
import type { Description, Includable } from '../catalog/description.ts';
import type { FoundObject, Search } from '../catalog/found-object.ts';
import type { ObjectName } from '../catalog/object-name.ts';
import type { SchemaTable, TableChoice } from '../catalog/schema-table.ts';
import type { CallLimits } from './limits.ts';
import type { ReadOutcome, ReadQuery, StatementDescription, StreamedStatement, StreamSink } from './reading.ts';
import type { SqlEngine } from './sql-engine.ts';
import type { PreparedWrite, WriteRequest } from './writing.ts';

/**
 * A database that a `SqlServer` serves. Each method rejects with a `ToolError` that the model may see, for every error of the
 * database. A method with a signal ends soon after the signal is aborted.
 *
 * The tools read three facts of `ToolError.data`, which may be absent:
 *
 * - `object`: name of the missing object of an UNDEFINED_OBJECT. The tools suggest similar names. Default: the name in the
 *   message
 * - `position`: `{ line, column }` in the statement, from 1. The error of a saved query has the position in its file. Default:
 *   the first character of the statement
 * - `sqlstate`: for example 42P01 for a missing table, or 22P02 for an invalid value. Default: the tools suggest similar names of
 *   every kind, and no enum values
 */
export interface SqlDatabase extends AsyncDisposable {
  /** Id of the database in tools and resources. */
  readonly id: string;
  readonly engine: SqlEngine;
  readonly limits: CallLimits;
  /** Whether statements may write. */
  readonly writable: boolean;
  /** Whether the server has started the database itself. Default: `false` */
  readonly embedded?: boolean;
  /** Warning about a risk from the network, with its remedy. Absent without such a risk. */
  readonly exposure?: string | undefined;
  /** The way to the database server, such as `ssh to bastion`. Absent for a direct connection. */
  readonly route?: string | undefined;

  /** Returns the facts that `list_databases` shows. */
  facts(context: Pick<RequestContext, 'signal'>): Promise<DatabaseFacts>;

  /**
   * Runs one statement that reads, reports its progress, and adds its first rows to the page.
   *
   * @throws ToolError READ_ONLY or POLICY_DENIED for a statement that does not only read
   */
  read(query: ReadQuery, context: RequestContext): Promise<ReadOutcome>;
  /** Runs one statement that reads, reports its progress, and passes all its rows to the sink. @throws ToolError as `read` */
  stream(statement: StreamedStatement, sink: StreamSink, context: RequestContext): Promise<void>;
  /** Describes a statement that reads, without running it. @throws ToolError as `read` */
  describeStatement(sql: string, signal: AbortSignal): Promise<StatementDescription>;
  /**
   * Checks a statement that writes, without running it. Absent if the engine has no writes.
   *
   * @throws ToolError READ_ONLY if the database may only be read; TOO_LARGE for a text that is too long or too complex;
   * INVALID_ARGUMENTS for several statements or an unacceptable character; POLICY_DENIED for a statement that is not allowed;
   * SYNTAX for a statement that cannot be parsed
   */
  prepareWrite?(request: WriteRequest, context: RequestContext): Promise<PreparedWrite>;

  /** Finds objects by name or comment, best match first. @throws ToolError INVALID_ARGUMENTS for an invalid cursor */
  search(search: Search, context: RequestContext): Promise<readonly FoundObject[]>;
  /** Describes an object. Parts that do not apply to the object are absent. @throws ToolError UNDEFINED_OBJECT */
  describe(request: DescribeRequest, context: RequestContext): Promise<Description>;
  /**
   * Reads tables and views with columns and foreign keys, sorted by schema and name.
   *
   * @throws ToolError UNDEFINED_OBJECT if a named table does not exist
   */
  tables(
    choice: TableChoice,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<readonly SchemaTable[]>;
  /** Returns the names of schemas, relations, columns, functions and enum types, for completions and suggestions. */
  names(context: Pick<RequestContext, 'signal'>): Promise<CatalogNames>;
  /** Returns a text that changes when a schema or relation changes. Returns `undefined` if that object does not exist. */
  fingerprintSchema(part: SchemaPart, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Calls `changed` after each change of the schema, until the returned object is disposed of. Resolves as soon as later changes will
   * be noticed. May reject if the database is not reachable: the next subscription or scan of saved queries then calls the method
   * again. A watch that has started reports `reconnected` after an outage, and never fails.
   */
  watchSchema(changed: (change: SchemaChange) => void): Promise<AsyncDisposable>;

  /** Called when a call has ended, so that background work may begin. */
  onCallEnd?(): void;
}

/** Facts about a database and its server. */
export interface DatabaseFacts {
  readonly version: string;
  /** The role that reads. Absent for engines without roles. */
  readonly role?: string;
  /** Features of the database that tools use. */
  readonly capabilities?: readonly string[];
  readonly extensions?: readonly string[];
}

/** An object to describe, and the parts that its description includes. */
export interface DescribeRequest {
  readonly name: ObjectName;
  readonly include: readonly Includable[];
  readonly timeoutMs: number;
}

/** A schema, or a relation in the schema. */
export interface SchemaPart {
  readonly schema: string;
  readonly relation: string | undefined;
}

/**
 * `changed`: the schema may have changed. `reconnected`: the database is reachable again, and changes may have been missed until
 * now.
 */
export type SchemaChange = 'changed' | 'reconnected';

/** Returns the role and the access of a database as text: `read-only as alice`. */
export function formatAccess({ role, writable }: { readonly role?: string | undefined; readonly writable: boolean }): string {
  const as = role === undefined ? '' : ` as ${role}`;
  return writable ? `read${as}, and written by execute` : `read-only${as}`;
}
