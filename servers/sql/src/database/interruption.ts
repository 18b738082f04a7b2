import type { Capabilities } from './capabilities.ts';
import { SendableSql } from '../policy/sendable-sql.ts';
import type { Connection } from './connection.ts';
import { Control } from './control.ts';
import { sqlstateOf, stillRunning } from './failures.ts';
import type { Source } from './source.ts';
import type { StuckBackends } from './stuck-backends.ts';

/** How long a backend may take to obey, and how often it is asked: one that is between two statements does not hear it. */
const PATIENCE_MS = 2000;
const REPEAT_MS = 200;
/** Interval of the checks for a stuck backend. The end of the backend is noticed at once unless the network loses the message. */
const LOOK_MS = 10_000;

/** Where a connection leads. */
export interface Backend {
  readonly source: Source;
  /** What the server can do, as far as that was asked. */
  readonly can: Pick<Capabilities, 'signals' | 'session'> | undefined;
  /** Registry of backends that do not end. */
  readonly stuck: StuckBackends;
}

/**
 * Cancels the work of a connection. For 2 s, the class repeats a CancelRequest and `pg_cancel_backend`; then it terminates the
 * backend. Without these functions, or if a pooler hides the backend, only the CancelRequest is sent. The connection is not reused,
 * because a late cancel would affect the next statement. If the backend still exists another 2 s later, `gaveUp` rejects. The
 * connection then stays in use until the backend ends.
 */
export class Interruption {
  /** Rejects with TIMEOUT if the backend does not end; never resolves. */
  readonly gaveUp: Promise<never>;
  readonly #connection: Connection;
  readonly #backend: Backend;
  #running: Promise<void> | undefined;
  #giveUp: (reason: unknown) => void = () => undefined;

  constructor(connection: Connection, backend: Backend) {
    this.#connection = connection;
    this.#backend = backend;
    this.gaveUp = new Promise((_, reject) => {
      this.#giveUp = reject;
    });
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
      if (!(await settles(done, PATIENCE_MS))) await this.#outlast(done);
    } catch {
      // What is left is to close the connection.
    } finally {
      this.#connection.destroy();
    }
  }

  /** Ends the call, and keeps the connection in use while the backend exists. */
  async #outlast(done: Promise<void>): Promise<void> {
    if (!(await this.#isThere())) return;
    this.#giveUp(stillRunning());
    await this.#backend.stuck.hold(this.#connection, this.#end(done));
  }

  async #end(done: Promise<void>): Promise<void> {
    while (!(await settles(done, LOOK_MS))) if (!(await this.#isThere())) return;
  }

  async #signal(signal: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void> {
    if (this.#isReachable) await this.#ask(`select ${signal}($1)`);
  }

  async #isThere(): Promise<boolean> {
    if (!this.#isReachable) return false;
    try {
      return (await this.#ask('select 1 from pg_stat_activity where pid = $1')).length > 0;
    } catch (error) {
      // An error from the server means that the server, and possibly the backend, still runs.
      return sqlstateOf(error) !== undefined;
    }
  }

  /** Behind a pooler, the process id may not exist on the server or may belong to the work of another client. */
  get #isReachable(): boolean {
    const { can } = this.#backend;
    return can?.signals === true && can.session;
  }

  async #ask(text: string): Promise<readonly (string | null)[]> {
    // A connection of its own: the common one may be busy with another question.
    await using control = new Control(this.#backend.source);
    return await control.row(SendableSql.own(text), [this.#connection.processId]);
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
