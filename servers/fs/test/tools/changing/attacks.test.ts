import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';
import { MOVERS, scene, untouched, WRITERS, type Scene } from '../../fixtures/attack-scene.ts';

/** Paths that resolve to the outside for every tool. */
const OUT: readonly (readonly [attack: string, given: (scene: Scene) => string])[] = [
  ['parent traversal', ({ root }) => `${root}/../safe_evil/secret.txt`],
  ['relative parent traversal', () => '../safe_evil/new.txt'],
  ['traversal through a missing name', ({ root }) => `${root}/a/../../safe_evil/secret.txt`],
  ['sibling with the root as prefix', ({ root }) => `${root}_evil/secret.txt`],
  ['directory link in the middle', () => 'dir-link/secret.txt'],
  ['directory link in the middle, missing leaf', () => 'dir-link/new.txt'],
  ['directory link and two missing levels', () => 'dir-link/a/b.txt'],
  ['path through /proc/self/root', () => 'proc-link/tmp/new.txt'],
  ['path through /proc/self/cwd', () => 'cwd-link/new.txt'],
  ['root with a trailing quote', ({ root }) => `${root}"/secret.txt`],
  ['root with a trailing space', ({ root }) => `${root} /secret.txt`],
  ['root with a trailing tab', ({ root }) => `${root}\t/secret.txt`],
  ['root with a trailing newline', ({ root }) => `${root}\n/secret.txt`],
  ['root with a trailing no-break space', ({ root }) => `${root}\u00A0/secret.txt`],
];

/** Links at the end of a path: tools that write follow the link, tools that move or remove use the link itself. */
const LINKS = [
  ['file link out', 'file-link'],
  ['dangling link', 'dangling'],
  ['dangling link to a name inside', 'dangling-inside'],
  ['relative link out', 'sub/relative'],
  ['chain of links', 'chain'],
  ['link to /dev/fd/0', 'fd-link'],
] as const;

describe('a path to the outside is rejected, and nothing is changed:', () => {
  it.each(OUT)('%s', async (_, attack) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS]) {
      const text = await session.fails(tool, input(attack(place)));
      expect(text, what).toMatch(/^PATH_OUTSIDE_ROOTS/);
    }
    await untouched(place);
  });

  it.each(LINKS)('%s, by tools that write to the target', async (_, name) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    const target = await readlink(path.join(place.root, name));
    for (const [what, tool, input] of WRITERS)
      expect(await session.fails(tool, input(name)), what).toMatch(/^(?:PATH_OUTSIDE_ROOTS|DENIED_BY_POLICY|NOT_FOUND)/);
    expect(await session.fails('create_directory', { path: name })).toMatch(/^(?:PATH_OUTSIDE_ROOTS|NOT_FOUND)/);
    expect(await readlink(path.join(place.root, name))).toBe(target);
    await untouched(place);
  });

  it.each(LINKS)('%s, as the destination of a move or of a directory copy', async (_, name) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    const target = await readlink(path.join(place.root, name));
    await mkdir(path.join(place.root, 'other'));
    expect(await session.fails('move_file', { source: 'ok.txt', destination: name })).toMatch(/^ALREADY_EXISTS/);
    for (const source of ['other', 'sub'])
      expect(await session.fails('copy_file', { source, destination: name, overwrite: true })).toMatch(/^ALREADY_EXISTS/);
    expect(await readlink(path.join(place.root, name))).toBe(target);
    await session.text('move_file', { source: 'ok.txt', destination: name, overwrite: true });
    expect(await readFile(path.join(place.root, name), 'utf8')).toBe('ok');
    expect((await lstat(path.join(place.root, name))).isFile()).toBe(true);
    await session.text('move_file', { source: name, destination: 'ok.txt' });
    await untouched(place);
  });

  it.each(LINKS)('%s, which is moved and removed itself, and restored', async (_, name) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    const target = await readlink(path.join(place.root, name));
    await session.text('move_file', { source: name, destination: 'sub/moved' });
    expect(await readlink(path.join(place.root, 'sub/moved'))).toBe(target);
    const { structuredContent } = await session.call('delete_file', { path: 'sub/moved' });
    expect(await readdir(path.join(place.root, 'sub'))).not.toContain('moved');
    await session.text('undo_change', { undoId: (structuredContent as { readonly undoId: string }).undoId });
    expect(await readlink(path.join(place.root, 'sub/moved'))).toBe(target);
    await untouched(place);
  });
});

describe('a link to a directory inside a copied or removed directory', () => {
  it('is never entered', async () => {
    const place = await scene();
    await symlink(place.outside, path.join(place.root, 'sub/out'));
    await using session = await connectFiles({ directories: [place.root] });
    await session.text('copy_file', { source: 'sub', destination: 'copy' });
    expect(await readlink(path.join(place.root, 'copy/out'))).toBe(place.outside);
    await session.text('delete_file', { path: 'sub', recursive: true, permanent: true });
    await session.text('delete_file', { path: 'copy', recursive: true });
    await untouched(place);
  });
});

const ROOTED = [
  ['the root itself', (root: string) => root],
  ['the root as .', () => '.'],
  ['a directory that contains a root', (root: string) => path.join(root, 'sub')],
  ['a root in a root', (root: string) => path.join(root, 'sub/inner')],
] as const;

describe('a root cannot be moved or removed:', () => {
  it.each(ROOTED)('%s', async (_, given) => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'sub/inner'), { recursive: true });
    await writeFile(path.join(root, 'ok.txt'), 'ok');
    await using session = await connectFiles({ directories: [root, path.join(root, 'sub/inner')] });
    const at = given(root);
    expect(await session.fails('delete_file', { path: at, recursive: true })).toMatch(/^DENIED_BY_POLICY/);
    expect(await session.fails('delete_file', { path: at, recursive: true, permanent: true })).toMatch(/^DENIED_BY_POLICY/);
    expect(await session.fails('move_file', { source: at, destination: path.join(root, 'new') })).toMatch(/^DENIED_BY_POLICY/);
    expect((await readdir(root)).sort()).toEqual(['ok.txt', 'sub']);
    expect(await readdir(path.join(root, 'sub'))).toEqual(['inner']);
    expect(await session.text('list_changes')).toBe('No change can be undone');
  });

  it('nor can it be written as a file', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    for (const [what, tool, input] of WRITERS.slice(0, 4))
      expect(await session.fails(tool, input('.')), what).toMatch(/^IS_DIRECTORY/);
  });
});

describe('a read-only directory', () => {
  it('is written by no tool', async () => {
    const base = await temporaryDirectory();
    for (const name of ['rw', 'rw/ro']) await mkdir(path.join(base, name));
    await writeFile(path.join(base, 'rw/ok.txt'), 'ok');
    await writeFile(path.join(base, 'rw/ro/f'), 'SECRET');
    await using session = await connectFiles({ directories: [path.join(base, 'rw')], ro: [path.join(base, 'rw/ro')] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS.filter(([name]) => !/from|of a|create/.test(name))])
      expect(await session.fails(tool, input('ro/f')), what).toMatch(/^READ_ONLY/);
    expect(await session.fails('create_directory', { path: 'ro/new' })).toMatch(/^READ_ONLY/);
    expect(await session.fails('move_file', { source: 'ro/f', destination: 'moved' })).toMatch(/^READ_ONLY/);
    expect(await session.text('copy_file', { source: 'ro/f', destination: 'copy' })).toContain('copy');
    expect(await readdir(path.join(base, 'rw/ro'))).toEqual(['f']);
    expect(await readFile(path.join(base, 'rw/ro/f'), 'utf8')).toBe('SECRET');
  });
});

describe('a writable directory inside a read-only directory', () => {
  it('can be changed, but its neighbours cannot', async () => {
    const base = await temporaryDirectory();
    await mkdir(path.join(base, 'ro/rw'), { recursive: true });
    for (const name of ['ro/f', 'ro/rw/f']) await writeFile(path.join(base, name), 'old');
    await using session = await connectFiles({ ro: [path.join(base, 'ro')], rw: [path.join(base, 'ro/rw')] });
    const at = (name: string): string => path.join(base, 'ro', name);
    const { structuredContent } = await session.call('write_file', { path: at('rw/f'), content: 'new' });
    for (const [what, tool, input] of WRITERS.slice(0, 3))
      expect(await session.fails(tool, input(at('f'))), what).toMatch(/^READ_ONLY/);
    expect(await session.fails('move_file', { source: at('rw/f'), destination: at('moved') })).toMatch(/^READ_ONLY/);
    expect(await session.fails('replace_in_files', { path: at('.'), pattern: 'old|new', regex: true, replacement: 'x' })).toMatch(
      /^READ_ONLY/,
    );
    expect(await readFile(at('rw/f'), 'utf8')).toBe('new');
    await session.text('undo_change', { undoId: (structuredContent as { readonly undoId: string }).undoId });
    expect([await readFile(at('f'), 'utf8'), await readFile(at('rw/f'), 'utf8')]).toEqual(['old', 'old']);
  });
});
