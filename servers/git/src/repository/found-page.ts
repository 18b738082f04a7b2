import type { GreppedLine } from './parse/grep.ts';
import { bytesOfPath } from './path-bytes.ts';

/** A line that matched: what comes after it is not known yet. */
export type FoundPosition = Pick<GreppedLine, 'path' | 'line'>;

/** As much of a line as is shown. */
const MAX_TEXT = 500;

/** What was found of a page that begins after a position. */
export class FoundPage {
  readonly #lines: GreppedLine[] = [];
  readonly #limit: number;
  readonly #maxBytes: number;
  readonly #after: FoundPosition | undefined;
  #matches = 0;
  #bytes = 0;

  constructor(limit: number, maxBytes: number, after: FoundPosition | undefined) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
    this.#after = after;
  }

  get matches(): number {
    return this.#matches;
  }

  /** There is more than the page holds. */
  get isFull(): boolean {
    return this.#matches > this.#limit || this.#bytes > this.#maxBytes;
  }

  add(line: GreppedLine): void {
    if (this.isFull || !isAfter(line, this.#after)) return;
    const text = line.text.replace(/\r$/, '').slice(0, MAX_TEXT);
    this.#lines.push({ ...line, text });
    const { path, ...shown } = { ...line, text };
    this.#bytes += Buffer.byteLength(JSON.stringify(path === this.#lines.at(-2)?.path ? shown : { path, lines: [shown] }));
    if (line.column !== undefined) this.#matches += 1;
  }

  /** What is shown, and where the next page begins if there is one. */
  page(contextLines: number): { readonly lines: readonly GreppedLine[]; readonly next?: FoundPosition } {
    const matching = this.#lines.filter(({ column }) => column !== undefined);
    // The match that was too much goes.
    const last = matching[Math.max(matching.length - 2, 0)];
    if (!this.isFull || last === undefined) return { lines: this.#lines };
    const lines = this.#lines.filter((line) => {
      const end = line.column === undefined ? last.line + contextLines : last.line;
      return line.path === last.path ? line.line <= end : isAfter(last, line);
    });
    return { lines, next: { path: last.path, line: last.line } };
  }
}

/** git shows files in the order of their bytes. */
function isAfter(one: FoundPosition, other: FoundPosition | undefined): boolean {
  if (other === undefined) return true;
  const order = Buffer.compare(bytesOfPath(one.path), bytesOfPath(other.path));
  return order === 0 ? one.line > other.line : order > 0;
}
