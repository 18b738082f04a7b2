import type { ObjectInfo } from '../parse/object-responses.ts';
import type { Repository } from '../repository.ts';

/** A range of lines of a file. */
export interface BlobLines {
  /** Complete lines with their line endings. */
  readonly content: Buffer;
  /** Number of lines in `content`. */
  readonly count: number;
  /** Number of lines in the file. */
  readonly total: number;
}

/** Limits for the lines to read. */
export interface LineRange {
  /** Number of the first line, from 1. */
  readonly from: number;
  readonly maxLines: number;
  /** Maximum size of all lines together, in bytes. */
  readonly maxBytes: number;
}

/**
 * Reads a range of lines of a file of any size. A file above the byte limit of the repository is read in chunks, and only the
 * lines of the range are kept in memory. Returns no lines if the first line of the range alone is larger than `maxBytes`.
 */
export async function readBlobLines(repository: Repository, blob: ObjectInfo, wanted: LineRange): Promise<BlobLines> {
  const lines = new LineWindow(wanted);
  const small = blob.size > repository.limits.maxBytes ? undefined : await repository.content(blob, blob.oid);
  if (small !== undefined) lines.feed(small.content);
  else await repository.read(['cat-file', 'blob', blob.oid], { onOutput: (chunk) => lines.feed(chunk), isEnough: () => false });
  return lines.finish();
}

class LineWindow {
  readonly #wanted: LineRange;
  readonly #lines: Buffer[] = [];
  #count = 0;
  #bytes = 0;
  #isFull = false;
  /** Chunks of the current line, whose end has not been read yet. */
  #pieces: Buffer[] = [];
  #number = 1;
  #isMidLine = false;

  constructor(wanted: LineRange) {
    this.#wanted = wanted;
  }

  feed(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      this.#take(chunk.subarray(start, end + 1));
      this.#endLine();
      start = end + 1;
    }
    if (start === chunk.length) return;
    this.#take(chunk.subarray(start));
    this.#isMidLine = true;
  }

  finish(): BlobLines {
    if (this.#isMidLine) this.#endLine();
    return { content: Buffer.concat(this.#lines), count: this.#count, total: this.#number - 1 };
  }

  #take(piece: Buffer): void {
    const { from, maxLines, maxBytes } = this.#wanted;
    if (this.#isFull || this.#number < from) return;
    this.#bytes += piece.length;
    this.#isFull = this.#number >= from + maxLines || this.#bytes > maxBytes;
    if (!this.#isFull) this.#pieces.push(piece);
  }

  #endLine(): void {
    if (!this.#isFull && this.#number >= this.#wanted.from) {
      this.#lines.push(...this.#pieces);
      this.#count += 1;
    }
    this.#pieces = [];
    this.#number += 1;
    this.#isMidLine = false;
  }
}
