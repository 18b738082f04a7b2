import { symlink, utimes } from 'node:fs/promises';
import path from 'node:path';

import { connect, ERAS, type Era, type Session } from '@org/mcp-testing';
import { beforeAll, describe, expect, it } from 'vitest';

import type { FilesystemOptions } from '../../../src/index.ts';
import { connectFiles, serverFor, temporaryDirectory } from '../../fixtures/temporary.ts';
import { pagesOf, shareFiles, treeOf, type Shared } from '../../fixtures/tree-of.ts';

interface Listing {
  readonly entries: readonly { readonly name: string; readonly size?: number; readonly target?: string }[];
  readonly total: number;
  readonly nextCursor?: string;
}

async function list(session: Session, args: object = {}, tool = 'list_directory'): Promise<Listing> {
  const { structuredContent } = await session.call(tool, { path: '.', ...args });
  return structuredContent as Listing;
}

async function namesOf(session: Session, args: object): Promise<readonly string[]> {
  return (await list(session, args)).entries.map(({ name }) => name);
}

function shareScene(given: Partial<FilesystemOptions> = {}, era?: Era): Shared {
  const shared = shareFiles({ 'b.txt': '22', 'a.md': '1', 'c.txt': '333', '.hidden': '', 'zoo/': '' }, given, era);
  beforeAll(async () => {
    for (const [index, name] of ['zoo', 'c.txt', 'a.md', 'b.txt', '.hidden'].entries())
      await utimes(path.join(shared.root, name), 1e6, 1e6 - index);
  });
  return shared;
}

describe('a client without structured content', () => {
  const shared = shareScene();
  beforeAll(() => symlink('a.md', path.join(shared.root, 'link')));

  it.each(['list_directory', 'list_directory_with_sizes'])('gets the same text from %s as other clients', async (tool) => {
    await using session = await connect(serverFor({ directories: [shared.root] }), { structured: 'never' });
    const text = await session.text(tool, { path: shared.root });
    expect(text).toBe(await shared.session.text(tool, { path: shared.root }));
    expect(text).toContain('[LINK] link');
  });
});

describe.each(ERAS)('list_directory on a %s connection', (era) => {
  const shared = shareScene({}, era);

  it.each([
    ['by name', {}, ['.hidden', 'a.md', 'b.txt', 'c.txt', 'zoo']],
    ['the largest first', { sortBy: 'size' }, ['c.txt', 'b.txt', 'a.md', '.hidden', 'zoo']],
    ['the latest first', { sortBy: 'mtime' }, ['zoo', 'c.txt', 'a.md', 'b.txt', '.hidden']],
    ['directories first', { sortBy: 'type' }, ['zoo', '.hidden', 'a.md', 'b.txt', 'c.txt']],
    ['without hidden names', { hidden: false }, ['a.md', 'b.txt', 'c.txt', 'zoo']],
    ['by glob', { pattern: '*.txt' }, ['b.txt', 'c.txt']],
    ['by part of a name', { pattern: 'oo' }, ['zoo']],
  ])('lists %s', async (_, args, expected) => {
    const { session } = shared;
    expect(await namesOf(session, args)).toEqual(expected);
  });

  it('continues after a page', async () => {
    const { session } = shared;
    const pages = await pagesOf((cursor) => list(session, { sortBy: 'size', limit: 2, ...cursor }));
    expect(pages.map(({ entries }) => entries.map(({ name }) => name))).toEqual([
      ['c.txt', 'b.txt'],
      ['a.md', '.hidden'],
      ['zoo'],
    ]);
    expect(pages.every(({ total }) => total === 5)).toBe(true);
  });

  it('formats sizes and their total like the reference', async () => {
    await using session = await connectFiles({ directories: [await treeOf({ 'a.txt': 'x'.repeat(1536), 'dir/': '' })] }, era);
    expect(await session.text('list_directory_with_sizes', { path: '.', sortBy: 'size' })).toBe(
      [
        `[FILE] ${'a.txt'.padEnd(30)}    1.50 KB`,
        `[DIR] ${'dir'.padEnd(30)} `,
        '',
        'Total: 1 files, 1 directories',
        'Combined size: 1.50 KB',
      ].join('\n'),
    );
  });
});

describe('a listing', () => {
  const shared = shareScene();
  const unhidden = shareScene({ hidden: false });

  it('adds up the sizes of all entries, not only of the page', async () => {
    const { session } = shared;
    const text = await session.text('list_directory_with_sizes', { path: '.', limit: 1 });
    const [, cursor] =
      /\n\nTotal: 4 files, 1 directories\nCombined size: 6 B\n\[1 of 5 entries are shown; continue with cursor (\S+)\.\]$/.exec(
        text,
      ) ?? [];
    expect(await session.text('list_directory_with_sizes', { path: '.', limit: 2, cursor })).toMatch(
      /\n\[2 more of 5 entries are shown; continue with cursor \S+\.\]$/,
    );
  });

  it('of many entries has the facts of each, and the sum of all sizes on every page', async () => {
    const names = Array.from({ length: 2500 }, (_, index) => `f${String(index).padStart(4, '0')}`);
    const root = await treeOf(Object.fromEntries(names.map((name, index) => [name, 'x'.repeat(index % 7)])));
    await symlink('f0000', path.join(root, 'link'));
    await using session = await connectFiles({ directories: [root], maxEntries: 5000, maxBytes: 1_048_576 });
    const { entries } = await list(session);
    const time = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    expect(entries).toEqual([
      ...names.map((name, index) => ({ name, type: 'file', size: index % 7, mtime: time })),
      { name: 'link', type: 'symlink', mtime: time, target: 'f0000' },
    ]);
    expect((await pagesOf((cursor) => list(session, { limit: 1700, ...cursor }))).flatMap((page) => page.entries)).toEqual(
      entries,
    );
    const bytes = names.reduce((sum, _, index) => sum + (index % 7), 0);
    for (const limit of [100, 2000, 5000]) {
      const text = await session.text('list_directory_with_sizes', { path: '.', limit });
      expect(text).toContain(`Total: 2501 files, 0 directories\nCombined size: ${(bytes / 1024).toFixed(2)} KB`);
    }
  });

  it('shows the target of a link only if it is inside', async () => {
    const root = await treeOf({ 'a.txt': '', 'dir/b.txt': '' });
    const other = await temporaryDirectory();
    await symlink('a.txt', path.join(root, 'inside'));
    await symlink(path.join(root, 'dir'), path.join(root, 'absolute'));
    await symlink(path.join(other, 'secret'), path.join(root, 'outside'));
    await symlink('../elsewhere', path.join(root, 'relative'));
    await using session = await connectFiles({ directories: [root] });
    const targets = (await list(session, { pattern: '{absolute,inside,outside,relative}' })).entries.map(({ target }) => target);
    expect(targets).toEqual([path.join(root, 'dir'), 'a.txt', undefined, undefined]);
    expect(JSON.stringify(await session.call('list_directory', { path: '.' }))).not.toContain(other);
  });

  it('respects .gitignore with --gitignore all', async () => {
    const root = await treeOf({
      '.gitignore': '*.log\nbuild/\n',
      'a.log': '',
      'a.ts': '',
      'build/x': '',
      'sub/b.log': '',
      'sub/b.ts': '',
    });
    await using session = await connectFiles({ directories: [root], gitignore: 'all' });
    expect(await namesOf(session, {})).toEqual(['.gitignore', 'a.ts', 'sub']);
    expect(await namesOf(session, { path: 'sub' })).toEqual(['b.ts']);
    expect(await namesOf(session, { path: 'build' })).toEqual(['x']);
  });

  it('omits hidden names with --no-hidden', async () => {
    const { session } = unhidden;
    expect(await namesOf(session, {})).toEqual(['a.md', 'b.txt', 'c.txt', 'zoo']);
    expect(await namesOf(session, { hidden: true })).toContain('.hidden');
  });

  it.each([
    ['of other arguments', { sortBy: 'mtime' }, /the cursor belongs to other arguments\n/],
    ['of another directory', { path: 'zoo' }, /the cursor belongs to other arguments\n/],
    ['that is invalid', { cursor: 'abc' }, /the cursor is unknown/],
  ])('rejects a cursor %s', async (_, args, message) => {
    const { session } = shared;
    const { nextCursor: cursor } = await list(session, { limit: 1 });
    expect(await session.fails('list_directory', { path: '.', limit: 1, cursor, ...args })).toMatch(message);
  });
});
