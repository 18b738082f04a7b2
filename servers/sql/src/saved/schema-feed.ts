import type { Database } from '../database/database.ts';
import { SchemaListener, type SchemaNews } from '../database/schema-listener.ts';

type Listener = (news: SchemaNews) => void;

/** What listens to the schema of one database, and for whom. */
interface Listening {
  readonly listener: SchemaListener;
  readonly heard: Set<Listener>;
  readonly started: Promise<void>;
}

/** Tells of changes of schemas; the first who wants to hear of a database opens a connection, the last one closes it. */
export class SchemaFeed implements AsyncDisposable {
  readonly #listening = new Map<Database, Listening>();
  readonly #reconnected: () => void;

  /** @param reconnected called when a database can be reached again: what happened meanwhile, nobody heard */
  constructor(reconnected: () => void) {
    this.#reconnected = reconnected;
  }

  /** Calls `heard` until the result is disposed of; resolves when changes from now on are noticed. */
  async listen(database: Database, heard: Listener): Promise<AsyncDisposable> {
    const listening = this.#listening.get(database) ?? this.#start(database);
    listening.heard.add(heard);
    await listening.started;
    return {
      [Symbol.asyncDispose]: async () => {
        listening.heard.delete(heard);
        if (listening.heard.size > 0 || this.#listening.get(database) !== listening) return;
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
    const heard = new Set<Listener>();
    const listener = new SchemaListener(database.source, (news) => {
      // The counters, by which the catalog knows that it is old, tell of it later.
      if (news.kind === 'announced') database.catalog.forget();
      for (const each of heard) each(news);
      if (news.kind === 'reconnected') this.#reconnected();
    });
    const listening = { listener, heard, started: listener.start() };
    this.#listening.set(database, listening);
    return listening;
  }
}
