import { constants, type BigIntStats } from 'node:fs';

import { throwToolErrors } from '../errors/path-errors.ts';
import { POOLED_TRANSFERS, type MaybePromise, type FileSystemCalls } from '../pinning/file-system-calls.ts';

/** The flags make the call fail if the name exists, even as a link, so an attacker cannot prepare the name. */
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** The directory that a new file is in. */
interface ParentDirectory {
  /** The path of the directory as clients see it. */
  readonly shown: string;
  readonly calls: FileSystemCalls;
  /** Returns a path to a name in this directory, even if another directory has replaced this directory at its path. */
  readonly pathTo: (own: string) => Promise<string>;
  /** Gives the file a name and replaces any file with this name. */
  readonly save: (own: string, name: string) => Promise<void>;
  /** Gives the file a name that must be free. */
  readonly saveNew: (own: string, name: string) => Promise<void>;
}

/** Friend constructor for this package only. */
export let createNewFile: (parent: ParentDirectory, mode: number) => Promise<NewFile>;

/**
 * A file that is being written under the temporary name `.mcp-PID-UUID.tmp` until it is saved. A file that is not saved is
 * removed.
 *
 * Failures of the file system are `ToolError`s: NO_SPACE, IO.
 */
export class NewFile implements AsyncDisposable {
  readonly #parent: ParentDirectory;
  readonly #name: string;
  readonly #descriptor: number;
  #isClosed = false;
  #isSaved = false;

  private constructor(parent: ParentDirectory, name: string, descriptor: number) {
    this.#parent = parent;
    this.#name = name;
    this.#descriptor = descriptor;
  }

  /** Descriptor that child processes can inherit; valid until the file is saved. */
  get descriptor(): number {
    return this.#descriptor;
  }

  facts(): Promise<BigIntStats> {
    return this.#run((calls, descriptor) => calls.fstat(descriptor));
  }

  /** Appends to the bytes already written. */
  write(bytes: Uint8Array): Promise<void> {
    return this.#run(async (calls, descriptor) => {
      const { write } = calls.isSynchronous ? POOLED_TRANSFERS : calls;
      for (let written = 0; written < bytes.length;) written += await write(descriptor, bytes, written);
    });
  }

  setMode(mode: number): Promise<void> {
    return this.#run((calls, descriptor) => calls.fchmod(descriptor, mode));
  }

  setOwner(uid: number, gid: number): Promise<void> {
    return this.#run((calls, descriptor) => calls.fchown(descriptor, uid, gid));
  }

  /** Resolves when all written bytes are on the disk. */
  flush(): Promise<void> {
    return this.#run((calls, descriptor) => (calls.isSynchronous ? POOLED_TRANSFERS : calls).fsync(descriptor));
  }

  /**
   * Closes the file and gives it a name. Replaces any file with this name.
   * @throws ToolError as {@link OpenDirectory.rename}
   */
  async saveAs(name: string): Promise<void> {
    await this.#save(() => this.#parent.save(this.#name, name));
  }

  /**
   * Closes the file and gives it a name that must be free.
   *
   * @throws ToolError as {@link OpenDirectory.renameNew}
   */
  async saveAsNew(name: string): Promise<void> {
    await this.#save(() => this.#parent.saveNew(this.#name, name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    if (this.#isSaved) return;
    const { calls, pathTo } = this.#parent;
    try {
      await calls.unlink(await pathTo(this.#name));
    } catch {
      // The file was removed with its directory, or cannot be removed. The caller needs the original error, not this one.
    }
  }

  #run<Value>(work: (calls: FileSystemCalls, descriptor: number) => MaybePromise<Value>): Promise<Value> {
    return throwToolErrors(this.#parent.shown, async () => work(this.#parent.calls, this.#descriptor));
  }

  async #save(save: () => Promise<void>): Promise<void> {
    await this.#close();
    await save();
    this.#isSaved = true;
  }

  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#parent.calls.close(this.#descriptor);
  }

  static {
    createNewFile = async (parent, mode) => {
      const name = `.mcp-${process.pid}-${crypto.randomUUID()}.tmp`;
      return new NewFile(parent, name, await parent.calls.open(await parent.pathTo(name), CREATE, mode));
    };
  }
}
