import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { tarGzOf, tarOf, zipOf } from '../../fixtures/archives.ts';
import { connectAll } from '../../fixtures/rewinds.ts';
import { temporaryDirectory } from '../../fixtures/temporary.ts';
import { treeOf, undoIdOf } from '../../fixtures/trees.ts';

const TREE = [
  { name: 'docs/', content: '' },
  { name: 'docs/a.txt', content: 'alpha\n' },
  { name: 'docs/deep/ä.bin', content: '\0\u0001'.repeat(1000) },
  { name: 'run.sh', content: '#!/bin/sh\n' },
];

function withModes(bits: boolean): readonly { readonly name: string; readonly content: string; readonly mode: number }[] {
  const [directory, regular] = bits ? [0o040000, 0o100000] : [0, 0];
  return TREE.map((entry) => {
    const isDirectory = entry.name.endsWith('/');
    return { ...entry, mode: isDirectory ? directory + 0o755 : regular + (entry.name === 'run.sh' ? 0o755 : 0o600) };
  });
}

const tarEntries = (): Parameters<typeof tarOf>[0] =>
  withModes(false).map((entry) => (entry.name.endsWith('/') ? { ...entry, type: 'directory' as const } : entry));

const ARCHIVES: readonly (readonly [kind: string, create: () => Promise<Buffer>])[] = [
  ['zip', () => Promise.resolve(zipOf(withModes(true)))],
  ['stored zip', () => Promise.resolve(zipOf(withModes(true).map((entry) => ({ ...entry, stored: true }))))],
  ['tar', () => tarOf(tarEntries())],
  ['tar.gz', () => tarGzOf(tarEntries())],
];

describe.each(ERAS)('an archive, on a %s connection,', (era) => {
  it.each(ARCHIVES)('is listed and extracted as one change that can be undone: %s', async (_, create) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'archive'), await create());
    await using session = await connectAll(root, {}, era);
    expect(await session.text('list_archive', { path: 'archive' })).toBe(
      '[DIRECTORY] docs/\n[FILE] docs/a.txt 6\n[FILE] docs/deep/ä.bin 2000\n[FILE] run.sh 10\n[4 entries, 2016 bytes.]',
    );
    const before = await treeOf(root);
    const undoId = await undoIdOf(session, 'extract_archive', { path: 'archive', destination: 'new/out' });
    const out = path.join(root, 'new/out');
    expect(Object.keys(await treeOf(out)).sort()).toEqual(['docs', 'docs/a.txt', 'docs/deep', 'docs/deep/ä.bin', 'run.sh']);
    expect(await readFile(path.join(out, 'docs/a.txt'), 'utf8')).toBe('alpha\n');
    expect([
      (await stat(path.join(out, 'run.sh'))).mode & 0o777,
      (await stat(path.join(out, 'docs/a.txt'))).mode & 0o777,
    ]).toEqual([0o755, 0o644]);
    await session.text('undo_change', { undoId });
    expect(await treeOf(root)).toEqual(before);
  });
});

describe('extract_archive', () => {
  it('extracts only the included entries', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a.zip'), zipOf(withModes(true)));
    await using session = await connectAll(root);
    expect(await session.text('extract_archive', { path: 'a.zip', destination: 'out', include: ['*.txt'] })).toMatch(
      /^Extracted 1 file \(6 bytes\) to .*\/out; undo with /,
    );
    expect(Object.keys(await treeOf(path.join(root, 'out')))).toEqual(['docs', 'docs/a.txt']);
    expect(await session.text('extract_archive', { path: 'a.zip', destination: 'out', include: ['*.md'] })).toBe(
      'Nothing was changed: no files to extract',
    );
    expect(await session.fails('extract_archive', { path: 'a.zip', destination: 'out', include: ['['] })).toMatch(
      /^INVALID_ARGUMENTS/,
    );
  });

  it('adds files to a directory, and replaces files only if overwrite is set', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'docs'));
    await writeFile(path.join(root, 'docs/a.txt'), 'mine');
    await writeFile(path.join(root, 'a.zip'), zipOf(withModes(true)));
    await using session = await connectAll(root);
    const before = await treeOf(root);
    expect(await session.fails('extract_archive', { path: 'a.zip', destination: '.' })).toBe(
      `ALREADY_EXISTS: "${root}/docs/a.txt" already exists\nnothing was extracted; overwrite replaces files`,
    );
    expect(await treeOf(root)).toEqual(before);
    const undoId = await undoIdOf(session, 'extract_archive', { path: 'a.zip', destination: '.', overwrite: true });
    expect(await readFile(path.join(root, 'docs/a.txt'), 'utf8')).toBe('alpha\n');
    await session.text('undo_change', { undoId });
    expect(await treeOf(root)).toEqual(before);
  });

  it('warns of files that other programs run', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a.zip'), zipOf([{ name: '.vscode/tasks.json', content: '{}' }]));
    await using session = await connectAll(root);
    expect(await session.text('extract_archive', { path: 'a.zip', destination: 'out' })).toContain('; review tasks.json');
  });

  it('is cancelled before it changes anything', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a.zip'), zipOf(withModes(true)));
    await using session = await connectAll(root);
    const controller = new AbortController();
    const call = { name: 'extract_archive', arguments: { path: 'a.zip', destination: 'out' } };
    const calling = session.client.callTool(call, { signal: controller.signal });
    controller.abort();
    await expect(calling).rejects.toThrow();
    expect(Object.keys(await treeOf(root))).toEqual(['a.zip']);
  });
});

describe('list_archive', () => {
  it('lists entries in pages, also those that cannot be extracted', async () => {
    const root = await temporaryDirectory();
    await writeFile(
      path.join(root, 'a.tar'),
      await tarOf([
        { name: 'link', type: 'symlink', linkname: '/etc/passwd' },
        { name: '../x', content: 'x' },
      ]),
    );
    await using session = await connectAll(root);
    expect(await session.text('list_archive', { path: 'a.tar', limit: 1 })).toBe(
      '[LINK] link\n[2 entries, 1 bytes; continue with offset 1.]',
    );
    expect(await session.text('list_archive', { path: 'a.tar', offset: 1 })).toBe('[FILE] ../x 1\n[2 entries, 1 bytes.]');
  });

  it.each([
    ['a text', Buffer.from('hello')],
    ['an empty file', Buffer.alloc(0)],
    ['a broken ZIP archive', Buffer.from('PK\u0003\u0004 broken')],
    ['gzip of a text', Buffer.from('H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==', 'base64')],
  ])('rejects %s', async (_, bytes) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a'), bytes);
    await using session = await connectAll(root);
    expect(await session.fails('list_archive', { path: 'a' })).toMatch(/^INVALID_ARCHIVE/);
    expect(await session.fails('extract_archive', { path: 'a', destination: 'out' })).toMatch(/^INVALID_ARCHIVE/);
  });
});
