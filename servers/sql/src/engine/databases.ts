import { ToolError } from '@org/mcp-decorators';
import { UsageError } from '@org/mcp-host';

import type { SqlDatabase } from './sql-database.ts';

/** The databases of a server, by id. The first database is the default. */
export class Databases<Database extends SqlDatabase = SqlDatabase> implements AsyncDisposable {
  readonly all: readonly [Database, ...Database[]];

  /** Throws a `UsageError` if two databases have the same id. */
  constructor(all: readonly [Database, ...Database[]]) {
    rejectDuplicateIds(all);
    this.all = all;
  }

  /** Returns the database with an id; default: the first database. @throws ToolError NOT_FOUND for an unknown id */
  get(id: string | undefined): Database {
    const found = id === undefined ? this.all[0] : this.all.find((database) => database.id === id);
    if (found !== undefined) return found;
    throw new ToolError('NOT_FOUND', `the database "${id}" does not exist`, {
      hint: `available databases: ${this.all.map((database) => database.id).join(', ')}`,
    });
  }

  /** Notifies the databases that a call has ended. */
  notifyCallEnded(): void {
    for (const database of this.all) database.onCallEnd?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const outcomes = await Promise.allSettled(this.all.map((database) => database[Symbol.asyncDispose]()));
    const failure = outcomes.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
  }
}

function rejectDuplicateIds(databases: readonly SqlDatabase[]): void {
  const ids = databases.map(({ id }) => id);
  const twin = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twin !== undefined) throw new UsageError(`two databases have the id "${twin}": give one of the databases another id`);
}
