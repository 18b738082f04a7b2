import type { Source } from './source.ts';

/** Read first; many files are not larger. Even, as units of UTF-16 are. */
export const FIRST_CHUNK = 65_536;

/** Read from then on: with less, waiting for each answer costs more than reading; with more, other calls would feel the work on it. */
export const CHUNK = 1_048_576;

/** Read of a file that says it is empty: those that a kernel makes up do, and are not. */
const LEAST_CHUNK = 4096;

/** How much to read first of so many bytes: one more than is known of, so that the end is seen. */
export function firstLength(size: number): number {
  return Math.min(FIRST_CHUNK, Math.max(LEAST_CHUNK, size + 1));
}

/** What to read. */
interface Extent {
  readonly from?: number;
  /** Where to stop. Default: at the end. */
  readonly until?: number;
  readonly signal: AbortSignal;
}

/** All bytes in order, each next chunk under way while one is looked at; a chunk holds them until the next is asked for. */
export async function* readAhead(
  source: Source,
  { from = 0, until = Number.POSITIVE_INFINITY, signal }: Extent,
): AsyncGenerator<Buffer> {
  const chunks = new Chunks(source, from, until);
  let pending: Promise<Buffer> | undefined = chunks.next();
  try {
    while (pending !== undefined) {
      const chunk: Buffer = await pending;
      signal.throwIfAborted();
      pending = chunks.isOver ? undefined : chunks.next();
      if (chunk.length > 0) yield chunk;
    }
  } finally {
    // The descriptor is closed after this: nothing may read from its number any more.
    await pending?.catch(() => undefined);
  }
}

/** Chunks of a source, in two buffers by turns. */
class Chunks {
  readonly #source: Source;
  readonly #until: number;
  readonly #buffers: Buffer[] = [];
  #position: number;
  #turn = 0;
  #isOver = false;

  constructor(source: Source, position: number, until: number) {
    this.#source = source;
    this.#position = position;
    this.#until = until;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  async next(): Promise<Buffer> {
    const length = Math.min(
      this.#turn === 0 ? firstLength(this.#source.size - this.#position) : CHUNK,
      this.#until - this.#position,
    );
    const buffer = this.#buffer(length);
    const filled = await this.#source.readInto(buffer, this.#position);
    this.#position += filled;
    this.#isOver = filled < length || this.#position >= this.#until;
    return buffer.subarray(0, filled);
  }

  #buffer(length: number): Buffer {
    this.#turn += 1;
    if (this.#turn === 1) return Buffer.allocUnsafe(length);
    return (this.#buffers[this.#turn % 2] ??= Buffer.allocUnsafeSlow(CHUNK)).subarray(0, length);
  }
}
