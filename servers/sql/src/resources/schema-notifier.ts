import type { Database } from '../postgres/database/database.ts';
import { SchemaListener, type SchemaEvent } from '../postgres/database/listen/schema-listener.ts';

type Listener = (news: SchemaEvent) => void;

/** A listener of one database, and the callbacks that it notifies. */
interface Listening {
  readonly listener: SchemaListener;
  readonly callbacks: Set<Listener>;
  readonly started: Promise<void>;
}

/** Notifies about schema changes. The first subscription to a database opens a connection, and the end of the last one closes it. */
export class SchemaNotifier implements AsyncDisposable {
  readonly #listening = new Map<Database, Listening>();
  readonly #reconnected: () => void;

  /** @param reconnected called when a database is reachable again; changes until then were not reported */
  constructor(reconnected: () => void) {
    this.#reconnected = reconnected;
  }

  /** Calls `notified` for each change until the returned object is disposed of; resolves when the listener is connected. */
  async listen(database: Database, notified: Listener): Promise<AsyncDisposable> {
    const listening = this.#listening.get(database) ?? this.#start(database);
    listening.callbacks.add(notified);
    await listening.started;
    return {
      [Symbol.asyncDispose]: async () => {
        listening.callbacks.delete(notified);
        if (listening.callbacks.size > 0 || this.#listening.get(database) !== listening) return;
        this.#listening.delete(database);
        await listening.listener[Symbol.asyncDispose]();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#listening.values()];
    this.#listening.clear();
    await Promise.all(all.map(({ listener }) => listener[Symbol.asyncDispose]()));
  }

  #start(database: Database): Listening {
    const callbacks = new Set<Listener>();
    const listener = new SchemaListener(database.source, (news) => {
      // The cached catalog detects changes by statistics counters. These lag behind the announcement of an event trigger.
      if (news.kind === 'announced') database.catalog.forget();
      for (const each of callbacks) each(news);
      if (news.kind === 'reconnected') this.#reconnected();
    });
    const listening = { listener, callbacks, started: listener.start() };
    this.#listening.set(database, listening);
    return listening;
  }
}
