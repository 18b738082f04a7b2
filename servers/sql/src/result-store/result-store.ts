import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

import { getPrincipal, ToolError, type RequestContext } from '@org/mcp-decorators';
import { makePrivateDirectory } from '@org/mcp-host';

import { droppedRowsError, expiredHandleError } from './handle-errors.ts';
import { throwStorageError, ResultFile } from './result-file.ts';

/** Size of a handle. 96 bits cannot be guessed, and models copy 24 hexadecimal digits reliably. */
const HANDLE_BYTES = 12;
/**
 * Maximum number of finished entries per caller. Above this number, a new entry removes the least recently used finished entry.
 */
const MAX_ENTRIES = 32;

export interface ResultStoreOptions {
  readonly directory: string;
  /** Maximum number of bytes of all files together. */
  readonly maxBytes: number;
  /** Milliseconds after the last use until a finished entry expires. */
  readonly idleMs: number;
}

/** A stored result or export. */
export interface StoredItem extends AsyncDisposable {
  /** Whether no more rows will be added to the file, because the statement has ended or failed. */
  readonly finished: boolean;
}

/** The part of a request context that identifies the caller to which an entry belongs. */
type Caller = Pick<RequestContext, 'auth'>;

interface Entry {
  readonly owner: string;
  readonly item: StoredItem;
  readonly expiry: NodeJS.Timeout;
  bytes: number;
}

/** A caller, and a number of bytes that one of its entries needs in addition. */
interface Usage {
  readonly owner: string;
  readonly bytes: number;
}

/**
 * Keeps results and exports in private files until they expire. Each entry is accessible only to the caller that created the
 * entry.
 *
 * If the limit is reached, the caller with the most bytes loses its least recently used entry, finished entries first. The share
 * of a caller is the limit divided by the number of callers. A caller within its share loses no entries to others, and can always
 * use the whole share.
 */
export class ResultStore implements AsyncDisposable {
  readonly #options: ResultStoreOptions;
  /** Ordered by last use, the most recently used entry last. */
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();
  #opening: Promise<void> | undefined;
  #bytes = 0;

  constructor(options: ResultStoreOptions) {
    this.#options = options;
  }

  /** Maximum number of bytes of all files together. */
  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  /** ISO 8601 time at which an entry that is used now expires. */
  get expiresAt(): string {
    return new Date(Date.now() + this.#options.idleMs).toISOString();
  }

  /**
   * Creates an entry with its own file; resolves to the entry and its handle.
   *
   * @throws ToolError IO, NO_SPACE. Appending to the file throws TOO_LARGE if the store is full, and HANDLE_EXPIRED if the entry
   * was dropped
   */
  async add<Made extends StoredItem>(
    make: (file: ResultFile) => Made,
    { auth }: Caller,
    { hashed }: { readonly hashed: boolean },
  ): Promise<{ readonly handle: string; readonly made: Made }> {
    this.#opening ??= this.#open();
    this.#opening.catch(() => {
      this.#opening = undefined;
    });
    await this.#opening;
    const handle = randomBytes(HANDLE_BYTES).toString('hex');
    const owner = identifyOwner(auth);
    const charge = (bytes: number): void => this.#charge(handle, bytes);
    const made = make(await ResultFile.create(path.join(this.#options.directory, handle), { charge, hashed }));
    const expiry = setTimeout(() => this.#expire(handle), this.#options.idleMs).unref();
    this.#entries.set(handle, { owner, item: made, expiry, bytes: 0 });
    const others = this.#finishedOf(owner);
    if (others.length > MAX_ENTRIES) this.drop(others[0] ?? '');
    return { handle, made };
  }

  /** Returns the entry of a handle and restarts its expiry. @throws ToolError HANDLE_EXPIRED if the caller has no such entry */
  get<Kind extends StoredItem>(handle: string, kind: abstract new (...given: never[]) => Kind, { auth }: Caller): Kind {
    const entry = this.#entries.get(handle);
    if (entry === undefined || entry.owner !== identifyOwner(auth) || !(entry.item instanceof kind)) throw expiredHandleError();
    this.#entries.delete(handle);
    this.#entries.set(handle, entry);
    entry.expiry.refresh();
    return entry.item;
  }

  /** Removes an entry. */
  drop(handle: string): void {
    const entry = this.#entries.get(handle);
    if (entry === undefined) return;
    this.#entries.delete(handle);
    clearTimeout(entry.expiry);
    this.#bytes -= entry.bytes;
    const closing = this.#close(entry.item);
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const handle of this.#entries.keys()) this.drop(handle);
    await Promise.all(this.#closing);
  }

  // Each file is unlinked right after it is opened. A file with a name is therefore left over from a killed process, or about to
  // be unlinked, so it can be removed.
  async #open(): Promise<void> {
    const { directory } = this.#options;
    const stateDirectory = path.dirname(directory);
    await mkdir(path.dirname(stateDirectory), { recursive: true, mode: 0o700 }).catch(throwStorageError);
    // Other users must not control which files are removed below.
    for (const own of [stateDirectory, directory]) await makePrivateDirectory(own).catch(throwStorageError);
    const left = await readdir(directory).catch(throwStorageError);
    await Promise.all(left.map((name) => rm(path.join(directory, name), { force: true }).catch(throwStorageError)));
  }

  async #close(item: StoredItem): Promise<void> {
    // The entry is already inaccessible, so an error of closing its file has no consequences.
    await Promise.resolve(item[Symbol.asyncDispose]()).catch(() => undefined);
  }

  #expire(handle: string): void {
    const entry = this.#entries.get(handle);
    if (entry?.item.finished === false) entry.expiry.refresh();
    else this.drop(handle);
  }

  #charge(handle: string, bytes: number): void {
    const entry = this.#entries.get(handle);
    if (entry === undefined) throw droppedRowsError();
    while (this.#bytes + bytes > this.#options.maxBytes) this.#makeRoom(entry, bytes);
    this.#bytes += bytes;
    entry.bytes += bytes;
  }

  /**
   * Drops an entry of the caller with the most bytes, to make room for `bytes` more bytes of the given entry.
   *
   * @throws ToolError TOO_LARGE if the owner of the given entry has the most bytes, and no finished entry to drop
   */
  #makeRoom({ owner }: Entry, bytes: number): void {
    const largest = this.#largest({ owner, bytes });
    const dropped = this.#finishedOf(largest)[0] ?? (largest === owner ? undefined : this.#ofOwner(largest)[0]?.[0]);
    if (dropped === undefined) throw storeFullError(this.#options.maxBytes);
    this.drop(dropped);
  }

  /** Returns the caller with the most bytes, including the additional bytes of `more.owner`, which wins a tie. */
  #largest(more: Usage): string {
    const held = new Map([[more.owner, more.bytes]]);
    for (const { owner, bytes } of this.#entries.values()) held.set(owner, (held.get(owner) ?? 0) + bytes);
    return [...held].reduce((largest, each) => (each[1] > largest[1] ? each : largest))[0];
  }

  #ofOwner(owner: string): readonly (readonly [handle: string, entry: Entry])[] {
    return [...this.#entries].filter(([, entry]) => entry.owner === owner);
  }

  #finishedOf(owner: string): readonly string[] {
    return this.#ofOwner(owner).flatMap(([handle, { item }]) => (item.finished ? handle : []));
  }
}

function identifyOwner(auth: Caller['auth']): string {
  return JSON.stringify(getPrincipal(auth));
}

function storeFullError(maxBytes: number): ToolError {
  return new ToolError(
    'TOO_LARGE',
    `the rows do not fit: the limit of all stored results and exports together is ${maxBytes} bytes`,
    {
      hint: 'request fewer rows or columns; the operator can raise the limit with --max-stored-bytes',
    },
  );
}
