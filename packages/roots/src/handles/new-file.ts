import { constants, type BigIntStats } from 'node:fs';

import { TRANSFERS, type Calls } from '../hold/calls.ts';

/** Created by this call or not at all, and never through a link: nothing can be waiting under its name. */
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** The directory that a new file is in. */
interface Place {
  readonly calls: Calls;
  /** A path to a name in it that leads nowhere else. */
  readonly way: (own: string) => Promise<string>;
  /** Gives a file its name. */
  readonly save: (own: string, name: string) => Promise<void>;
}

/** Creates one; for this package only. */
export let createFile: (place: Place, mode: number) => Promise<NewFile>;

/** A file that is being written under a name nobody asked for, until it is saved; one that is not saved is removed. */
export class NewFile implements AsyncDisposable {
  readonly #place: Place;
  readonly #name: string;
  readonly #descriptor: number;
  #isClosed = false;
  #isSaved = false;

  private constructor(place: Place, name: string, descriptor: number) {
    this.#place = place;
    this.#name = name;
    this.#descriptor = descriptor;
  }

  async facts(): Promise<BigIntStats> {
    return this.#place.calls.fstat(this.#descriptor);
  }

  /** Adds to what was written. */
  async write(bytes: Uint8Array): Promise<void> {
    const write = this.#place.calls.isDirect ? TRANSFERS.write : this.#place.calls.write;
    for (let written = 0; written < bytes.length;) written += await write(this.#descriptor, bytes, written);
  }

  async setMode(mode: number): Promise<void> {
    await this.#place.calls.fchmod(this.#descriptor, mode);
  }

  async setOwner(uid: number, gid: number): Promise<void> {
    await this.#place.calls.fchown(this.#descriptor, uid, gid);
  }

  /** Resolves when what was written is on the disk. */
  async flush(): Promise<void> {
    const flush = this.#place.calls.isDirect ? TRANSFERS.fsync : this.#place.calls.fsync;
    await flush(this.#descriptor);
  }

  /**
   * Gives it its name, in place of what has that name now; it is closed then.
   *
   * @throws ToolError as {@link OpenDirectory.rename}
   */
  async saveAs(name: string): Promise<void> {
    await this.#close();
    await this.#place.save(this.#name, name);
    this.#isSaved = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    if (this.#isSaved) return;
    const { calls, way } = this.#place;
    await calls.unlink(await way(this.#name));
  }

  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#place.calls.close(this.#descriptor);
  }

  static {
    createFile = async (place, mode) => {
      const name = `.mcp-${crypto.randomUUID()}.tmp`;
      return new NewFile(place, name, await place.calls.open(await place.way(name), CREATE, mode));
    };
  }
}
