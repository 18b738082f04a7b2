import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect } from 'vitest';

import { temporaryDirectory } from '../temporary.ts';

export interface Scene {
  readonly base: string;
  readonly root: string;
  readonly outside: string;
}

/** A root full of ways out, beside a directory that must not be touched. */
export async function scene(): Promise<Scene> {
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
export const WRITERS: readonly (readonly [what: string, tool: string, input: (given: string) => Input])[] = [
  ['write_file', 'write_file', (given) => ({ path: given, content: 'OWNED' })],
  ['write_file with createParents', 'write_file', (given) => ({ path: given, content: 'OWNED', createParents: true })],
  ['append_file', 'append_file', (given) => ({ path: given, content: 'OWNED' })],
  ['edit_file', 'edit_file', (given) => ({ path: given, edits: [{ oldText: 'SECRET', newText: 'OWNED' }] })],
  ['copy_file to', 'copy_file', (given) => ({ source: 'ok.txt', destination: given, overwrite: true })],
];

export const MOVERS: readonly (readonly [what: string, tool: string, input: (given: string) => Input])[] = [
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

export async function untouched({ base, root, outside }: Scene): Promise<void> {
  expect(await readdir(outside)).toEqual(['secret.txt']);
  expect(await readFile(path.join(outside, 'secret.txt'), 'utf8')).toBe('SECRET');
  expect((await readdir(base)).sort()).toEqual(['safe', 'safe_evil']);
  expect(await readdir(root)).not.toContain('not-there.txt');
  expect(await readFile(path.join(root, 'ok.txt'), 'utf8')).toBe('ok');
}
