import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

import { principalOf, ToolError, type RequestContext } from '@org/mcp-decorators';
import { makePrivateDirectory } from '@org/mcp-host';

import { droppedMeanwhile, expired } from './dropped.ts';
import { failed, SpoolFile } from './spool-file.ts';

/** 96 bits cannot be guessed, and models copy 24 hexadecimal digits reliably. */
const HANDLE_BYTES = 12;
/** Of one caller; the one that was not used for longest goes first. */
const MAX_ENTRIES = 32;

export interface SpoolOptions {
  readonly directory: string;
  /** Of all files together. */
  readonly maxBytes: number;
  /** How long something is kept after its last use. */
  readonly idleMs: number;
}

/** What lies in the spool. */
export interface Spooled extends AsyncDisposable {
  /** Nothing more is written to it. */
  readonly finished: boolean;
}

/** Whom something is kept for. */
type Caller = Pick<RequestContext, 'auth'>;

interface Entry {
  readonly owner: string;
  readonly spooled: Spooled;
  readonly expiry: NodeJS.Timeout;
  bytes: number;
}

/** Total size of the entries of one caller. */
interface Holding {
  readonly owner: string;
  readonly bytes: number;
}

/**
 * Keeps results and exports in private files until they expire. Each entry is accessible only to the caller that created the entry.
 *
 * If the limit is reached, the caller with the most bytes loses its least recently used entry. The share of a caller is the limit
 * divided by the number of callers. A caller within its share loses no entries to others, and can always use the whole share.
 */
export class Spool implements AsyncDisposable {
  readonly #options: SpoolOptions;
  /** The one that was used last comes last. */
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();
  #opening: Promise<void> | undefined;
  #bytes = 0;

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  /** Maximum number of bytes of all files together. */
  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  /** When something that is used now is forgotten, as ISO 8601. */
  get expiresAt(): string {
    return new Date(Date.now() + this.#options.idleMs).toISOString();
  }

  /**
   * Makes something with a file of its own; resolves to it and its handle.
   *
   * @throws ToolError IO, NO_SPACE; appending to the file throws TOO_LARGE
   */
  async add<Made extends Spooled>(
    make: (file: SpoolFile) => Made,
    { auth }: Caller,
    { hashed }: { readonly hashed: boolean },
  ): Promise<{ readonly handle: string; readonly made: Made }> {
    this.#opening ??= this.#open();
    this.#opening.catch(() => {
      this.#opening = undefined;
    });
    await this.#opening;
    const handle = randomBytes(HANDLE_BYTES).toString('hex');
    const owner = ownerOf(auth);
    const charge = (bytes: number): void => this.#charge(handle, bytes);
    const made = make(await SpoolFile.create(path.join(this.#options.directory, handle), { charge, hashed }));
    const expiry = setTimeout(() => this.#expire(handle), this.#options.idleMs).unref();
    this.#entries.set(handle, { owner, spooled: made, expiry, bytes: 0 });
    const others = this.#finishedOf(owner);
    if (others.length > MAX_ENTRIES) this.drop(others[0] ?? '');
    return { handle, made };
  }

  /** What has this handle; it is kept for another while. @throws ToolError HANDLE_EXPIRED */
  get<Kind extends Spooled>(handle: string, kind: abstract new (...given: never[]) => Kind, { auth }: Caller): Kind {
    const entry = this.#entries.get(handle);
    if (entry === undefined || entry.owner !== ownerOf(auth) || !(entry.spooled instanceof kind)) throw expired();
    this.#entries.delete(handle);
    this.#entries.set(handle, entry);
    entry.expiry.refresh();
    return entry.spooled;
  }

  /** Forgets something now. */
  drop(handle: string): void {
    const entry = this.#entries.get(handle);
    if (entry === undefined) return;
    this.#entries.delete(handle);
    clearTimeout(entry.expiry);
    this.#bytes -= entry.bytes;
    const closing = this.#close(entry.spooled);
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const handle of this.#entries.keys()) this.drop(handle);
    await Promise.all(this.#closing);
  }

  // A file that still has a name was about to lose it: it belongs to a process that was killed, or to one that will not miss the name.
  async #open(): Promise<void> {
    const { directory } = this.#options;
    const stateDirectory = path.dirname(directory);
    await mkdir(path.dirname(stateDirectory), { recursive: true, mode: 0o700 }).catch(failed);
    // Other users must not control which files are removed below.
    for (const own of [stateDirectory, directory]) await makePrivateDirectory(own).catch(failed);
    const left = await readdir(directory).catch(failed);
    await Promise.all(left.map((name) => rm(path.join(directory, name), { force: true }).catch(failed)));
  }

  async #close(spooled: Spooled): Promise<void> {
    // What the system says of a file that nobody can read any more is of no use to anybody.
    await Promise.resolve(spooled[Symbol.asyncDispose]()).catch(() => undefined);
  }

  #expire(handle: string): void {
    const entry = this.#entries.get(handle);
    if (entry?.spooled.finished === false) entry.expiry.refresh();
    else this.drop(handle);
  }

  #charge(handle: string, bytes: number): void {
    const entry = this.#entries.get(handle);
    if (entry === undefined) throw droppedMeanwhile();
    while (this.#bytes + bytes > this.#options.maxBytes) this.#makeRoom(entry, bytes);
    this.#bytes += bytes;
    entry.bytes += bytes;
  }

  /**
   * Drops an entry to make room for more bytes of this entry.
   *
   * @throws ToolError TOO_LARGE if the owner of this entry has the most bytes and no finished entry to drop
   */
  #makeRoom({ owner }: Entry, bytes: number): void {
    const largest = this.#largest({ owner, bytes });
    const dropped = this.#finishedOf(largest)[0] ?? (largest === owner ? undefined : this.#ofOwner(largest)[0]?.[0]);
    if (dropped === undefined) throw tooLarge(this.#options.maxBytes);
    this.drop(dropped);
  }

  /** Returns the caller with the most bytes, including the additional bytes of `more.owner`, which wins a tie. */
  #largest(more: Holding): string {
    const held = new Map([[more.owner, more.bytes]]);
    for (const { owner, bytes } of this.#entries.values()) held.set(owner, (held.get(owner) ?? 0) + bytes);
    return [...held].reduce((largest, each) => (each[1] > largest[1] ? each : largest))[0];
  }

  #ofOwner(owner: string): readonly (readonly [handle: string, entry: Entry])[] {
    return [...this.#entries].filter(([, entry]) => entry.owner === owner);
  }

  #finishedOf(owner: string): readonly string[] {
    return this.#ofOwner(owner).flatMap(([handle, { spooled }]) => (spooled.finished ? handle : []));
  }
}

function ownerOf(auth: Caller['auth']): string {
  return JSON.stringify(principalOf(auth));
}

function tooLarge(maxBytes: number): ToolError {
  return new ToolError('TOO_LARGE', `the rows do not fit: all kept results and exports together have ${maxBytes} bytes`, {
    hint: 'ask for fewer rows or columns; the operator chooses the size with --max-spool',
  });
}
