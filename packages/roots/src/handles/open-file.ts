import { constants, type BigIntStats } from 'node:fs';

import {
  createDeniedError,
  createIsDirectoryError,
  createNotRegularFileError,
  toToolError,
  throwToolErrors,
} from '../errors/path-errors.ts';
import { POOLED_TRANSFERS, type FileSystemCalls } from '../pinning/file-system-calls.ts';
import type { ResolvedPath } from '../resolving/resolver.ts';

// With O_NONBLOCK, open does not wait for a writer if a FIFO has replaced the file. Windows lacks this flag.
const FOR_READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Position in a file, in bytes. A read that ends beyond this position runs in the background, because a long synchronous read
 * would block other calls.
 */
const MAX_SYNCHRONOUS_END = 65_536;

/**
 * Friend constructor for this package only; opens the file and closes the pinned path.
 *
 * @throws ToolError IS_DIRECTORY, NOT_REGULAR_FILE, DENIED_BY_POLICY for a second hard link if those are denied, IO
 */
export let openResolvedFile: (resolved: ResolvedPath, hardLinks: 'allow' | 'deny') => Promise<OpenFile>;

/** A regular file, verified and open for reading. */
export class OpenFile implements AsyncDisposable {
  /** The path as clients see it. */
  readonly shown: string;
  /** Stats of the file at the time of its verification. */
  readonly facts: BigIntStats;
  readonly #descriptor: number;
  readonly #calls: FileSystemCalls;
  #isClosed = false;

  private constructor(descriptor: number, { pinned, backend, shown }: ResolvedPath) {
    this.#descriptor = descriptor;
    this.#calls = backend.calls;
    this.shown = shown;
    this.facts = pinned.facts;
  }

  /** Size in bytes at the time of the verification. */
  get size(): number {
    return Number(this.facts.size);
  }

  /** Reads from a position. Returns fewer bytes than requested only at the end of the file. */
  async readAt(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, await this.readInto(buffer, position));
  }

  /**
   * Fills a buffer from a position. Resolves to the number of bytes read, which is smaller than the buffer only at the end of the
   * file.
   */
  async readInto(buffer: Buffer, position: number): Promise<number> {
    const { length } = buffer;
    const { read } = position + length > MAX_SYNCHRONOUS_END && this.#calls.isSynchronous ? POOLED_TRANSFERS : this.#calls;
    return throwToolErrors(this.shown, async () => {
      let filled = 0;
      while (filled < length) {
        const count = await read(this.#descriptor, buffer.subarray(filled), position + filled);
        if (count === 0) break;
        filled += count;
      }
      return filled;
    });
  }

  /** Descriptor that child processes can inherit; valid while the file is open. */
  get descriptor(): number {
    return this.#descriptor;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#calls.close(this.#descriptor);
  }

  static {
    openResolvedFile = async (resolved, hardLinks) => {
      const { pinned, given } = resolved;
      try {
        if (pinned.facts.isDirectory()) throw createIsDirectoryError(given);
        if (!pinned.facts.isFile()) throw createNotRegularFileError(given);
        if (hardLinks === 'deny' && pinned.facts.nlink > 1n)
          throw createDeniedError(given, 'has a second hard link, which may be outside the allowed directories');
        return new OpenFile(await pinned.open(FOR_READING), resolved);
      } catch (error) {
        throw toToolError(given, error);
      } finally {
        await pinned.close();
      }
    };
  }
}
