import type { Capabilities } from '../connect/capabilities.ts';
import type { Connection } from '../connect/connection.ts';
import { Control } from '../connect/control.ts';
import { getSqlstate, stillRunningError } from '../errors/failures.ts';
import type { Source } from '../connect/source.ts';
import type { StuckBackends } from '../pool/stuck-backends.ts';

/** Time for a backend to end its statement after the first cancel request, and again after the termination. */
const CANCEL_TIMEOUT_MS = 2000;
/** Interval of the cancel requests. They are repeated, because a backend between two statements ignores a request. */
const REPEAT_MS = 200;
/** Interval of the checks for a stuck backend. The end of the backend is noticed at once unless the network loses the message. */
const CHECK_MS = 10_000;

/** The backend of a connection. */
export interface Backend {
  readonly source: Source;
  /** Capabilities of the server; `undefined` before the first probe. */
  readonly can: Pick<Capabilities, 'signals' | 'session'> | undefined;
  /** Registry of backends that do not end. */
  readonly stuck: StuckBackends;
}

/**
 * Cancels the work of a connection. For 2 s, the class repeats a CancelRequest and `pg_cancel_backend`; then the class terminates
 * the backend. Without these functions, or if a pooler hides the backend, only the CancelRequest is sent. The connection is not
 * reused, because a late cancel would affect the next statement. If the backend still exists another 2 s later, `gaveUp` rejects.
 * The connection then stays in use until the backend ends.
 */
export class QueryCancellation {
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

  get hasStarted(): boolean {
    return this.#running !== undefined;
  }

  /** Starts the cancellation, at most once. `done` settles when the connection is idle again. */
  start(done: Promise<unknown>): void {
    this.#running ??= this.#run(done.then(ignore, ignore));
  }

  async #run(done: Promise<void>): Promise<void> {
    try {
      const end = performance.now() + CANCEL_TIMEOUT_MS;
      while (performance.now() < end) {
        await this.#connection.cancel().catch(ignore);
        if (await settlesWithin(done, REPEAT_MS)) return;
        // The request may have been lost, or a load balancer may have delivered the request to another server.
        await this.#signal('pg_cancel_backend');
      }
      await this.#signal('pg_terminate_backend');
      if (!(await settlesWithin(done, CANCEL_TIMEOUT_MS))) await this.#awaitStuckBackend(done);
    } catch {
      // If the cancellation fails, the connection is still closed.
    } finally {
      this.#connection.destroy();
    }
  }

  /** Ends the call, and keeps the connection in use while the backend exists. */
  async #awaitStuckBackend(done: Promise<void>): Promise<void> {
    if (!(await this.#backendExists())) return;
    this.#giveUp(stillRunningError());
    await this.#backend.stuck.hold(this.#connection, this.#waitForEnd(done));
  }

  async #waitForEnd(done: Promise<void>): Promise<void> {
    while (!(await settlesWithin(done, CHECK_MS))) if (!(await this.#backendExists())) return;
  }

  async #signal(signal: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void> {
    if (this.#isReachable) await this.#queryControl(`select ${signal}($1)`);
  }

  async #backendExists(): Promise<boolean> {
    if (!this.#isReachable) return false;
    try {
      return (await this.#queryControl('select 1 from pg_stat_activity where pid = $1')).length > 0;
    } catch (error) {
      // An error that the server sent shows that the server, and possibly the backend, still runs. Without an answer, the backend
      // counts as ended.
      return getSqlstate(error) !== undefined;
    }
  }

  /**
   * Whether the backend can be signalled by its process id. Behind a pooler, the id may not exist on the server, or may belong to
   * the work of another client.
   */
  get #isReachable(): boolean {
    const { can } = this.#backend;
    return can?.signals === true && can.session;
  }

  async #queryControl(text: string): Promise<readonly (string | null)[]> {
    // Uses a separate connection, because the shared control connection may be busy.
    await using control = new Control(this.#backend.source);
    return await control.row(text, [this.#connection.processId]);
  }
}

async function settlesWithin(done: Promise<void>, milliseconds: number): Promise<boolean> {
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
  // The caller receives the result of the work itself, and the work shows whether a cancel succeeded.
}
