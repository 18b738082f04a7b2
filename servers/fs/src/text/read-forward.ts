import { lineEndsOf, countLines, endsLine } from './line-ends.ts';
import { readAhead } from './read-ahead.ts';
import { skipLines } from './skip-lines.ts';
import type { Source } from './source.ts';
import { WantedLines } from './wanted-lines.ts';
import type { LineRange, Window, WindowOptions } from './window.ts';

/** Reads lines of a source after those before an offset. */
export async function readForward(
  source: Source,
  { offset, limit = Number.POSITIVE_INFINITY }: Extract<LineRange, { readonly from: 'start' }>,
  { maxBytes, maxLineBytes, encoding = 'utf-8', signal }: WindowOptions,
): Promise<Window> {
  const ends = lineEndsOf(encoding);
  const { position, lines: skipped } = await skipLines(source, offset, { ends, signal });
  const found = new WantedLines({ limit, maxBytes, maxLineBytes, encoding });
  for await (const chunk of readAhead(source, { from: position, until: position + found.reach, signal })) {
    if (!found.add(chunk)) break;
  }
  const bytes = found.finish();
  const { hasMore, cutLines } = found;
  const lines = countLines(bytes, ends);
  return {
    bytes,
    position,
    startLine: skipped + 1,
    lines,
    totalLines: hasMore ? undefined : skipped + lines,
    truncated: hasMore,
    cut: found.isOver && !endsLine(bytes, ends),
    cutLines,
    nextOffset: hasMore ? skipped + lines : undefined,
  };
}
