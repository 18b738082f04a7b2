import { schemaFingerprint, type SchemaPart } from '../catalog/schema-fingerprint.ts';
import type { Database } from '../database/database.ts';
import type { Databases } from '../database/databases.ts';
import type { SchemaFeed } from './schema-feed.ts';

/** A resource of a schema, of a relation, or of a relation's SQL. */
const URI = /^pg:\/\/([^/]+)\/([^/]+)(?:\/([^/]+)(?:\/ddl)?)?$/;

/** Calls `updated` when what a URI names changes in its database; `undefined` for a URI of something else, or of nothing. */
export async function watchSchema(
  uri: string,
  { databases, feed, updated }: { readonly databases: Databases; readonly feed: SchemaFeed; readonly updated: () => void },
): Promise<AsyncDisposable | undefined> {
  const named = partOf(uri, databases);
  if (named === undefined) return undefined;
  const watched = new WatchedPart(named.database, named.part, updated);
  const listening = await feed.listen(named.database, () => void watched.look());
  const stop = async (): Promise<void> => {
    watched.end();
    await listening[Symbol.asyncDispose]();
  };
  try {
    if (await watched.begin()) return { [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
  await stop();
  return undefined;
}

function partOf(uri: string, databases: Databases): { readonly database: Database; readonly part: SchemaPart } | undefined {
  try {
    const [, id, schema, relation] = (URI.exec(uri) ?? []).map((text: string | undefined) => text && decodeURIComponent(text));
    const database = databases.all.find((each) => each.id === id);
    return database === undefined || schema === undefined ? undefined : { database, part: { schema, relation } };
  } catch {
    // What is no text is the URI of nothing.
    return undefined;
  }
}

/** A part of a schema as it was when it was looked at. */
class WatchedPart {
  readonly #database: Database;
  readonly #part: SchemaPart;
  readonly #updated: () => void;
  readonly #ended = new AbortController();
  #fingerprint: string | undefined;
  #looking: Promise<void> | undefined;
  #isAsked = false;

  constructor(database: Database, part: SchemaPart, updated: () => void) {
    this.#database = database;
    this.#part = part;
    this.#updated = updated;
  }

  /** Whether it is there. */
  async begin(): Promise<boolean> {
    this.#fingerprint = await this.#read();
    return this.#fingerprint !== undefined;
  }

  /** Looks at it, once more if it is being looked at. */
  async look(): Promise<void> {
    this.#isAsked = true;
    this.#looking ??= this.#lookAsOften().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  end(): void {
    this.#ended.abort();
  }

  async #lookAsOften(): Promise<void> {
    while (this.#isAsked && !this.#ended.signal.aborted) {
      this.#isAsked = false;
      try {
        const found = await this.#read();
        if (found !== this.#fingerprint && !this.#ended.signal.aborted) this.#updated();
        this.#fingerprint = found;
      } catch {
        // The database is out of reach: it is looked at again when that is over.
      }
    }
  }

  #read(): Promise<string | undefined> {
    return schemaFingerprint(this.#database, this.#part, AbortSignal.any([this.#ended.signal]));
  }
}
