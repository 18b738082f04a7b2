/** Numbers of the first and last line of a conflict with markers, from 1. */
export interface MarkedLines {
  readonly start_line: number;
  readonly end_line: number;
}

const MAX_RANGES = 100;

/** Finds conflict markers of seven characters in a file; at most 100 conflicts. */
export function findMarkedRanges(text: string): readonly MarkedLines[] {
  const ranges: MarkedLines[] = [];
  let start: number | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith('<<<<<<< ')) start = index + 1;
    if (start === undefined || !line.startsWith('>>>>>>> ')) continue;
    ranges.push({ start_line: start, end_line: index + 1 });
    start = undefined;
    if (ranges.length === MAX_RANGES) break;
  }
  return ranges;
}
