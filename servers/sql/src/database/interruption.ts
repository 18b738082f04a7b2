import type { Capabilities } from './capabilities.ts';
import type { Connection } from './connection.ts';
import { Control } from './control.ts';
import type { Source } from './source.ts';

/** How long a backend may take to obey, and how often it is asked: one that is between two statements does not hear it. */
const PATIENCE_MS = 2000;
const REPEAT_MS = 200;

/** Where a connection leads. */
export interface Backend {
  readonly source: Source;
  /** What the server can do, as far as that was asked. */
  readonly can: Pick<Capabilities, 'signals' | 'session'> | undefined;
}

/**
 * Ends what a connection does before its time: CancelRequest, then `pg_cancel_backend` too; a backend that does not obey is terminated
 * after 2 s. Where the server has no such functions, or a pooler hides the backend, only the first. The connection is not used again: a cancel that came too late would hit the next statement.
 */
export class Interruption {
  readonly #connection: Connection;
  readonly #backend: Backend;
  #running: Promise<void> | undefined;

  constructor(connection: Connection, backend: Backend) {
    this.#connection = connection;
    this.#backend = backend;
  }

  get begun(): boolean {
    return this.#running !== undefined;
  }

  /** Interrupts, once; `done` settles when the connection is idle again. */
  begin(done: Promise<unknown>): void {
    this.#running ??= this.#run(done.then(ignore, ignore));
  }

  async #run(done: Promise<void>): Promise<void> {
    try {
      const end = performance.now() + PATIENCE_MS;
      while (performance.now() < end) {
        await this.#connection.cancel().catch(ignore);
        if (await settles(done, REPEAT_MS)) return;
        // The request was not delivered, or to another server behind a balancer.
        await this.#signal('pg_cancel_backend');
      }
      await this.#signal('pg_terminate_backend');
      await settles(done, PATIENCE_MS);
    } catch {
      // What is left is to close the connection.
    } finally {
      this.#connection.destroy();
    }
  }

  async #signal(signal: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void> {
    const { source, can } = this.#backend;
    // Behind a pooler the number is not that of a process, or of one that does something else by now.
    if (can?.signals !== true || !can.session) return;
    // A connection of its own: the common one may be busy with another question.
    await using control = new Control(source);
    await control.row(`select ${signal}($1)`, [this.#connection.processId]);
  }
}

async function settles(done: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds).unref();
  });
  try {
    return await Promise.race([done.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function ignore(): void {
  // How the work ended is told to whoever waits for it; how a cancel did, by the work.
}
