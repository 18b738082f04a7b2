import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { tarGzOf, tarOf, zipOf } from '../../fixtures/archives.ts';
import { connectAll } from '../../fixtures/rewinds.ts';
import { temporaryDirectory } from '../../fixtures/temporary.ts';
import { treeOf } from '../../fixtures/trees.ts';

type Attack = readonly [attack: string, create: () => Buffer | Promise<Buffer>, code: string];

const OK = { name: 'ok.txt', content: 'ok' };
const GIT = ['HEAD', 'config', 'objects/a', 'refs/a'];

const NAMES: readonly (readonly [attack: string, name: string])[] = [
  ['a parent', '../x'],
  ['a parent in the middle', 'a/../../x'],
  ['a parent that stays inside', 'a/../x'],
  ['a parent at the end', 'a/..'],
  ['a parent after a dot', './../x'],
  ['an absolute name', '/tmp/x'],
  ['a drive', 'C:/x'],
  ['a relative drive', 'C:x'],
  ['a backslash', String.raw`..\x`],
  ['a NUL', 'a\0b'],
  ['a line break', 'a\nb'],
  ['an empty segment', 'a//b'],
  ['a dot segment', 'a/./b'],
  ['a name of 256 bytes', 'n'.repeat(256)],
  ['an empty name', ''],
];

const ZIPS: readonly Attack[] = [
  ...NAMES.map(([attack, name]): Attack => [attack, () => zipOf([OK, { name, content: 'x' }]), 'INVALID_ARCHIVE']),
  ['bytes that are not UTF-8', () => zipOf([OK, { name: Buffer.from([0x61, 0xff]), content: 'x' }]), 'INVALID_ARCHIVE'],
  ['a link', () => zipOf([OK, { name: 'link', content: '/etc/passwd', mode: 0o120777 }]), 'INVALID_ARCHIVE'],
  ['a file through a link', () => zipOf([{ name: 'd', content: '..', mode: 0o120777 }, { name: 'd/x' }]), 'INVALID_ARCHIVE'],
  ['a device', () => zipOf([OK, { name: 'dev', mode: 0o020666 }]), 'INVALID_ARCHIVE'],
  ['a FIFO', () => zipOf([OK, { name: 'fifo', mode: 0o010666 }]), 'INVALID_ARCHIVE'],
  ['a duplicate', () => zipOf([OK, { ...OK, content: 'other' }]), 'INVALID_ARCHIVE'],
  ['a duplicate after ./', () => zipOf([OK, { name: './ok.txt', content: 'other' }]), 'INVALID_ARCHIVE'],
  ['names that differ in letter case', () => zipOf([OK, { name: 'OK.TXT', content: 'x' }]), 'INVALID_ARCHIVE'],
  ['names that differ in their normal form', () => zipOf([{ name: 'caf\u00e9' }, { name: 'cafe\u0301' }]), 'INVALID_ARCHIVE'],
  ['directories that differ in letter case', () => zipOf([{ name: 'a/x' }, { name: 'A/X' }]), 'INVALID_ARCHIVE'],
  ['a file that is also a directory', () => zipOf([{ name: 'a' }, { name: 'a/b' }]), 'INVALID_ARCHIVE'],
  ['a directory that is also a file', () => zipOf([{ name: 'a/b' }, { name: 'a' }]), 'INVALID_ARCHIVE'],
  ['an encrypted entry', () => zipOf([OK, { name: 'x', content: 'x', flags: 1 }]), 'INVALID_ARCHIVE'],
  ['a wrong checksum', () => zipOf([OK, { name: 'x', content: 'x', checksum: 1 }]), 'INVALID_ARCHIVE'],
  [
    'a content that is longer than declared',
    () => zipOf([OK, { name: 'x', content: 'x'.repeat(99), declaredSize: 1 }]),
    'INVALID_ARCHIVE',
  ],
  [
    'a content that is shorter than declared',
    () => zipOf([OK, { name: 'x', content: 'x', declaredSize: 99 }]),
    'INVALID_ARCHIVE',
  ],
  ['a truncated archive', () => zipOf([OK, { name: 'x', content: 'x'.repeat(999) }]).subarray(0, -30), 'INVALID_ARCHIVE'],
  ['a bomb', () => zipOf([OK, { name: 'x', content: '\0'.repeat(8_000_000) }]), 'TOO_LARGE'],
  ['a file that is denied', () => zipOf([OK, { name: 'a/.env', content: 'x' }]), 'DENIED_BY_POLICY'],
  ['a file that is denied in another spelling', () => zipOf([OK, { name: '.ENV', content: 'x' }]), 'DENIED_BY_POLICY'],
  ['a repository', () => zipOf([OK, ...GIT.map((name) => ({ name: `.git/${name}` }))]), 'DENIED_BY_POLICY'],
  ['a repository below', () => zipOf([OK, ...GIT.map((name) => ({ name: `a/b/.git/${name}` }))]), 'DENIED_BY_POLICY'],
  ['a bare repository', () => zipOf([OK, ...GIT.map((name) => ({ name: `bare/${name}` }))]), 'DENIED_BY_POLICY'],
];

const TARS: readonly Attack[] = [
  ...NAMES.filter(([, name]) => name !== '' && !name.includes('\0')).map(([attack, name]): Attack => [
    attack,
    () => tarOf([OK, { name, content: 'x' }]),
    'INVALID_ARCHIVE',
  ]),
  ['a symbolic link', () => tarOf([OK, { name: 'x', type: 'symlink', linkname: '/etc/passwd' }]), 'INVALID_ARCHIVE'],
  ['a hard link', () => tarOf([OK, { name: 'x', type: 'link', linkname: 'ok.txt' }]), 'INVALID_ARCHIVE'],
  ['a file through a link', () => tarOf([{ name: 'd', type: 'symlink', linkname: '..' }, { name: 'd/x' }]), 'INVALID_ARCHIVE'],
  ['a device', () => tarOf([OK, { name: 'dev', type: 'character-device' }]), 'INVALID_ARCHIVE'],
  ['a FIFO', () => tarOf([OK, { name: 'fifo', type: 'fifo' }]), 'INVALID_ARCHIVE'],
  ['a duplicate', () => tarOf([OK, { ...OK, content: 'other' }]), 'INVALID_ARCHIVE'],
  [
    'a truncated archive',
    async () => (await tarOf([OK, { name: 'x', content: 'x'.repeat(5000) }])).subarray(0, 3000),
    'INVALID_ARCHIVE',
  ],
  ['a bomb', () => tarGzOf([OK, { name: 'x', content: '\0'.repeat(8_000_000) }]), 'TOO_LARGE'],
  [
    'a bomb of empty entries',
    () => tarGzOf(Array.from({ length: 10_001 }, (_, index) => ({ name: String(index) }))),
    'TOO_LARGE',
  ],
  ['a file that is denied', () => tarOf([OK, { name: 'id_rsa', content: 'x' }]), 'DENIED_BY_POLICY'],
];

describe('an archive that is extracted', () => {
  it.each([
    ...ZIPS.map(([attack, ...rest]) => [`zip: ${attack}`, ...rest] as const),
    ...TARS.map(([attack, ...rest]) => [`tar: ${attack}`, ...rest] as const),
  ])('is rejected as a whole, and nothing is changed: %s', async (_, create, code) => {
    const base = await temporaryDirectory();
    const root = path.join(base, 'root');
    await mkdir(root);
    await writeFile(path.join(root, 'archive'), await create());
    await using session = await connectAll(root);
    const before = await treeOf(base);
    for (const destination of ['.', 'new/deep'])
      expect(await session.fails('extract_archive', { path: 'archive', destination, overwrite: true })).toMatch(
        new RegExp(`^${code}`),
      );
    expect(await treeOf(base)).toEqual(before);
    expect(await session.text('list_changes')).toBe('No change can be undone');
  });
});

describe('the destination of an archive', () => {
  it.each([
    ['a parent', '../out', 'PATH_OUTSIDE_ROOTS'],
    ['an absolute path outside', '/tmp/out', 'PATH_OUTSIDE_ROOTS'],
    ['a link out', 'link', 'PATH_OUTSIDE_ROOTS'],
    ['a directory below a link out', 'link/new', 'PATH_OUTSIDE_ROOTS'],
    ['a file', 'archive', 'NOT_DIRECTORY'],
    ['a directory below a file', 'archive/new', 'NOT_DIRECTORY'],
    ['a file URI of another machine', 'file://elsewhere/tmp', 'INVALID_PATH'],
  ])('must be a directory inside the roots: %s', async (_, destination, code) => {
    const base = await temporaryDirectory();
    const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
    for (const directory of [root, outside]) await mkdir(directory);
    await symlink(outside, path.join(root, 'link'));
    await writeFile(path.join(root, 'archive'), zipOf([OK]));
    await using session = await connectAll(root);
    expect(await session.fails('extract_archive', { path: 'archive', destination })).toMatch(new RegExp(`^${code}`));
    expect(await readdir(outside)).toEqual([]);
    expect(await readdir(base)).toEqual(['outside', 'root']);
  });

  it('is never written through a link inside it, even with overwrite', async () => {
    const base = await temporaryDirectory();
    const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
    for (const directory of [root, outside]) await mkdir(directory);
    await symlink(outside, path.join(root, 'd'));
    await symlink(path.join(outside, 'new'), path.join(root, 'f'));
    await using session = await connectAll(root);
    for (const name of ['d/x', 'f']) {
      await writeFile(path.join(root, 'archive'), zipOf([{ name, content: 'x' }]));
      expect(await session.fails('extract_archive', { path: 'archive', destination: '.', overwrite: true })).toMatch(
        /^(?:NOT_DIRECTORY|ALREADY_EXISTS|PATH_OUTSIDE_ROOTS)/,
      );
    }
    expect(await readdir(outside)).toEqual([]);
  });

  it('must be writable, and the tools are hidden from a server that only reads', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'archive'), zipOf([OK]));
    await using reader = await connectAll(root, { directories: [], ro: [root] });
    expect(await reader.fails('extract_archive', { path: 'archive', destination: 'out' })).toMatch(/^READ_ONLY/);
    await using session = await connectAll(root, { readOnly: true });
    const names = await session.toolNames();
    expect([names.includes('list_archive'), names.includes('extract_archive')]).toEqual([true, false]);
  });
});
