import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';

/** Returns a line without any letter of the searched text. */
function lineOf(index: number): string {
  return Array.from({ length: 200 }, (_, place) =>
    String.fromCharCode(97 + ((index * 7 + place * ((index % 13) + 1)) % 26)),
  ).join('');
}

const TEXT = Array.from({ length: 20_000 }, (_, index) => lineOf(index)).join('\n');
const MISSING = 'QWERTYUIOP'.repeat(20);
const AT_ONCE = 10;

/**
 * Maximum CPU time of the main thread in milliseconds. Ten calls take about 3,200 ms if the main thread compares the lines, and
 * otherwise about 400 ms.
 */
const OCCUPIED_MS = 1500;

/** Returns the CPU time of the calling thread in milliseconds. The delay of its event loop would depend on other processes. */
function threadTime(): number {
  // Fields 14 and 15, in ticks of 10 ms. The program name, which may contain any character, ends before the last parenthesis.
  const fields = readFileSync('/proc/thread-self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

describe('an edit whose text does not occur in a large file', () => {
  it.runIf(process.platform === 'linux')(
    'does not block the event loop by the search for the closest lines, ten times at once',
    async () => {
      const root = await temporaryDirectory();
      const file = path.join(root, 'f.txt');
      await writeFile(file, TEXT);
      await using session = await connectFiles({ directories: [root] });
      const before = threadTime();
      const edits = [{ oldText: MISSING, newText: 'x' }];
      const texts = await Promise.all(Array.from({ length: AT_ONCE }, () => session.fails('edit_file', { path: file, edits })));
      const occupied = threadTime() - before;
      for (const text of texts) expect(text).toMatch(/^NO_MATCH/);

      expect(occupied).toBeLessThan(OCCUPIED_MS);
    },
  );

  it('fails with the most similar lines', async () => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'f.txt');
    await writeFile(file, TEXT.replace(lineOf(777), `${MISSING.slice(0, 150)}!`));
    await using session = await connectFiles({ directories: [root] });
    const text = await session.fails('edit_file', { path: file, edits: [{ oldText: MISSING, newText: 'x' }] });
    expect(text).toMatch(/^NO_MATCH: .*\nthe most similar text is line \d+: line \d+ is "QWERTYUIOP/);
  });
});
