/** The lines, from 1, of the markers around one conflict. */
export interface MarkedLines {
  readonly start_line: number;
  readonly end_line: number;
}

const MAX_RANGES = 100;

/** Where a file is marked as git marks conflicts, with seven characters; at most 100 places. */
export function markedRanges(text: string): readonly MarkedLines[] {
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
