import { isHole, skipLinesInBytes, type LineEnds } from './lines.ts';

/** A readable file. */
export interface Source {
  /** Size in bytes that the file reports. Kernel files, such as those in /proc, report 0. */
  readonly size: number;
  /**
   * Reads bytes from a position into a buffer. Resolves to the number of bytes, which is smaller than the buffer only at the end
   * of the file.
   */
  readInto(buffer: Buffer, position: number): Promise<number>;
}

/** Maximum size of the first chunk in bytes; most files are smaller. The size is even, so that no unit of UTF-16 is split. */
export const FIRST_CHUNK = 65_536;

/** Size of further chunks in bytes. Smaller chunks take longer to wait for than to read; larger chunks delay other calls. */
export const CHUNK = 1_048_576;

/** Minimum size of the first chunk, because kernel files such as those in /proc report size 0. */
const MIN_CHUNK = 4096;

/**
 * Returns the number of bytes of the first read: one more than the known size, so that the end is detected, but at least
 * {@link MIN_CHUNK} and at most {@link FIRST_CHUNK}.
 */
export function firstChunkLength(size: number): number {
  return Math.min(FIRST_CHUNK, Math.max(MIN_CHUNK, size + 1));
}

/** The bytes to read. */
interface Extent {
  readonly from?: number;
  /** End position. Default: the end of the file. */
  readonly until?: number;
  readonly signal: AbortSignal;
}

/** Yields the bytes in order and reads the next chunk in advance. A chunk is valid until the next chunk is requested. */
export async function* readChunks(
  source: Source,
  { from = 0, until = Number.POSITIVE_INFINITY, signal }: Extent,
): AsyncGenerator<Buffer> {
  const chunks = new ChunkReader(source, from, until);
  let pending: Promise<Buffer> | undefined = chunks.next();
  try {
    while (pending !== undefined) {
      const chunk: Buffer = await pending;
      signal.throwIfAborted();
      pending = chunks.isOver ? undefined : chunks.next();
      if (chunk.length > 0) yield chunk;
    }
  } finally {
    // The caller closes the descriptor next, so no read may be pending.
    await pending?.catch(() => undefined);
  }
}

/** Reads the first chunk into a buffer of its own, and further chunks into two alternating buffers. */
class ChunkReader {
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
      this.#turn === 0 ? firstChunkLength(this.#source.size - this.#position) : CHUNK,
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

/** The position after skipped lines. */
export interface SkippedLines {
  readonly position: number;
  readonly lines: number;
  /** Whether skipping ended at bytes that cannot be text. */
  readonly isHole: boolean;
}

interface SkipOptions {
  readonly ends: LineEnds;
  /** End position. Default: the end of the file. */
  readonly until?: number;
  readonly signal: AbortSignal;
}

/** Skips lines from the start of a file. Stops at bytes that cannot be text, because a hole of a terabyte has no lines. */
export async function skipLines(source: Source, wanted: number, { ends, ...extent }: SkipOptions): Promise<SkippedLines> {
  let position = 0;
  let lines = 0;
  if (wanted === 0) return { position, lines, isHole: false };
  for await (const chunk of readChunks(source, extent)) {
    const end = skipLinesInBytes(chunk, wanted - lines, ends);
    if (end.lines === 0 && isHole(chunk)) return { position, lines, isHole: true };
    lines += end.lines;
    position += end.position;
    if (lines === wanted) break;
  }
  return { position, lines, isHole: false };
}
