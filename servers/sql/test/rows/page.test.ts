import { describe, expect, it } from 'vitest';

import { FORMAT_NAMES } from '../../src/rows/format.ts';
import { Page, type PageLimits } from '../../src/rows/page.ts';

function pageWith(limits: Partial<PageLimits>): Page {
  return new Page({ maxRows: 100, maxBytes: 1024, format: 'csv', keepRows: false, ...limits });
}

describe('a page of rows', () => {
  it.each(FORMAT_NAMES)('stays within its limit with its head, as %s', (format) => {
    const page = pageWith({ format });
    while (page.add(['some text', null, 'more'])) {
      // Rows are added until the limit is reached.
    }
    const text = page.text(['a', 'b'.repeat(300), 'c']);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
    expect(page.truncated).toBe('bytes');
    expect(page.count).toBeGreaterThan(5);
  });

  it('stays within its limit as JSON, if it keeps the rows', () => {
    const page = pageWith({ keepRows: true });
    while (page.add(['"', '"'])) {
      // The value takes four bytes as CSV and as JSON, but a row as JSON also needs brackets.
    }
    expect(Buffer.byteLength(JSON.stringify(page.rows))).toBeLessThanOrEqual(1024);
    expect(page.rows).toHaveLength(page.count);
  });

  it('cuts the values of a first row that is too long, so that a caller can always continue', () => {
    const page = pageWith({});
    expect(page.add(['x'.repeat(900), 'y'.repeat(900), '1'])).toBe(true);
    expect(page.add(['2', '2', '2'])).toBe(true);
    const text = page.text(['a', 'b', 'c']);
    expect(text).toMatch(/^a,b,c\nx+… \[cut from 900 bytes\],y+… \[cut from 900 bytes\],1\n2,2,2\n$/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
    expect(page.cutValues).toBe(2);
    expect(page.truncated).toBeUndefined();
  });

  it('cuts the values of a single row further, so that its head fits too', () => {
    const page = pageWith({});
    expect(page.add(['x'.repeat(900), 'y'.repeat(900)])).toBe(true);
    const text = page.text(['a'.repeat(300), 'b'.repeat(300)]);
    expect(text).toMatch(/^a{300},b{300}\nx+… \[cut from 900 bytes\],y+… \[cut from 900 bytes\]\n$/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
  });

  it('has no row if its head alone is too long, and cuts the head', () => {
    const page = pageWith({});
    expect(page.add(['1'])).toBe(true);
    const text = page.text(['a'.repeat(2000)]);
    expect(text).toMatch(/^a+… \[cut from 2001 bytes\]$/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
    expect([page.count, page.truncated]).toEqual([0, 'bytes']);
  });

  it('does not cut the values of a later row, which the next page begins with', () => {
    const page = pageWith({});
    expect(page.add(['1'])).toBe(true);
    expect(page.add(['x'.repeat(2000)])).toBe(false);
    expect([page.count, page.truncated]).toEqual([1, 'bytes']);
  });

  it('has no row if the first row has too many values', () => {
    const page = pageWith({});
    expect(page.add(Array.from({ length: 2000 }, () => 'x'))).toBe(false);
    expect([page.count, page.truncated]).toEqual([0, 'bytes']);
  });
});

describe('the values of a page', () => {
  it('are kept for a view as long as the text is short, and otherwise only on request', () => {
    const row = ['x'.repeat(50), null];
    for (const [limits, kept] of [
      [{}, [[], [], []]],
      [{ maxViewedBytes: 60 }, [row, row, []]],
      [{ keepRows: true }, [row, row, row]],
    ] as const) {
      const page = pageWith(limits);
      for (let index = 0; index < 3; index += 1) page.add(row);
      expect(page.rows).toEqual(kept);
    }
  });
});
