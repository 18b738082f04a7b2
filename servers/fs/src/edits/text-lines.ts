/** Converts between positions and line numbers of a text with `\n` line endings. The first line has the number 1. */
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

  /** Returns the start of a line, or `Infinity` after the last line. */
  lineStart(line: number): number {
    return this.#starts[line - 1] ?? Infinity;
  }

  /** Returns the end of a line, before its line break. */
  lineEnd(line: number): number {
    return this.lineStart(line) + (this.lines[line - 1]?.length ?? 0);
  }

  /** Returns the number of the line that contains a position. */
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
