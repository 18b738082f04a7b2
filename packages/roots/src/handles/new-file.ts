import { constants, type BigIntStats } from 'node:fs';

import { translated } from '../failures.ts';
import { TRANSFERS, type Answer, type Calls } from '../hold/calls.ts';

/** Created by this call or not at all, and never through a link: nothing can be waiting under its name. */
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** The directory that a new file is in. */
interface Place {
  /** What clients see of the directory. */
  readonly shown: string;
  readonly calls: Calls;
  /** A path to a name in it that leads nowhere else. */
  readonly way: (own: string) => Promise<string>;
  /** Gives a file its name. */
  readonly save: (own: string, name: string) => Promise<void>;
  /** Gives a file a name that is free. */
  readonly saveNew: (own: string, name: string) => Promise<void>;
}

/** Creates one; for this package only. */
export let createFile: (place: Place, mode: number) => Promise<NewFile>;

/**
 * A file that is being written under a name nobody asked for, `.mcp-PID-UUID.tmp`, until it is saved; one that is not saved is removed.
 *
 * What the file system refuses is a `ToolError`: NO_SPACE, IO.
 */
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

  /** Descriptor that child processes can inherit; valid until the file is saved. */
  get descriptor(): number {
    return this.#descriptor;
  }

  facts(): Promise<BigIntStats> {
    return this.#with((calls, descriptor) => calls.fstat(descriptor));
  }

  /** Adds to what was written. */
  write(bytes: Uint8Array): Promise<void> {
    return this.#with(async (calls, descriptor) => {
      const { write } = calls.isDirect ? TRANSFERS : calls;
      for (let written = 0; written < bytes.length;) written += await write(descriptor, bytes, written);
    });
  }

  setMode(mode: number): Promise<void> {
    return this.#with((calls, descriptor) => calls.fchmod(descriptor, mode));
  }

  setOwner(uid: number, gid: number): Promise<void> {
    return this.#with((calls, descriptor) => calls.fchown(descriptor, uid, gid));
  }

  /** Resolves when what was written is on the disk. */
  flush(): Promise<void> {
    return this.#with((calls, descriptor) => (calls.isDirect ? TRANSFERS : calls).fsync(descriptor));
  }

  /**
   * Gives it its name, in place of what has that name now; it is closed then.
   *
   * @throws ToolError as {@link OpenDirectory.rename}
   */
  async saveAs(name: string): Promise<void> {
    await this.#saved(() => this.#place.save(this.#name, name));
  }

  /**
   * Gives it a name that nothing has; it is closed then.
   *
   * @throws ToolError as {@link OpenDirectory.renameNew}
   */
  async saveAsNew(name: string): Promise<void> {
    await this.#saved(() => this.#place.saveNew(this.#name, name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    if (this.#isSaved) return;
    const { calls, way } = this.#place;
    try {
      await calls.unlink(await way(this.#name));
    } catch {
      // It went with its directory, or cannot be removed; why it was not saved is what has to be told.
    }
  }

  #with<Value>(work: (calls: Calls, descriptor: number) => Answer<Value>): Promise<Value> {
    return translated(this.#place.shown, async () => work(this.#place.calls, this.#descriptor));
  }

  async #saved(save: () => Promise<void>): Promise<void> {
    await this.#close();
    await save();
    this.#isSaved = true;
  }

  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#place.calls.close(this.#descriptor);
  }

  static {
    createFile = async (place, mode) => {
      const name = `.mcp-${process.pid}-${crypto.randomUUID()}.tmp`;
      return new NewFile(place, name, await place.calls.open(await place.way(name), CREATE, mode));
    };
  }
}
