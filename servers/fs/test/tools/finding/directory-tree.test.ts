import { symlink } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles } from '../../fixtures/temporary.ts';
import { pagesOf, shareFiles, treeOf } from '../../fixtures/tree-of.ts';

const FILES = { 'a/b/c/d.txt': '', 'a/x.txt': '', 'b/y.txt': '', 'c.txt': '', 'node_modules/m/i.js': '' };

interface Facts {
  readonly entries: number;
  readonly truncated: boolean;
  readonly nextCursor?: string;
}

async function tree(session: Session, args: object = {}): Promise<Facts & { readonly text: string; readonly note: string }> {
  const { content, _meta } = await session.call('directory_tree', { path: '.', ...args });
  const [block] = content;
  const [, text = '', note = ''] = /^(.*?)(?:\n?\[([^\n]*)\])?$/s.exec(block?.type === 'text' ? block.text : '') ?? [];
  return { ...(_meta as unknown as Facts), text, note };
}

describe.each(ERAS)('directory_tree on a %s connection', (era) => {
  const shared = shareFiles(FILES, {}, era);

  it('returns the JSON of the reference server after a title, if requested', async () => {
    const root = await treeOf({ 'src/a.ts': '', 'src/deep/': '', 'README.md': '' });
    await using session = await connectFiles({ directories: [root] }, era);
    const { content } = await session.call('directory_tree', { path: '.', format: 'json' });
    const [, json = ''] = /^Tree:\n(.*)$/s.exec(content[0]?.type === 'text' ? content[0].text : '') ?? [];
    expect(JSON.parse(json)).toEqual([
      { name: 'README.md', type: 'file' },
      {
        name: 'src',
        type: 'directory',
        children: [
          { name: 'a.ts', type: 'file' },
          { name: 'deep', type: 'directory', children: [] },
        ],
      },
    ]);
  });

  it('shows three levels and marks incomplete directories', async () => {
    const { session } = shared;
    expect((await tree(session, { excludePatterns: ['node_modules'] })).text).toBe(
      'a/\n  b/\n    c/ …\n  x.txt\nb/\n  y.txt\nc.txt',
    );
    expect((await tree(session, { maxDepth: 1 })).text).toBe('a/ …\nb/ …\nc.txt\nnode_modules/ …');
    expect((await tree(session, { maxDepth: 4, path: 'a' })).text).toBe('b/\n  c/\n    d.txt\nx.txt');
  });

  it('cuts the deepest entries, and continues from there', async () => {
    const { session } = shared;
    const pages = await pagesOf((cursor) => tree(session, { maxDepth: 9, maxEntries: 5, ...cursor }));
    expect(pages.map(({ text }) => text)).toEqual([
      'a/ …\n  b/ …\nb/ …\nc.txt\nnode_modules/ …',
      'a/\n  x.txt\n  b/\n    c/ …\nb/\n  y.txt\nnode_modules/\n  m/\n    i.js',
      'a/\n  b/\n    c/\n      d.txt',
    ]);
    expect(pages[0]?.note).toMatch(/^5 entries are shown; continue with cursor /);
    expect(pages.map(({ entries, truncated }) => [entries, truncated])).toEqual([
      [5, true],
      [5, true],
      [1, false],
    ]);
  });
});

describe('a tree', () => {
  it('shows links and does not follow them', async () => {
    const root = await treeOf({ 'a/b.txt': '' });
    await symlink('a', path.join(root, 'link'));
    await symlink('.', path.join(root, 'loop'));
    await using session = await connectFiles({ directories: [root] });
    expect((await tree(session, { maxDepth: 99 })).text).toBe('a/\n  b.txt\nlink\nloop');
  });

  it('reports that a directory is empty', async () => {
    await using session = await connectFiles({ directories: [await treeOf({ '.git/config': '' })] });
    expect(await session.text('directory_tree', { path: '.' })).toBe('[The directory is empty.]');
  });

  it('omits .git and ignored files, unless a call or the operator includes them', async () => {
    const root = await treeOf({
      '.gitignore': 'dist\n',
      '.git/config': '',
      'dist/x': '',
      'a/dist/y': '',
      'a/.gitignore': '!dist\n',
    });
    await using session = await connectFiles({ directories: [root] });
    expect((await tree(session)).text).toBe('.gitignore\na/\n  .gitignore\n  dist/\n    y');
    const all = '.git/ …\n.gitignore\na/ …\ndist/ …';
    expect((await tree(session, { gitignore: false, maxDepth: 1 })).text).toBe(all);
    expect((await tree(session, { gitignore: false, hidden: false, maxDepth: 1 })).text).toBe('a/ …\ndist/ …');
    await using other = await connectFiles({ directories: [root], gitignore: 'off' });
    expect((await tree(other, { maxDepth: 1 })).text).toBe(all);
  });

  it.each(['compact', 'json'])('has at most --max-bytes on a page: %s', async (format) => {
    const names = Array.from({ length: 40 }, (_, number) => [`d${number}/${'n'.repeat(50)}${number}`, ''] as const);
    await using session = await connectFiles({ directories: [await treeOf(Object.fromEntries(names))], maxBytes: 1024 });
    const pages = await pagesOf((cursor) => tree(session, { format, ...cursor }));
    expect(pages.length).toBeGreaterThan(2);
    // The text can exceed 1024 bytes, because each page repeats the parent directories of its first entry.
    for (const { text } of pages) expect(text.length).toBeLessThan(3072);
    expect(pages.reduce((sum, { entries }) => sum + entries, 0)).toBe(80);
  });

  it('is limited by --max-entries', async () => {
    await using session = await connectFiles({ directories: [await treeOf(FILES)], maxEntries: 2 });
    expect(await tree(session, { maxEntries: 100 })).toMatchObject({ entries: 2, truncated: true });
  });

  it('ends with a note after --max-scanned entries', async () => {
    await using session = await connectFiles({ directories: [await treeOf(FILES)], maxScanned: 3 });
    const { note, truncated } = await tree(session);
    expect([note, truncated]).toEqual([
      'The tree is incomplete: the directory has too many entries; request a subdirectory.',
      true,
    ]);
  });
});
