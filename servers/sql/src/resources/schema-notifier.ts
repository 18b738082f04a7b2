import type { SchemaChange, SqlDatabase } from '../engine/sql-database.ts';

type Listener = (change: SchemaChange) => void;

/** A database whose schema can be watched. */
type Watchable = Pick<SqlDatabase, 'watchSchema'>;

/** The watch of one database, and the callbacks that it notifies. */
interface Watch {
  readonly started: Promise<AsyncDisposable>;
  readonly callbacks: Set<Listener>;
}

/**
 * Notifies about schema changes. The first subscription to a database starts a watch, and the end of the last subscription ends
 * the watch.
 */
export class SchemaNotifier implements AsyncDisposable {
  readonly #watches = new Map<Watchable, Watch>();
  readonly #reconnected: () => void;

  /** @param reconnected called when a database is reachable again; changes until then may not have been reported */
  constructor(reconnected: () => void) {
    this.#reconnected = reconnected;
  }

  /**
   * Calls `notified` for each change and after each reconnection, until the returned object is disposed of. Resolves as soon as
   * later changes will be noticed. Rejects if the watch cannot be started; the next call tries again.
   */
  async listen(database: Watchable, notified: Listener): Promise<AsyncDisposable> {
    const watch = this.#watches.get(database) ?? this.#start(database);
    watch.callbacks.add(notified);
    await watch.started;
    return {
      [Symbol.asyncDispose]: async () => {
        watch.callbacks.delete(notified);
        if (watch.callbacks.size > 0 || this.#watches.get(database) !== watch) return;
        this.#watches.delete(database);
        await end(watch);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#watches.values()];
    this.#watches.clear();
    await Promise.all(all.map(end));
  }

  #start(database: Watchable): Watch {
    const callbacks = new Set<Listener>();
    const started = database.watchSchema((change) => {
      for (const each of callbacks) each(change);
      if (change === 'reconnected') this.#reconnected();
    });
    const watch = { callbacks, started };
    this.#watches.set(database, watch);
    started.catch(() => {
      if (this.#watches.get(database) === watch) this.#watches.delete(database);
    });
    return watch;
  }
}

async function end({ started }: Watch): Promise<void> {
  // `listen` has rejected with the error of a watch that could not be started, so the error is ignored here.
  const watch = await started.catch(() => undefined);
  await watch?.[Symbol.asyncDispose]();
}
