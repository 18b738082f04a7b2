import { readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles } from '../../fixtures/temporary.ts';
import { pagesOf, shareFiles, treeOf } from '../../fixtures/tree-of.ts';

interface Found {
  readonly shown: string;
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  readonly files: readonly { readonly path: string; readonly count?: number }[];
  readonly stats: Readonly<Record<string, number>>;
  readonly truncated: boolean;
  readonly nextCursor?: string;
}

const FILES = {
  'a.ts': 'one\nneedle two\nthree\n',
  'src/b.md': 'Needle\nneedles needle\n',
  'src/c.ts': 'nothing\n',
  'src/deep/d.ts': 'x needle\ny needle\n',
  'image.bin': Buffer.from([0, 1, 2]),
};

async function search(session: Session, args: object = {}): Promise<Found> {
  const { structuredContent } = await session.call('search_content', { path: '.', pattern: 'needle', ...args });
  return structuredContent as Found;
}

async function placesOf(session: Session, args: object = {}): Promise<readonly string[]> {
  return (await search(session, args)).matches.map((match) => `${path.basename(match.path)}:${match.line}`);
}

describe.each(ERAS)('search_content on a %s connection', (era) => {
  const shared = shareFiles(FILES, {}, era);

  it.each([
    ['lines with a text', {}, ['a.ts:2', 'b.md:2', 'd.ts:1', 'd.ts:2']],
    ['a text in any letter case', { caseSensitive: false }, ['a.ts:2', 'b.md:1', 'b.md:2', 'd.ts:1', 'd.ts:2']],
    ['whole words', { word: true, pattern: 'needles' }, ['b.md:2']],
    ['a regular expression', { regex: true, pattern: '^[xy] ne+dle$' }, ['d.ts:1', 'd.ts:2']],
    ['a regular expression over lines', { regex: true, multiline: true, pattern: 'one.needle' }, ['a.ts:1']],
    ['text that would be an expression', { pattern: 'n.edle' }, []],
    ['included files', { include: ['*.ts'] }, ['a.ts:2', 'd.ts:1', 'd.ts:2']],
    ['not excluded files', { exclude: ['deep', '*.md'] }, ['a.ts:2']],
    ['at most n lines', { limit: 2 }, ['a.ts:2', 'b.md:2']],
  ])('finds %s', async (_, args, expected) => {
    const { session } = shared;
    expect(await placesOf(session, args)).toEqual(expected);
  });

  it('finds a file that another program replaces again and again', async () => {
    const root = await treeOf({ 'a.txt': 'needle' });
    await using session = await connectFiles({ directories: [root] }, era);
    let isOver = false;
    const replacing = (async () => {
      while (!isOver) {
        await writeFile(path.join(root, 'a.new'), 'needle');
        await rename(path.join(root, 'a.new'), path.join(root, 'a.txt'));
      }
    })();
    try {
      for (let count = 0; count < 100; count += 1) expect(await placesOf(session)).toContain('a.txt:1');
    } finally {
      isOver = true;
      await replacing;
    }
  });

  it('groups matches by file with context lines, and counts binary files', async () => {
    const { root, session } = shared;
    const result = await session.call('search_content', {
      path: '.',
      pattern: 'needle',
      before: 1,
      after: 1,
      include: ['a.*', '*.bin'],
    });
    expect(result.content).toEqual([
      { type: 'text', text: `${root}/a.ts\n1- one\n2: needle two\n3- three\n[1 binary file was not searched.]` },
    ]);
    expect(result.structuredContent).toEqual({
      shown: 'content',
      matches: [{ path: `${root}/a.ts`, line: 2, column: 1, text: 'needle two', before: ['one'], after: ['three'] }],
      files: [],
      stats: { files: 2, matches: 1, binary: 1, tooLarge: 0, unreadable: 0, ignored: 0 },
      truncated: false,
    });
  });

  it('shows each line once, even near several matches', async () => {
    const { root, session } = shared;
    const text = await session.text('search_content', { path: 'src/deep', pattern: 'needle', before: 1, after: 1 });
    expect(text).toBe(`${root}/src/deep/d.ts\n1: x needle\n2: y needle`);
  });

  it.each([
    ['the files', 'files', [undefined, undefined, undefined]],
    ['counts', 'count', [1, 1, 2]],
  ])('returns only %s', async (_, outputMode, counts) => {
    const { session } = shared;
    const { matches, files } = await search(session, { outputMode });
    expect(matches).toEqual([]);
    expect(files.map((file) => [path.basename(file.path), file.count])).toEqual(
      ['a.ts', 'b.md', 'd.ts'].map((name, index) => [name, counts[index]]),
    );
  });

  it('continues after a page, also inside a file', async () => {
    const { session } = shared;
    for (const limit of [1, 2, 3]) {
      const pages = await pagesOf((cursor) => search(session, { limit, ...cursor }));
      const found = pages.flatMap(({ matches }) => matches.map((match) => `${path.basename(match.path)}:${match.line}`));
      expect(found).toEqual(['a.ts:2', 'b.md:2', 'd.ts:1', 'd.ts:2']);
      expect(pages.map(({ truncated }) => truncated)).toEqual(pages.map((__, index) => index < pages.length - 1));
    }
    const files = await pagesOf((cursor) => search(session, { limit: 2, outputMode: 'count', ...cursor }));
    expect(files.map((page) => page.files.map(({ count }) => count))).toEqual([[1, 1], [2]]);
  });

  it('reports progress in files scanned', async () => {
    const names = Array.from({ length: 300 }, (_, number) => [`d${number % 7}/f${number}.txt`, 'text\n'.repeat(40)]);
    await using session = await connectFiles({ directories: [await treeOf(Object.fromEntries(names))] }, era);
    const { progress, result } = session.start('search_content', { path: '.', pattern: 'needle' });
    await result;
    expect(progress.all.at(-1)?.progress).toBe(300);
  });
});

describe('a content search', () => {
  const empty = shareFiles({});

  it('finds matches in many files in order, with several threads', async () => {
    const names = Array.from({ length: 400 }, (_, number) => `d${String(number % 20).padStart(2, '0')}/f${number}.txt`);
    const root = await treeOf(Object.fromEntries(names.map((name) => [name, `needle ${name}\n`])));
    await using session = await connectFiles({ directories: [root] });
    const pages = await pagesOf((cursor) => search(session, { limit: 33, ...cursor }));
    expect(pages.flatMap(({ matches }) => matches.map(({ text }) => text.slice(7)))).toEqual(names.toSorted());
    expect(pages.slice(0, -1).every(({ matches }) => matches.length === 33)).toBe(true);
  });

  it.each(['content', 'files', 'count'])('fills a page up to --max-bytes: %s', async (outputMode) => {
    const long = `needle ${'x'.repeat(300)}\n`;
    const names = Array.from({ length: 30 }, (_, number) => String(number).padStart(2, '0'));
    const root = await treeOf(Object.fromEntries(names.map((name) => [name, long.repeat(3)])));
    await using session = await connectFiles({ directories: [root], maxBytes: 1024 });
    const pages = await pagesOf((cursor) => search(session, { outputMode, ...cursor }));
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(JSON.stringify([page.matches, page.files]).length).toBeLessThan(1100);
    const found = pages.flatMap(({ matches, files }) => [
      ...matches.map(({ path: file, line }) => `${path.basename(file)}:${line}`),
      ...files.map(({ path: file }) => path.basename(file)),
    ]);
    expect(found).toEqual(outputMode === 'content' ? names.flatMap((name) => [1, 2, 3].map((line) => `${name}:${line}`)) : names);
  });

  it('rejects an invalid regular expression', async () => {
    const { session } = empty;
    expect(await session.fails('search_content', { path: '.', pattern: 'a(', regex: true })).toMatch(
      /^INVALID_ARGUMENTS: invalid pattern: Invalid regular expression: \/a\(\//,
    );
    expect(await session.fails('search_content', { path: '.', pattern: 'a', include: ['{a,b}'.repeat(20)] })).toContain(
      'more than 64',
    );
  });

  it.each([
    ['the mark of UTF-16, little endian,', Buffer.from('\ufeffone\r\nüber needle\r\n', 'utf16le')],
    ['the mark of UTF-16, big endian,', Buffer.from('\ufeffone\nüber needle\n', 'utf16le').swap16()],
    ['the mark of UTF-8', '\ufeffone\nüber needle\n'],
  ])('searches a file that begins with %s', async (_, content) => {
    await using session = await connectFiles({ directories: [await treeOf({ a: content })] });
    for (const args of [{ pattern: 'ber needle' }, { pattern: '^.ber', regex: true }, { pattern: 'ÜBER', caseSensitive: false }])
      expect((await search(session, args)).matches).toMatchObject([{ line: 2, text: 'über needle' }]);
  });

  it('finds only ASCII in legacy encodings, and treats UTF-16 without a byte order mark as binary', async () => {
    const root = await treeOf({ a: Buffer.from('needle ü', 'latin1'), b: Buffer.from('needle', 'utf16le') });
    await using session = await connectFiles({ directories: [root] });
    expect((await search(session)).matches).toMatchObject([{ line: 1, text: 'needle \ufffd' }]);
    expect(await search(session, { pattern: 'ü' })).toMatchObject({ matches: [], stats: { binary: 1 } });
  });

  it('reports that nothing was found', async () => {
    const { session } = empty;
    expect(await session.text('search_content', { path: '.', pattern: 'needle' })).toBe('No matches found');
  });

  it('skips files that are too large for a multiline search', async () => {
    const root = await treeOf({ large: Buffer.alloc(16_777_217, 'needle\n'), small: 'a\nneedle' });
    await using session = await connectFiles({ directories: [root] });
    const { matches, stats } = await search(session, { pattern: 'a.needle', regex: true, multiline: true });
    expect([matches.length, stats['tooLarge']]).toEqual([1, 1]);
  });

  it('is limited by --max-matches', async () => {
    await using session = await connectFiles({ directories: [await treeOf(FILES)], maxMatches: 1 });
    expect(await search(session, { limit: 100 })).toMatchObject({ truncated: true, matches: { length: 1 } });
  });
});

describe('a search in a file', () => {
  const TREE = {
    '.gitignore': 'lines*\n',
    'lines[1].txt': 'needle\n',
    'lines1.txt': 'needle\n',
    'sub/lines[1].txt': 'needle\n',
    '.hidden/x': 'needle\n',
  };

  it.each(['lines[1].txt', 'link'])('finds only the lines of that file, even if it is ignored: %s', async (given) => {
    const root = await treeOf(TREE);
    await symlink('lines[1].txt', path.join(root, 'link'));
    await using session = await connectFiles({ directories: [root], hidden: false });
    const text = await session.text('search_content', { path: given, pattern: 'needle' });
    expect(text.split('\n')).toEqual([path.join(root, 'lines[1].txt'), '1: needle']);
    expect(await session.text('search_content', { path: '.hidden/x', pattern: 'needle' })).toContain('1: needle');
    expect(await session.fails('search_content', { path: `${given}/x`, pattern: 'needle' })).toMatch(/^NOT_/);
  });

  it('is replaced by replace_in_files only in that file', async () => {
    const root = await treeOf(TREE);
    await using session = await connectFiles({ directories: [root] });
    await session.text('replace_in_files', { path: 'lines[1].txt', pattern: 'needle', replacement: 'pin', exclude: ['*.txt'] });
    const texts = ['lines[1].txt', 'lines1.txt', 'sub/lines[1].txt'].map((name) => readFile(path.join(root, name), 'utf8'));
    expect(await Promise.all(texts)).toEqual(['pin\n', 'needle\n', 'needle\n']);
  });
});
