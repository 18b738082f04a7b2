import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Session } from '@org/mcp-testing';
import { expect } from 'vitest';

import { temporaryDirectory } from './temporary.ts';

/** A root full of ways out, beside a directory that must not be touched. */
export interface Scene {
  /** `…/safe`; holds `ok.txt`. */
  readonly root: string;
  /** `…/safe_evil`; holds `secret.txt`. */
  readonly outside: string;
}

export async function scene(): Promise<Scene> {
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
  await symlink('/proc/self/cwd', path.join(root, 'cwd-link'));
  await symlink('/dev/fd/0', path.join(root, 'fd-link'));
  return { root, outside };
}

/** Every tool that takes a path, with what it needs besides. */
export const CALLS: readonly (readonly [tool: string, rest: Readonly<Record<string, unknown>>])[] = [
  ['read_text_file', {}],
  ['read_file', {}],
  ['read_media_file', {}],
  ['read_media_file', { asLink: true }],
  ['list_directory', {}],
  ['search_files', { pattern: 'secret' }],
  ['get_file_info', {}],
  ['get_file_info', { hash: true, lineCount: true }],
  ['write_file', { content: 'OWNED' }],
  ['append_file', { content: 'OWNED' }],
  ['edit_file', { edits: [{ oldText: 'SECRET', newText: 'OWNED' }] }],
  ['list_directory_with_sizes', {}],
  ['directory_tree', {}],
  ['search_content', { pattern: 'SECRET' }],
  ['replace_in_files', { pattern: 'SECRET', replacement: 'OWNED' }],
];

/** Those that need a directory. */
const OF_DIRECTORIES = /^(?:list|directory|search|replace)_/;
export const FILE_CALLS: typeof CALLS = CALLS.filter(([tool]) => !OF_DIRECTORIES.test(tool));
export const DIRECTORY_CALLS: typeof CALLS = CALLS.filter(([tool]) => OF_DIRECTORIES.test(tool));

/** What every tool says of a path that all refuse, by the call. */
export async function failures(session: Session, given: string): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  for (const [tool, rest] of CALLS)
    texts[`${tool} ${JSON.stringify(rest)}`] = await session.fails(tool, { path: given, ...rest });
  return texts;
}

/** What a client is told of a file in a way that has no `isError`: as a resource and in a prompt. */
export async function protocolErrors({ client }: Session, absolute: string): Promise<readonly unknown[]> {
  return Promise.all([
    client.readResource({ uri: pathToFileURL(absolute).href }).catch((error: unknown) => error),
    client.getPrompt({ name: 'review_file', arguments: { path: absolute } }).catch((error: unknown) => error),
  ]);
}

/** Nothing came to be outside, and nothing there has changed. */
export async function expectUntouched({ root, outside }: Scene): Promise<void> {
  expect((await readdir(path.dirname(root))).sort()).toEqual(['safe', 'safe_evil']);
  expect(await readdir(outside)).toEqual(['secret.txt']);
  expect(await readFile(path.join(outside, 'secret.txt'), 'utf8')).toBe('SECRET');
}
