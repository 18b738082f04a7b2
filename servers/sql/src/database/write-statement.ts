import { ReadStatement, type ReadRequest } from './read-statement.ts';

/** One statement of whatever kind, run to its end: rows that nobody takes are counted and dropped. */
export class WriteStatement extends ReadStatement {
  #tag = '';

  constructor(request: Pick<ReadRequest, 'sql' | 'params' | 'onRow'>) {
    super({ ...request, kind: 'direct', limit: 0 });
  }

  /** What was done, as PostgreSQL says it: `UPDATE`, `CREATE TABLE`. */
  get command(): string {
    const [command = ''] = this.#tag.split(/ \d/, 1);
    return command;
  }

  /** Rows, where they are counted. */
  get affected(): number | undefined {
    const count = / (\d+)$/.exec(this.#tag)?.[1];
    return count === undefined ? undefined : Number(count);
  }

  override handleCommandComplete(message?: { readonly text: string }): void {
    // Those of statements sent before it come first.
    this.#tag = message?.text ?? '';
  }
}
