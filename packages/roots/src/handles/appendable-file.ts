import { constants, type BigIntStats } from 'node:fs';

import { createNotRegularFileError, throwToolErrors } from '../errors/path-errors.ts';
import { POOLED_TRANSFERS, type MaybePromise, type FileSystemCalls } from '../pinning/file-system-calls.ts';

/** With O_APPEND, the kernel writes at the end of the file even if another process appends at the same time. */
const FOR_APPENDING = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Friend constructor for this package only. @throws ToolError NOT_REGULAR_FILE if the entry is not a regular file */
export let openAppendableFile: (calls: FileSystemCalls, location: string, shown: string) => Promise<AppendableFile>;

/**
 * A regular file that is open for appending and truncating. Such changes are visible at once and keep the identity of the file.
 *
 * Failures of the file system are `ToolError`s: NO_SPACE, IO.
 */
export class AppendableFile implements AsyncDisposable {
  /** The path as clients see it. */
  readonly shown: string;
  readonly #calls: FileSystemCalls;
  readonly #descriptor: number;
  #isClosed = false;

  private constructor(calls: FileSystemCalls, descriptor: number, shown: string) {
    this.#calls = calls;
    this.#descriptor = descriptor;
    this.shown = shown;
  }

  facts(): Promise<BigIntStats> {
    return this.#run((calls, descriptor) => calls.fstat(descriptor));
  }

  append(bytes: Uint8Array): Promise<void> {
    return this.#run(async (calls, descriptor) => {
      const { write } = calls.isSynchronous ? POOLED_TRANSFERS : calls;
      for (let written = 0; written < bytes.length;) written += await write(descriptor, bytes, written);
    });
  }

  /** Removes all bytes after the first `size` bytes. */
  truncate(size: number): Promise<void> {
    return this.#run((calls, descriptor) => calls.ftruncate(descriptor, size));
  }

  /** Resolves when all changes of the file are on the disk. */
  flush(): Promise<void> {
    return this.#run((calls, descriptor) => (calls.isSynchronous ? POOLED_TRANSFERS : calls).fsync(descriptor));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#calls.close(this.#descriptor);
  }

  #run<Value>(work: (calls: FileSystemCalls, descriptor: number) => MaybePromise<Value>): Promise<Value> {
    return throwToolErrors(this.shown, async () => work(this.#calls, this.#descriptor));
  }

  static {
    openAppendableFile = async (calls, location, shown) => {
      const file = new AppendableFile(calls, await calls.open(location, FOR_APPENDING), shown);
      if ((await file.facts()).isFile()) return file;
      await file[Symbol.asyncDispose]();
      throw createNotRegularFileError(shown);
    };
  }
}
