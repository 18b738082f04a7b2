import { utimes } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles } from '../../fixtures/temporary.ts';
import { pagesOf, shareFiles, treeOf } from '../../fixtures/tree-of.ts';

interface Found {
  readonly matches: readonly { readonly path: string; readonly size?: number }[];
  readonly truncated: boolean;
  readonly nextCursor?: string;
}

const FILES = {
  'a.ts': '1',
  'src/b.ts': '4444',
  'src/deep/c.ts': '22',
  'src/deep/.d.ts': '',
  'src/e.md': '',
  'dist/f.ts': '55555',
};

async function search(session: Session, args: object): Promise<Found> {
  return (await session.call('search_files', { path: '.', pattern: '**', ...args })).structuredContent as Found;
}

async function namesOf(session: Session, args: object): Promise<readonly string[]> {
  return (await search(session, args)).matches.map((match) => path.basename(match.path));
}

describe.each(ERAS)('search_files on a %s connection', (era) => {
  const shared = shareFiles(FILES, {}, era);

  it.each([
    ['a glob', { pattern: '**/*.ts' }, ['a.ts', 'f.ts', 'b.ts', '.d.ts', 'c.ts']],
    ['a glob of the first level', { pattern: '*.ts' }, ['a.ts']],
    ['part of a name', { pattern: 'e' }, ['deep', 'e.md']],
    ['a type', { type: 'directory' }, ['dist', 'src', 'deep']],
    ['a smallest and a largest size', { minSize: 2, maxSize: 4 }, ['b.ts', 'c.ts']],
    ['entries that are not excluded', { pattern: '**/*.ts', excludePatterns: ['deep', 'dist/**'] }, ['a.ts', 'b.ts']],
    ['no hidden names', { pattern: '**/*.ts', hidden: false, sortBy: 'size' }, ['f.ts', 'b.ts', 'c.ts', 'a.ts']],
    ['the largest first', { pattern: '**/*.ts', sortBy: 'size', limit: 2 }, ['f.ts', 'b.ts']],
  ])('finds by %s', async (_, args, expected) => {
    const { session } = shared;
    expect(await namesOf(session, args)).toEqual(expected);
  });

  it.each([
    ['*.rs', 'No matches found; **/*.rs searches all levels'],
    ['**/*.rs', 'No matches found'],
    ['nothing', 'No matches found'],
  ])('reports whether it searched all levels if it found no match: %s', async (pattern, expected) => {
    const { session } = shared;
    expect(await session.text('search_files', { path: '.', pattern })).toBe(expected);
  });

  it('finds files modified after a time', async () => {
    const root = await treeOf(FILES);
    for (const name of ['a.ts', 'src/b.ts', 'src/deep/c.ts']) await utimes(path.join(root, name), 0, name === 'a.ts' ? 2e9 : 0);
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await namesOf(session, { modifiedAfter: '2030-01-01' })).toEqual(['a.ts']);
    expect(await session.fails('search_files', { path: '.', pattern: '**', modifiedAfter: 'soon' })).toContain(
      'modifiedAfter is not a valid date',
    );
  });

  it.each([
    ['in the order of the walk', {}],
    ['sorted', { sortBy: 'mtime' }],
  ])('continues after a page, %s', async (_, args) => {
    const { session } = shared;
    const whole = await namesOf(session, args);
    const pages = await pagesOf((cursor) => search(session, { limit: 2, ...args, ...cursor }));
    expect(pages.map(({ matches }) => matches.length)).toEqual([2, 2, 2, 2, 1]);
    expect(pages.flatMap(({ matches }) => matches.map((match) => path.basename(match.path)))).toEqual(whole);
    expect(pages.map(({ truncated }) => truncated)).toEqual([true, true, true, true, false]);
  });
});

describe('a search for names', () => {
  it('respects .gitignore files, also of directories above, unless gitignore is false', async () => {
    const root = await treeOf({
      '.git/x.ts': '',
      '.gitignore': 'dist\n*.gen.ts\n',
      'src/a.ts': '',
      'src/b.gen.ts': '',
      'src/dist/c.ts': '',
    });
    await using session = await connectFiles({ directories: [root] });
    expect(await namesOf(session, { pattern: '**/*.ts' })).toEqual(['a.ts']);
    expect(await namesOf(session, { pattern: '**/*.ts', path: 'src' })).toEqual(['a.ts']);
    expect(await namesOf(session, { pattern: '**/*.ts', path: 'src/dist' })).toEqual(['c.ts']);
    expect(await namesOf(session, { pattern: '**/*.ts', gitignore: false })).toEqual(['x.ts', 'a.ts', 'b.gen.ts', 'c.ts']);
    await using other = await connectFiles({ directories: [root], gitignore: 'off' });
    expect(await namesOf(other, { pattern: '**/*.ts' })).toHaveLength(4);
    expect(await namesOf(other, { pattern: '**/*.ts', gitignore: true })).toEqual(['a.ts']);
  });

  it('without matches says how many ignored entries were left out', async () => {
    const root = await treeOf({ '.gitignore': 'out\n*.log\n', 'out/a.txt': 'x', 'b.log': 'x', 'c.log': 'x', 'd.md': 'y' });
    await using session = await connectFiles({ directories: [root] });
    const hint = '3 ignored files or directories were left out, which gitignore: false includes';
    const names = await session.call('search_files', { path: '.', pattern: '**/*.txt' });
    expect(names.content).toMatchObject([{ text: `No matches found; ${hint}` }]);
    const one = { path: '.', pattern: '*.txt' };
    expect(await session.text('search_files', one)).toBe(`No matches found; **/*.txt searches all levels; ${hint}`);
    const found = await session.call('search_content', { path: '.', pattern: 'x' });
    expect(found.content).toMatchObject([{ text: `No matches found; ${hint}` }]);
    expect(await session.text('search_content', { path: '.', pattern: 'z', gitignore: false })).toBe('No matches found');
  });

  it('ignores rules above a repository', async () => {
    const root = await treeOf({ '.gitignore': '*.ts\n', 'repo/.git/HEAD': '', 'repo/src/a.ts': '' });
    await using session = await connectFiles({ directories: [root] });
    expect(await namesOf(session, { pattern: '**/*.ts', path: 'repo/src' })).toEqual(['a.ts']);
  });
});
