import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../temporary.ts';

interface Scene {
  readonly base: string;
  readonly root: string;
  readonly outside: string;
}

/** A root full of ways out, beside a directory that must not be touched. */
async function scene(): Promise<Scene> {
  const base = await temporaryDirectory();
  const root = path.join(base, 'safe');
  const outside = path.join(base, 'safe_evil');
  for (const directory of [root, outside, path.join(root, 'sub')]) await mkdir(directory);
  await writeFile(path.join(outside, 'secret.txt'), 'SECRET');
  await writeFile(path.join(root, 'ok.txt'), 'ok');
  const links = {
    'file-link': path.join(outside, 'secret.txt'),
    'dir-link': outside,
    dangling: path.join(outside, 'new.txt'),
    'dangling-inside': path.join(root, 'not-there.txt'),
    'sub/relative': '../../safe_evil/secret.txt',
    chain: 'file-link',
    'proc-link': '/proc/self/root',
    'cwd-link': '/proc/self/cwd',
    'fd-link': '/dev/fd/0',
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, path.join(root, name));
  return { base, root, outside };
}

type Input = Readonly<Record<string, unknown>>;

/** Every tool that writes, with the path that is attacked as where it writes. */
const WRITERS: readonly (readonly [what: string, tool: string, input: (given: string) => Input])[] = [
  ['write_file', 'write_file', (given) => ({ path: given, content: 'OWNED' })],
  ['write_file with createParents', 'write_file', (given) => ({ path: given, content: 'OWNED', createParents: true })],
  ['append_file', 'append_file', (given) => ({ path: given, content: 'OWNED' })],
  ['edit_file', 'edit_file', (given) => ({ path: given, edits: [{ oldText: 'SECRET', newText: 'OWNED' }] })],
  ['copy_file to', 'copy_file', (given) => ({ source: 'ok.txt', destination: given, overwrite: true })],
];

const MOVERS: readonly (readonly [what: string, tool: string, input: (given: string) => Input])[] = [
  ['create_directory', 'create_directory', (given) => ({ path: given })],
  ['copy_file from', 'copy_file', (given) => ({ source: given, destination: 'copy' })],
  ['copy_file of a directory to', 'copy_file', (given) => ({ source: 'sub', destination: given })],
  ['move_file from', 'move_file', (given) => ({ source: given, destination: 'moved' })],
  ['move_file to', 'move_file', (given) => ({ source: 'ok.txt', destination: given, overwrite: true })],
  [
    'replace_in_files of a directory',
    'replace_in_files',
    (given) => ({ path: given, pattern: '^', regex: true, replacement: 'OWNED' }),
  ],
  ['delete_file', 'delete_file', (given) => ({ path: given, recursive: true, permanent: true })],
];

/** Paths that lead out whatever is done with them. */
const OUT: readonly (readonly [attack: string, given: (scene: Scene) => string])[] = [
  ['parent traversal', ({ root }) => `${root}/../safe_evil/secret.txt`],
  ['relative parent traversal', () => '../safe_evil/new.txt'],
  ['traversal through a name that is not there', ({ root }) => `${root}/a/../../safe_evil/secret.txt`],
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

/** Links at the end of a path: those who write follow them, those who move have them themselves. */
const LINKS = [
  ['file link out', 'file-link'],
  ['dangling link', 'dangling'],
  ['dangling link to a name inside', 'dangling-inside'],
  ['relative link out', 'sub/relative'],
  ['chain of links', 'chain'],
  ['link to /dev/fd/0', 'fd-link'],
] as const;

async function untouched({ base, root, outside }: Scene): Promise<void> {
  expect(await readdir(outside)).toEqual(['secret.txt']);
  expect(await readFile(path.join(outside, 'secret.txt'), 'utf8')).toBe('SECRET');
  expect((await readdir(base)).sort()).toEqual(['safe', 'safe_evil']);
  expect(await readdir(root)).not.toContain('not-there.txt');
  expect(await readFile(path.join(root, 'ok.txt'), 'utf8')).toBe('ok');
}

describe('a path that leads out is refused, and nothing is touched:', () => {
  it.each(OUT)('%s', async (_, attack) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS]) {
      const text = await session.fails(tool, input(attack(place)));
      expect(text, what).toMatch(/^PATH_OUTSIDE_ROOTS/);
    }
    await untouched(place);
  });

  it.each(LINKS)('%s, by those who write where it leads', async (_, name) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    const target = await readlink(path.join(place.root, name));
    for (const [what, tool, input] of WRITERS)
      expect(await session.fails(tool, input(name)), what).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(await session.fails('create_directory', { path: name })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(await readlink(path.join(place.root, name))).toBe(target);
    await untouched(place);
  });

  it.each(LINKS)('%s, as where something is moved or a directory copied to', async (_, name) => {
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

  it.each(LINKS)('%s, which is moved and removed itself, and brought back', async (_, name) => {
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

describe('a directory link in what is copied or removed', () => {
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
  ['a directory that holds a root', (root: string) => path.join(root, 'sub')],
  ['a root in a root', (root: string) => path.join(root, 'sub/inner')],
] as const;

describe('a root stays where it is:', () => {
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
    expect(await session.text('list_changes')).toBe('No changes are kept');
  });

  it('and is not written as a file', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    for (const [what, tool, input] of WRITERS.slice(0, 4))
      expect(await session.fails(tool, input('.')), what).toMatch(/^IS_DIRECTORY/);
  });
});

describe('a directory that may only be read', () => {
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

describe('a directory that may be written in one that may only be read', () => {
  it('is written, and all around it is not', async () => {
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

describe('a name that is denied', () => {
  it.each(['.env', 'sub/.env', 'sub/.ssh/id_rsa', 'private/x'])('is written by no tool: %s', async (name) => {
    const place = await scene();
    await mkdir(path.join(place.root, path.dirname(name)), { recursive: true });
    await writeFile(path.join(place.root, name), 'SECRET');
    await using session = await connectFiles({ directories: [place.root], deny: ['private'] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS])
      expect(await session.fails(tool, input(name)), what).toMatch(/^DENIED_BY_POLICY/);
    expect(await readFile(path.join(place.root, name), 'utf8')).toBe('SECRET');
    await untouched(place);
  });
});

describe('a special file', () => {
  it('is neither written nor copied nor removed in passing: a FIFO', async () => {
    const place = await scene();
    execFileSync('mkfifo', [path.join(place.root, 'sub/fifo')]);
    await using session = await connectFiles({ directories: [place.root] });
    for (const [what, tool, input] of WRITERS)
      expect(await session.fails(tool, input('sub/fifo')), what).toMatch(/^NOT_REGULAR_FILE/);
    expect(await session.fails('copy_file', { source: 'sub/fifo', destination: 'copy' })).toMatch(/^NOT_REGULAR_FILE/);
    expect(await session.fails('copy_file', { source: 'sub', destination: 'copy' })).toMatch(/^NOT_REGULAR_FILE/);
    expect(await session.fails('delete_file', { path: 'sub', recursive: true })).toMatch(/^NOT_REGULAR_FILE/);
    expect(await readdir(path.join(place.root, 'sub'))).toContain('fifo');
  });
});

describe.runIf(process.platform === 'linux')('a name in two normal forms', () => {
  it('is ambiguous to every tool, and neither is touched', async () => {
    const place = await scene();
    const twins = ['caf\u00e9', 'cafe\u0301'];
    for (const name of twins) await writeFile(path.join(place.root, name), 'SECRET');
    await using session = await connectFiles({ directories: [place.root] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS])
      for (const name of twins) expect(await session.fails(tool, input(name)), what).toMatch(/^AMBIGUOUS_NAME/);
    for (const name of twins) expect(await readFile(path.join(place.root, name), 'utf8')).toBe('SECRET');
    await untouched(place);
  });
});

describe.skipIf(process.platform === 'win32')('a link that runs in a circle', () => {
  it('is refused as such by all that follow it', async () => {
    const place = await scene();
    await symlink('loop', path.join(place.root, 'loop'));
    await using session = await connectFiles({ directories: [place.root] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS])
      expect(await session.fails(tool, input('loop/x')), what).toMatch(/^SYMLINK_LOOP/);
    for (const [what, tool, input] of WRITERS) expect(await session.fails(tool, input('loop')), what).toMatch(/^SYMLINK_LOOP/);
    await untouched(place);
  });
});

describe('a path that is none', () => {
  it.each([
    ['a NUL', 'a\0b', 'INVALID_PATH'],
    ['nothing', '', 'INVALID_PATH'],
    ['a name of 256 bytes', 'n'.repeat(256), 'INVALID_PATH'],
    ['more than 4096 bytes', 'n/'.repeat(2100), 'INVALID_PATH'],
  ])('is refused by every tool: %s', async (_, given, code) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS])
      expect(await session.fails(tool, input(given)), what).toMatch(new RegExp(`^${code}`));
    await untouched(place);
  });

  it.each([
    ['a number', 7],
    ['an array', ['ok.txt']],
    ['an object', { path: 'ok.txt' }],
  ])('is refused by the schema: %s', async (_, given) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS])
      expect(await session.fails(tool, input(given as unknown as string)), what).toMatch(/^INVALID_ARGUMENTS/);
  });
});
