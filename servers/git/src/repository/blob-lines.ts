import type { ObjectInfo } from './parse/object-answers.ts';
import type { Repository } from './repository.ts';

/** Lines of a file from one on. */
export interface BlobLines {
  /** Whole lines, with their ends. */
  readonly content: Buffer;
  /** As many as those are. */
  readonly count: number;
  /** Lines of the file. */
  readonly total: number;
}

/** Which lines are wanted. */
export interface WantedLines {
  /** From 1. */
  readonly from: number;
  readonly most: number;
  /** Of all of them. */
  readonly maxBytes: number;
}

/** Reads lines of a file of any size, of which no more than those is kept; none where the first one alone is larger than `maxBytes`. */
export async function readLines(repository: Repository, blob: ObjectInfo, wanted: WantedLines): Promise<BlobLines> {
  const lines = new LineWindow(wanted);
  const small = blob.size > repository.limits.maxBytes ? undefined : await repository.content(blob, blob.oid);
  if (small !== undefined) lines.feed(small.content);
  else await repository.read(['cat-file', 'blob', blob.oid], { onOutput: (chunk) => lines.feed(chunk), isEnough: () => false });
  return lines.finish();
}

class LineWindow {
  readonly #wanted: WantedLines;
  readonly #lines: Buffer[] = [];
  #count = 0;
  #bytes = 0;
  #isFull = false;
  /** Of the line that is being read. */
  #pieces: Buffer[] = [];
  #number = 1;
  #isMidLine = false;

  constructor(wanted: WantedLines) {
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
    const { from, most, maxBytes } = this.#wanted;
    if (this.#isFull || this.#number < from) return;
    this.#bytes += piece.length;
    this.#isFull = this.#number >= from + most || this.#bytes > maxBytes;
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
