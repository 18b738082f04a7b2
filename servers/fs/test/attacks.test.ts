import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from './temporary.ts';

interface Scene {
  readonly root: string;
  readonly outside: string;
}

/** A root full of ways out, beside a directory that must not be touched. */
async function scene(): Promise<Scene> {
  const base = await temporaryDirectory();
  const root = path.join(base, 'safe');
  const outside = path.join(base, 'safe_evil');
  await mkdir(root);
  await mkdir(outside);
  await writeFile(path.join(outside, 'secret.txt'), 'SECRET');
  await writeFile(path.join(root, 'ok.txt'), 'ok');
  await symlink(path.join(outside, 'secret.txt'), path.join(root, 'file-link'));
  await symlink(outside, path.join(root, 'dir-link'));
  await symlink(path.join(outside, 'missing.txt'), path.join(root, 'dangling'));
  await symlink('file-link', path.join(root, 'chain'));
  await symlink('../safe_evil/secret.txt', path.join(root, 'relative-link'));
  await symlink('/proc/self/root', path.join(root, 'proc-link'));
  return { root, outside };
}

const OUTSIDE: readonly (readonly [string, (scene: Scene) => string])[] = [
  ['parent traversal', ({ root }) => `${root}/../safe_evil/secret.txt`],
  ['relative parent traversal', () => '../safe_evil/secret.txt'],
  ['traversal through a directory that is not there', ({ root }) => `${root}/a/../../safe_evil/secret.txt`],
  ['absolute path outside', ({ outside }) => path.join(outside, 'secret.txt')],
  ['sibling with the root as prefix', ({ root }) => `${root}_evil/secret.txt`],
  ['link to a file outside', () => 'file-link'],
  ['directory link in the middle', () => 'dir-link/secret.txt'],
  ['directory link in the middle, missing leaf', () => 'dir-link/new.txt'],
  ['directory link in the middle, two missing levels', () => 'dir-link/a/b.txt'],
  ['chain of links', () => 'chain'],
  ['relative link out', () => 'relative-link'],
  ['link to /proc/self/root', () => 'proc-link/etc/passwd'],
  ['dangling link', () => 'dangling'],
  ['root with a trailing quote', ({ root }) => `${root}"/secret.txt`],
  ['root with a trailing space', ({ root }) => `${root} /secret.txt`],
  ['root with a trailing newline', ({ root }) => `${root}\n/secret.txt`],
];

/** Every tool that takes a path. */
const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['read_text_file', {}],
  ['list_directory', {}],
  ['search_files', { pattern: 'secret' }],
  ['get_file_info', {}],
  ['write_file', { content: 'OWNED' }],
];

async function untouched({ outside }: Scene): Promise<void> {
  expect(await readdir(outside)).toEqual(['secret.txt']);
  expect(await readFile(path.join(outside, 'secret.txt'), 'utf8')).toBe('SECRET');
}

async function refusedEverywhere(session: Session, given: string, place: Scene): Promise<void> {
  for (const [tool, rest] of CALLS) {
    const text = await session.fails(tool, { path: given, ...rest });
    expect(text, tool).toBe(
      `PATH_OUTSIDE_ROOTS: ${JSON.stringify(given)} is not inside the allowed directories\nallowed: ${place.root}`,
    );
  }
  await untouched(place);
}

describe('a path outside the directories', () => {
  it.each(OUTSIDE)('is refused by every tool and nothing is touched: %s', async (_, attack) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    await refusedEverywhere(session, attack(place), place);
  });

  it.each([
    ['a file', (place: Scene) => path.join(place.outside, 'secret.txt')],
    ['a missing file', (place: Scene) => path.join(place.outside, 'missing.txt')],
    ['an encoded traversal', ({ root }: Scene) => `${root}/%2e%2e/safe_evil/secret.txt`],
    ['a link out', ({ root }: Scene) => path.join(root, 'file-link')],
    ['an encoded NUL', ({ root }: Scene) => `${root}/ok.txt%00`],
  ])('is not found as a resource: %s', async (_, attack) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    const error: unknown = await session.client
      .readResource({ uri: `file://${attack(place)}` })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: -32_602 });
    expect(String(error)).not.toContain('SECRET');
  });

  it('is not shown by a listing or search that meets a link to it', async () => {
    const { root } = await scene();
    await using session = await connectFiles({ directories: [root] });
    expect(await session.text('list_directory', { path: '.' })).toContain('[LINK] dir-link');
    expect(await session.text('search_files', { path: '.', pattern: 'secret' })).toBe('No matches found');
  });
});

describe('a literal name', () => {
  it.each(['~', '$HOME', '%2e%2e', '..\\safe_evil\\secret.txt', '...'])('is not expanded: %s', async (name) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    expect(await session.fails('read_text_file', { path: name })).toMatch(/^NOT_FOUND/);
    expect(await session.text('write_file', { path: name, content: 'mine' })).toContain('Created');
    expect(await readFile(path.join(place.root, name), 'utf8')).toBe('mine');
    await untouched(place);
  });

  it.each([
    ['a NUL', 'a\0b'],
    ['nothing', ''],
    ['more than a name may have', 'n'.repeat(300)],
  ])('with %s is refused', async (_, name) => {
    const { root } = await scene();
    await using session = await connectFiles({ directories: [root] });
    for (const [tool, rest] of CALLS) expect(await session.fails(tool, { path: name, ...rest })).toMatch(/^INVALID_PATH/);
  });
});

describe('a path that ends with a slash', () => {
  it('is not written as a file', async () => {
    const { root } = await scene();
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails('write_file', { path: 'new/', content: '' })).toMatch(/^INVALID_PATH/);
    expect(await readdir(root)).not.toContain('new');
  });
});

describe('a special file', () => {
  it('that would block for ever is refused by read and write: a FIFO', async () => {
    const { root } = await scene();
    execFileSync('mkfifo', [path.join(root, 'fifo')]);
    await using session = await connectFiles({ directories: [root] });
    const reads = Array.from({ length: 16 }, () => session.fails('read_text_file', { path: 'fifo' }));
    for (const text of await Promise.all(reads)) expect(text).toMatch(/^NOT_REGULAR_FILE/);
    expect(await session.fails('write_file', { path: 'fifo', content: '' })).toMatch(/^NOT_REGULAR_FILE/);
    expect(await session.text('read_text_file', { path: 'ok.txt' })).toBe('ok');
  });

  it('that runs in a circle is refused: a link loop', async () => {
    const { root } = await scene();
    await symlink('loop', path.join(root, 'loop'));
    await using session = await connectFiles({ directories: [root] });
    for (const [tool, rest] of CALLS) expect(await session.fails(tool, { path: 'loop', ...rest })).toMatch(/^SYMLINK_LOOP/);
  });
});

describe('a root that is itself a link', () => {
  it('is reached by both of its names', async () => {
    const { root } = await scene();
    const link = path.join(await mkdtemp(path.join(await temporaryDirectory(), 'link-')), 'root');
    await symlink(root, link);
    await using session = await connectFiles({ directories: [link] });
    expect(await session.text('read_text_file', { path: path.join(link, 'ok.txt') })).toBe('ok');
    expect(await session.text('read_text_file', { path: path.join(root, 'ok.txt') })).toBe('ok');
  });
});
