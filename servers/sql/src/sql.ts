import { ColumnTypes } from './database/column-types.ts';
import type { Database } from './database/database.ts';
import type { PostgresOptions } from './postgres-options.ts';

/** How much a call may ask for. */
export type Limits = Readonly<Pick<PostgresOptions, 'maxRows' | 'maxBytes' | 'timeoutMs'>>;

/** What operations work on: a database, and what is remembered of it. */
export class Sql {
  readonly database: Database;
  readonly limits: Limits;
  readonly columnTypes: ColumnTypes = new ColumnTypes();

  constructor(database: Database, limits: Limits) {
    this.database = database;
    this.limits = limits;
  }
}
