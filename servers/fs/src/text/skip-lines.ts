import { endOfLines, isHole, type LineEnds } from './line-ends.ts';
import { readAhead } from './read-ahead.ts';
import type { Source } from './source.ts';

/** What lies behind lines that were skipped. */
export interface Skipped {
  readonly position: number;
  readonly lines: number;
  /** It ended at what cannot be text. */
  readonly isHole: boolean;
}

interface Skipping {
  readonly ends: LineEnds;
  /** Where to stop, if that comes before. Default: the end. */
  readonly until?: number;
  readonly signal: AbortSignal;
}

/** Skips lines from the start of a source. What is not text is not skipped: a hole of a terabyte has no lines. */
export async function skipLines(source: Source, wanted: number, { ends, ...extent }: Skipping): Promise<Skipped> {
  let position = 0;
  let lines = 0;
  if (wanted === 0) return { position, lines, isHole: false };
  for await (const chunk of readAhead(source, extent)) {
    const end = endOfLines(chunk, wanted - lines, ends);
    if (end.lines === 0 && isHole(chunk)) return { position, lines, isHole: true };
    lines += end.lines;
    position += end.position;
    if (lines === wanted) break;
  }
  return { position, lines, isHole: false };
}
