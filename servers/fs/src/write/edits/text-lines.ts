/** The lines of a text whose lines end with `\n`, by their numbers, which begin at 1. */
export class TextLines {
  readonly lines: readonly string[];
  readonly #starts: number[] = [];

  constructor(text: string) {
    this.lines = text.split('\n');
    let start = 0;
    for (const line of this.lines) {
      this.#starts.push(start);
      start += line.length + 1;
    }
  }

  /** Where a line begins; for one behind the last, behind the text. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? Infinity;
  }

  /** Where a line ends, before its line end. */
  endOf(line: number): number {
    return this.startOf(line) + (this.lines[line - 1]?.length ?? 0);
  }

  /** The line of a position. */
  lineAt(position: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? Infinity) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
