import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { tarGzOf, zipOf } from '../../fixtures/archives.ts';
import { connectAll } from '../../fixtures/rewinds.ts';
import { temporaryDirectory } from '../../fixtures/temporary.ts';

const THREE = ['a', 'b', 'c'].map((name) => ({ name, content: 'x'.repeat(1000) }));
const ZEROS = '\0'.repeat(3_000_000);

describe('the limit', () => {
  it.each([
    [
      '--max-archive-entries',
      { maxArchiveEntries: 2 },
      THREE,
      'TOO_LARGE: the archive has more than 2 entries\nthe operator can raise',
    ],
    [
      '--max-archive-bytes',
      { maxArchiveBytes: 2500 },
      THREE,
      'TOO_LARGE: the contents of the archive have more than 2500 bytes\nthe operator can raise the limit with --max-archive-bytes',
    ],
    [
      '--max-archive-ratio',
      { maxArchiveRatio: 2 },
      [{ name: 'a', content: ZEROS }],
      'TOO_LARGE: the contents of the archive have more than 2 times its own size\nthe operator can raise the limit with --max-archive-ratio',
    ],
  ])('%s rejects a larger archive, listed or extracted', async (_, limits, entries, message) => {
    const root = await temporaryDirectory();
    for (const [name, archive] of [
      ['a.zip', zipOf(entries)],
      ['a.tar.gz', await tarGzOf(entries)],
    ] as const)
      await writeFile(path.join(root, name), archive);
    await using session = await connectAll(root, limits);
    for (const name of ['a.zip', 'a.tar.gz']) {
      expect(await session.fails('list_archive', { path: name })).toContain(message);
      expect(await session.fails('extract_archive', { path: name, destination: 'out' })).toContain(message);
    }
    expect((await readdir(root)).sort()).toEqual(['a.tar.gz', 'a.zip']);
  });

  it('--max-rewind-files limits the files in existing directories, but not in new ones', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'there'));
    await writeFile(path.join(root, 'a.zip'), zipOf(THREE));
    await using session = await connectAll(root, { maxRewindFiles: 2 });
    expect(await session.fails('extract_archive', { path: 'a.zip', destination: 'there' })).toContain(
      'TOO_LARGE: the archive would add 3 files and directories to existing directories; the limit is 2\nnothing was extracted; extract into a new directory',
    );
    expect(await session.text('extract_archive', { path: 'a.zip', destination: 'new' })).toContain('Extracted 3 files');
  });

  it('--max-journal-bytes rejects contents that the journal cannot store', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a.zip'), zipOf([{ name: 'a', content: 'x'.repeat(900_000) }]));
    await using session = await connectAll(root, { maxJournalBytes: 1_048_576 });
    expect(await session.fails('extract_archive', { path: 'a.zip', destination: 'new' })).toMatch(/^TOO_LARGE/);
    expect(await readdir(root)).toEqual(['a.zip']);
  });

  it('--max-bytes shortens a list', async () => {
    const root = await temporaryDirectory();
    await writeFile(
      path.join(root, 'a.zip'),
      zipOf(Array.from({ length: 100 }, (_, index) => ({ name: `file-${String(index)}` }))),
    );
    await using session = await connectAll(root, { maxBytes: 1024 });
    expect(await session.text('list_archive', { path: 'a.zip' })).toMatch(
      /\[100 entries, 0 bytes; continue with offset \d+\.\]$/,
    );
  });
});
