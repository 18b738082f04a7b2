import type { Encoding } from './encoding.ts';

/** Which lines are wanted. */
export type LineRange =
  | {
      readonly from: 'start';
      /** Lines to skip. */
      readonly offset: number;
      /** Bytes to skip of the line after them. */
      readonly skipBytes?: number | undefined;
      readonly limit: number | undefined;
    }
  | { readonly from: 'end'; readonly limit: number };

export const WHOLE_FILE: LineRange = { from: 'start', offset: 0, limit: undefined };

/** What a window may hold. */
export interface WindowOptions {
  readonly maxBytes: number;
  /** Longer lines are cut, and marked where. Default: only what is longer than the window is cut, without a mark. */
  readonly maxLineBytes?: number | undefined;
  /** Default: UTF-8. */
  readonly encoding?: Encoding;
  readonly signal: AbortSignal;
}

/** Part of a file, cut at line ends where that is possible. */
export interface Window {
  readonly bytes: Buffer;
  /** Where its first line begins in the source. */
  readonly position: number;
  /** 1-based number of the first line; unknown when read from the end of what is larger than the window. */
  readonly startLine: number | undefined;
  /** Lines in the window, a last one without newline included. */
  readonly lines: number;
  /** Lines of the source, where its end was seen and the number of the first line is known. */
  readonly totalLines: number | undefined;
  /** There is more in the asked direction than fitted into the budget or the limit. */
  readonly truncated: boolean;
  /** A line longer than the budget is not whole: the last one when reading from the start, else the first. */
  readonly cut: boolean;
  /** Lines that were cut because they were longer than `maxLineBytes`. */
  readonly cutLines: number;
  /** What to pass as `offset` to read on; only when reading from the start. */
  readonly nextOffset: number | undefined;
  /** Bytes of the line at `nextOffset` that are known; only where that line is cut. */
  readonly nextSkipBytes?: number;
}
