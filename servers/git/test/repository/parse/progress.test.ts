import { describe, expect, it } from 'vitest';

import { ProgressReader } from '../../../src/repository/parse/progress.ts';

const STDERR = [
  'Cloning into ".".\n',
  'remote: Enumerating objects: 9, done.        \n',
  'remote: Counting objects:  50% (5/10)        \rremote: Counting objects: 100% (10/10), done.        \n',
  'remote: welcome\r\n',
  'Receiving objects:  50% (1/2)\rReceiving objects: 100% (2/2), 1.20 MiB | 2.00 MiB/s, done.\n',
  'remote: Fetching secrets: 100% (2/2)\n',
  'fatal: the end',
].join('');

function read(chunks: readonly string[]): { readonly reader: ProgressReader; readonly reports: readonly string[] } {
  const reports: string[] = [];
  const reader = new ProgressReader((hundredths, words) => void reports.push(`${hundredths} ${words}`));
  for (const chunk of chunks) reader.feed(chunk);
  return { reader, reports };
}

describe('the stderr of a transfer', () => {
  it.each([
    ['at once', [STDERR]],
    ['character by character', [...STDERR]],
  ])('yields progress, messages of the remote and messages of git if it arrives %s', (_, chunks) => {
    const { reader, reports } = read(chunks);
    expect(reports).toEqual([
      '2.5 Counting objects: 5 of 10',
      '5 Counting objects: 10 of 10',
      '45 Receiving objects: 1 of 2',
      '80 Receiving objects: 2 of 2',
    ]);
    expect(reader.messages).toEqual(['welcome', 'Fetching secrets: 100% (2/2)']);
    expect(reader.ownOutput).toBe('Cloning into ".".\nfatal: the end');
  });

  it('is truncated if it has endless lines or too many lines', () => {
    const { reader } = read(['x'.repeat(100_000), ...Array.from({ length: 10_000 }, () => 'remote: again\n'), 'error: y']);
    expect(reader.ownOutput.length).toBeLessThan(1000);
    expect(reader.messages.length).toBe(50);
  });
});
