import { createHash, type Hash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';

import { ToolError } from '@org/mcp-decorators';

import { droppedMeanwhile } from './dropped.ts';

/** Written at a time; twice that is what a file may have in memory. */
const STAGE_BYTES = 262_144;

export interface SpoolFileOptions {
  /** Told of bytes before they are written; throws where there is no room for them. */
  readonly charge: (bytes: number) => void;
  /** Its digest will be asked for. */
  readonly hashed: boolean;
}

/**
 * A private file that has no name: it is removed as soon as it is open, so that it goes with this process however that ends, and
 * nobody else comes to it. What is appended is written in the background.
 */
export class SpoolFile implements AsyncDisposable {
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

  private constructor(handle: FileHandle, { charge, hashed }: SpoolFileOptions) {
    this.#handle = handle;
    this.#charge = charge;
    this.#hash = hashed ? createHash('sha256') : undefined;
  }

  /** @throws ToolError IO, NO_SPACE */
  static async create(path: string, options: SpoolFileOptions): Promise<SpoolFile> {
    const handle = await open(path, 'wx+', 0o600).catch(failed);
    await rm(path, { force: true }).catch(failed);
    return new SpoolFile(handle, options);
  }

  /** Appended so far. */
  get bytes(): number {
    return this.#bytes + this.#used;
  }

  /** Settles when there is room for more; rejects when nothing can be written any more. */
  get busy(): Promise<void> | undefined {
    return this.#bytes - this.#written > STAGE_BYTES ? this.#writing : undefined;
  }

  /** @throws ToolError TOO_LARGE */
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

  /** Resolves when all appended bytes are in the file. @throws ToolError IO, TOO_LARGE, HANDLE_EXPIRED */
  async flush(): Promise<void> {
    this.#stage();
    await this.#writing;
    if (this.#broken !== undefined) throw this.#broken.error;
  }

  /** SHA-256 of the whole file, in hexadecimal digits; nothing can be appended afterwards. */
  digest(): string {
    return this.#hash?.digest('hex') ?? '';
  }

  /** Reads `length` bytes at a position; the result is shorter only at the end. @throws ToolError IO, TOO_LARGE, HANDLE_EXPIRED */
  async read(position: number, length: number): Promise<Buffer> {
    if (position + length > this.#written) await this.flush();
    if (this.#broken !== undefined) throw this.#broken.error;
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.#written - position)));
    const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, position).catch(failed);
    return buffer.subarray(0, bytesRead);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#broken ??= { error: droppedMeanwhile() };
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
    // Whoever waits for it is told.
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
    // Used again: what is thrown away at this rate takes more memory than all that is in use.
    if (full.buffer.byteLength === STAGE_BYTES) this.#free.push(Buffer.from(full.buffer));
  }

  // A part of the rows is of no use to anybody, and others need the room.
  async #breakOff(cause: unknown): Promise<never> {
    await this.#handle.truncate().catch(ignore);
    try {
      return failed(cause);
    } catch (error) {
      this.#broken ??= { error };
      throw error;
    }
  }
}

/** What the system says where there is no room, in the file system, for this user or in a file of this process. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** @throws ToolError NO_SPACE, IO */
export function failed(error: unknown): never {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const code = NO_ROOM.has(reason) ? 'NO_SPACE' : 'IO';
  throw new ToolError(code, `the server could not keep the rows in its state directory (${reason})`, {
    cause: error,
    hint: 'ask for fewer rows; the operator chooses the directory with --state-dir',
  });
}

function ignore(): void {
  // Told where it is waited for.
}
