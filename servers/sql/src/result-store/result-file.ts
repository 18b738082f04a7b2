import { createHash, type Hash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { isNativeError } from 'node:util/types';

import { ToolError } from '@org/mcp-decorators';

import { droppedRowsError } from './handle-errors.ts';

/** Maximum number of appended bytes that are collected before they are written. A longer chunk is written as a whole. */
const STAGE_BYTES = 262_144;

export interface ResultFileOptions {
  /** Called before bytes are written. Throws if the store has no room for the bytes, or if the entry was dropped. */
  readonly charge: (bytes: number) => void;
  /** Whether the SHA-256 of the file is needed, so that `digest` may be called. */
  readonly hashed: boolean;
}

/**
 * A private file without a name: the name is removed after the file is opened, so the system deletes the file when this process
 * ends, and other processes cannot open it. Appended bytes are written in the background.
 */
export class ResultFile implements AsyncDisposable {
  readonly #hash: Hash | undefined;
  readonly #handle: FileHandle;
  readonly #charge: (bytes: number) => void;
  readonly #free: Buffer[] = [];
  #staging: Buffer = Buffer.allocUnsafeSlow(STAGE_BYTES);
  #used = 0;
  #bytes = 0;
  #written = 0;
  #writing: Promise<void> | undefined;
  #broken: { readonly error: unknown } | undefined;

  private constructor(handle: FileHandle, { charge, hashed }: ResultFileOptions) {
    this.#handle = handle;
    this.#charge = charge;
    this.#hash = hashed ? createHash('sha256') : undefined;
  }

  /** @throws ToolError IO, NO_SPACE */
  static async create(path: string, options: ResultFileOptions): Promise<ResultFile> {
    const handle = await open(path, 'wx+', 0o600).catch(throwStorageError);
    await rm(path, { force: true }).catch(throwStorageError);
    return new ResultFile(handle, options);
  }

  /** Number of appended bytes. */
  get bytes(): number {
    return this.#bytes + this.#used;
  }

  /** Resolves when more bytes may be appended, and rejects if a write failed; `undefined` if bytes may be appended now. */
  get busy(): Promise<void> | undefined {
    return this.#bytes - this.#written > STAGE_BYTES ? this.#writing : undefined;
  }

  /**
   * Appends a chunk. The bytes may be charged and written at a later call.
   *
   * @throws ToolError TOO_LARGE if the store is full; HANDLE_EXPIRED if the entry was dropped
   */
  append(chunk: string | Uint8Array): void {
    const bytes = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    if (this.#used + bytes > STAGE_BYTES) this.#stage();
    if (bytes > STAGE_BYTES) this.#queue(Buffer.from(chunk));
    else {
      if (typeof chunk === 'string') this.#staging.write(chunk, this.#used);
      else this.#staging.set(chunk, this.#used);
      this.#used += bytes;
    }
  }

  /** Resolves when all appended bytes are in the file. @throws ToolError IO, NO_SPACE, and errors of `append` */
  async flush(): Promise<void> {
    this.#stage();
    await this.#writing;
    if (this.#broken !== undefined) throw this.#broken.error;
  }

  /**
   * Returns the SHA-256 of the whole file, after `flush`, as hexadecimal digits; empty unless `hashed`. Nothing can be appended
   * afterwards.
   */
  digest(): string {
    return this.#hash?.digest('hex') ?? '';
  }

  /** Reads `length` bytes at a position. Returns fewer bytes only at the end of the file. @throws ToolError as `flush` */
  async read(position: number, length: number): Promise<Buffer> {
    if (position + length > this.#written) await this.flush();
    if (this.#broken !== undefined) throw this.#broken.error;
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.#written - position)));
    const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, position).catch(throwStorageError);
    return buffer.subarray(0, bytesRead);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#broken ??= { error: droppedRowsError() };
    await this.#writing?.catch(ignore);
    await this.#handle.close();
  }

  #stage(): void {
    if (this.#used === 0) return;
    const full = this.#staging.subarray(0, this.#used);
    this.#staging = this.#free.pop() ?? Buffer.allocUnsafeSlow(STAGE_BYTES);
    this.#used = 0;
    this.#queue(full);
  }

  #queue(full: Buffer): void {
    this.#charge(full.length);
    this.#hash?.update(full);
    const before = this.#writing ?? Promise.resolve();
    const position = this.#bytes;
    this.#bytes += full.length;
    this.#writing = before.then(() => this.#write(full, position));
    // Callers of `flush` and `busy` handle the error.
    this.#writing.catch(ignore);
  }

  async #write(full: Buffer, position: number): Promise<void> {
    try {
      for (let done = 0; done < full.length;) {
        const { bytesWritten } = await this.#handle.write(full, done, full.length - done, position + done);
        done += bytesWritten;
      }
    } catch (error) {
      await this.#breakOff(error);
    }
    this.#written = position + full.length;
    // Written buffers are reused. Otherwise, discarded buffers would take more memory than the buffers in use until the garbage
    // collector runs.
    if (full.buffer.byteLength === STAGE_BYTES) this.#free.push(Buffer.from(full.buffer));
  }

  // An incomplete file is useless, and other results need its space. Therefore the file is truncated.
  async #breakOff(cause: unknown): Promise<never> {
    await this.#handle.truncate().catch(ignore);
    try {
      return throwStorageError(cause);
    } catch (error) {
      this.#broken ??= { error };
      throw error;
    }
  }
}

/** Codes of system errors: disk full, quota of the user exceeded, maximum file size of the process exceeded. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** @throws ToolError NO_SPACE for an error in `NO_ROOM`; IO for every other error */
export function throwStorageError(error: unknown): never {
  const reason = isNativeError(error) && 'code' in error ? String(error.code) : 'unknown';
  const code = NO_ROOM.has(reason) ? 'NO_SPACE' : 'IO';
  throw new ToolError(code, `the server could not keep the rows in its state directory (${reason})`, {
    cause: error,
    hint: 'request fewer rows; the operator can choose another directory with --state-dir',
  });
}

function ignore(): void {
  // `flush` and `read` throw the error of a write. If the file cannot be truncated, only its space is not freed.
}
