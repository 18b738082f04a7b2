import type { Databases } from '../engine/databases.ts';
import type { SchemaPart, SqlDatabase } from '../engine/sql-database.ts';
import type { SchemaNotifier } from './schema-notifier.ts';

/** Pattern for the URI of a schema, of a table or of the DDL of a table. */
const URI = /^([a-z]+):\/\/([^/]+)\/([^/]+)(?:\/([^/]+)(?:\/ddl)?)?$/;

/** Calls `updated` when the schema or table of a URI changes. Returns `undefined` for other URIs, and if the object does not exist. */
export async function watchSchema(
  uri: string,
  {
    databases,
    notifier,
    updated,
  }: { readonly databases: Databases; readonly notifier: SchemaNotifier; readonly updated: () => void },
): Promise<AsyncDisposable | undefined> {
  const named = parseSchemaUri(uri, databases);
  if (named === undefined) return undefined;
  const watched = new WatchedSchemaPart(named.database, named.part, updated);
  const listening = await notifier.listen(named.database, () => void watched.check());
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

function parseSchemaUri(
  uri: string,
  databases: Databases,
): { readonly database: SqlDatabase; readonly part: SchemaPart } | undefined {
  try {
    const [, scheme, id, schema, relation] = (URI.exec(uri) ?? []).map(
      (text: string | undefined) => text && decodeURIComponent(text),
    );
    const database = databases.all.find((each) => each.id === id && each.engine.uriScheme === scheme);
    return database === undefined || schema === undefined ? undefined : { database, part: { schema, relation } };
  } catch {
    // A URI with invalid escapes names no object.
    return undefined;
  }
}

/** A schema or table, with the fingerprint of its last read. */
class WatchedSchemaPart {
  readonly #database: SqlDatabase;
  readonly #part: SchemaPart;
  readonly #updated: () => void;
  readonly #ended = new AbortController();
  #fingerprint: string | undefined;
  #checking: Promise<void> | undefined;
  #isRequested = false;

  constructor(database: SqlDatabase, part: SchemaPart, updated: () => void) {
    this.#database = database;
    this.#part = part;
    this.#updated = updated;
  }

  /** Reads the fingerprint; returns `false` if the object does not exist. */
  async begin(): Promise<boolean> {
    this.#fingerprint = await this.#read();
    return this.#fingerprint !== undefined;
  }

  /** Reads the fingerprint and compares it with the last fingerprint. If a comparison is running, another comparison follows. */
  async check(): Promise<void> {
    this.#isRequested = true;
    this.#checking ??= this.#checkWhileRequested().finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
  }

  end(): void {
    this.#ended.abort();
  }

  async #checkWhileRequested(): Promise<void> {
    while (this.#isRequested && !this.#ended.signal.aborted) {
      this.#isRequested = false;
      try {
        const found = await this.#read();
        if (found !== this.#fingerprint && !this.#ended.signal.aborted) this.#updated();
        this.#fingerprint = found;
      } catch {
        // If the fingerprint cannot be read, nothing happens now. The notifier requests another check when a lost connection is
        // restored.
      }
    }
  }

  #read(): Promise<string | undefined> {
    return this.#database.fingerprintSchema(this.#part, AbortSignal.any([this.#ended.signal]));
  }
}
