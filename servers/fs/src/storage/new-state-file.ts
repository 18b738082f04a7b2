import { constants } from 'node:fs';

import { POOLED_TRANSFERS, selectCalls, type FileSystemCalls } from '@org/mcp-roots';

import type { Durability } from './write-atomically.ts';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const PRIVATE_MODE = 0o600;

/**
 * Maximum number of bytes of a synchronous write to a local disk. A transfer to the thread pool would take longer than the
 * write.
 */
const MAX_SYNCHRONOUS = 65_536;

/** A new file in the state directory that gets its name when it is complete. Disposal removes a file that was not saved. */
export class NewStateFile implements AsyncDisposable {
  readonly #calls: FileSystemCalls;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #durability: Durability;
  #isOpen = true;
  #isSaved = false;

  private constructor(calls: FileSystemCalls, path: string, descriptor: number, durability: Durability) {
    this.#calls = calls;
    this.#path = path;
    this.#descriptor = descriptor;
    this.#durability = durability;
  }

  /** Creates a file with a temporary name. @param path temporary path, at which no file exists */
  static async create(path: string, durability: Durability): Promise<NewStateFile> {
    const calls = selectCalls(path);
    return new NewStateFile(calls, path, await calls.open(path, CREATE, PRIVATE_MODE), durability);
  }

  async write(bytes: Uint8Array): Promise<void> {
    const { write } = bytes.length > MAX_SYNCHRONOUS ? this.#transfers : this.#calls;
    for (let written = 0; written < bytes.length;) written += await write(this.#descriptor, bytes, written);
  }

  /** Flushes the file, unless the durability is `fast`, and renames it. An existing file at the new path is replaced. */
  async saveAs(path: string): Promise<void> {
    if (this.#durability === 'full') await this.#transfers.fsync(this.#descriptor);
    await this.#close();
    await this.#calls.rename(this.#path, path);
    this.#isSaved = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    if (this.#isSaved) return;
    try {
      await this.#calls.unlink(this.#path);
    } catch {
      // Ignored, so that the caller gets the error because of which the file was not saved.
    }
  }

  get #transfers(): Pick<FileSystemCalls, 'fsync' | 'write'> {
    return this.#calls.isSynchronous ? POOLED_TRANSFERS : this.#calls;
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#calls.close(this.#descriptor);
  }
}
