import { ToolError } from '@org/mcp-decorators';

import type { Database } from './database.ts';

/** The databases that a server was given, by their ids; the first is meant where none is named. */
export class Databases implements AsyncDisposable {
  readonly all: readonly [Database, ...Database[]];

  constructor(all: readonly [Database, ...Database[]]) {
    this.all = all;
  }

  /** @throws ToolError NOT_FOUND */
  get(id: string | undefined): Database {
    const found = id === undefined ? this.all[0] : this.all.find((database) => database.id === id);
    if (found !== undefined) return found;
    throw new ToolError('NOT_FOUND', `there is no database "${id}"`, {
      hint: `there is ${this.all.map((database) => database.id).join(', ')}`,
    });
  }

  /** Told that a call has ended. */
  answered(): void {
    for (const { source } of this.all) source.answered?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((database) => database[Symbol.asyncDispose]()));
  }
}
