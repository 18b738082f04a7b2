import { describe, expect, it } from 'vitest';

import { MergedBatches, type SearchedBatch } from '../../src/search/merged-batches.ts';
import type { ContentSummary } from '../../src/search/search-content.ts';

const LINE = { line: 1, column: 1, text: 'x' };
const WALKED = { end: 'complete', scanned: 9, unreadable: 3, ignored: 4 } as const;

/** Returns a batch of files with one match each. */
function batch(files: readonly string[], summary: Partial<ContentSummary> = {}): SearchedBatch {
  const resume = { path: files.at(-1) ?? '', skip: Number.MAX_SAFE_INTEGER };
  return {
    items: files.map((relative) => ({ relative, count: 1, lines: [LINE] })),
    summary: { end: 'complete', files: files.length, binary: 0, tooLarge: 0, unreadable: 0, resume, ...summary },
    leftOut: { unreadable: 1, ignored: 2 },
  };
}

function mergedOf(limit: number): MergedBatches {
  return new MergedBatches({ mode: 'content', limit, resume: undefined });
}

describe('merged batches', () => {
  it('are in the order of the walk, whichever finishes first', () => {
    const merged = mergedOf(10);
    for (const index of [2, 0, 1]) merged.add(index, batch([`${index}.txt`]));
    const { items, summary } = merged.toOutcome(WALKED);
    expect(items.map(({ relative }) => relative)).toEqual(['0.txt', '1.txt', '2.txt']);
    expect(summary).toMatchObject({ end: 'complete', files: 3, unreadable: 3, ignored: 4, resume: undefined });
  });

  it('contain nothing after the first unfinished batch, from which the next page continues', () => {
    const merged = mergedOf(10);
    merged.add(0, batch(['a.txt']));
    merged.add(2, batch(['c.txt']));
    const { items, summary } = merged.toOutcome(undefined);
    expect(items.map(({ relative }) => relative)).toEqual(['a.txt']);
    expect(summary).toMatchObject({ end: 'time', files: 1, unreadable: 1, ignored: 2, resume: { path: 'a.txt' } });
  });

  it('are final with one match more than the limit, which begins the next page', () => {
    const merged = mergedOf(3);
    merged.add(0, batch(['a.txt', 'b.txt']));
    expect(merged.isFinal).toBe(false);
    merged.add(1, batch(['c.txt', 'd.txt']));
    expect(merged.isFinal).toBe(true);
    const { items, summary } = merged.toOutcome(undefined);
    expect(items.map(({ relative }) => relative)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(summary).toMatchObject({ end: 'limit', resume: { path: 'd.txt', skip: 0 } });
  });

  it('are final with a batch that reached the limit by itself', () => {
    const merged = mergedOf(1);
    merged.add(0, batch(['a.txt'], { end: 'limit', resume: { path: 'b.txt', skip: 0 } }));
    expect(merged.isFinal).toBe(true);
    expect(merged.toOutcome(undefined).summary).toMatchObject({ end: 'limit', resume: { path: 'b.txt', skip: 0 } });
  });

  it('without any searched batch continue where the page began', () => {
    const resume = { path: 'a.txt', skip: 2 };
    const merged = new MergedBatches({ mode: 'content', limit: 1, resume });
    expect(merged.toOutcome(undefined)).toMatchObject({ items: [], summary: { end: 'time', files: 0, resume } });
  });
});
