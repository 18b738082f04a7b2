import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { connect, ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { FilesystemOptions, FilesystemServer } from '../src/index.ts';
import { temporaryDirectory } from './temporary.ts';

/** A directory with `open/a.txt` and `closed/b.txt`, both inside what the operator allows. */
async function place(): Promise<string> {
  const root = await temporaryDirectory();
  for (const [directory, file] of [
    ['open', 'a.txt'],
    ['closed', 'b.txt'],
  ] as const) {
    await mkdir(path.join(root, directory));
    await writeFile(path.join(root, directory, file), directory);
  }
  return root;
}

function connected(directories: string[], era: (typeof ERAS)[number], roots: () => readonly string[]): Promise<Session> {
  const options = Object.assign(new FilesystemOptions(), { directories });
  return connect(new FilesystemServer(options), { era, roots: () => roots().map((root) => ({ uri: pathToFileURL(root).href })) });
}

describe.each(ERAS)("a client's roots, on a %s connection,", (era) => {
  it('narrow what every tool may touch', async () => {
    const root = await place();
    await using session = await connected([root], era, () => [path.join(root, 'open')]);
    expect(await session.text('list_allowed_directories')).toBe(`Allowed directories:\n${path.join(root, 'open')}`);
    expect(await session.text('read_text_file', { path: 'a.txt' })).toBe('open');
    for (const [tool, rest] of [
      ['read_text_file', {}],
      ['list_directory', {}],
      ['search_files', { pattern: 'b' }],
      ['get_file_info', {}],
      ['write_file', { content: 'x' }],
    ] as const)
      expect(await session.fails(tool, { path: path.join(root, 'closed/b.txt'), ...rest })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(await readFile(path.join(root, 'closed/b.txt'), 'utf8')).toBe('closed');
  });

  it('bound resources and prompts, too', async () => {
    const root = await place();
    await using session = await connected([root], era, () => [path.join(root, 'open')]);
    const read = (file: string): Promise<unknown> =>
      session.client.readResource({ uri: pathToFileURL(path.join(root, file)).href });
    expect(await read('open/a.txt')).toMatchObject({ contents: [{ text: 'open' }] });
    await expect(read('closed/b.txt')).rejects.toMatchObject({ code: -32_602 });
    const review = session.client.getPrompt({ name: 'review_file', arguments: { path: path.join(root, 'closed/b.txt') } });
    await expect(review).rejects.toThrow('PATH_OUTSIDE_ROOTS');
  });

  it('never widen what the operator allows', async () => {
    const root = await place();
    await using session = await connected([path.join(root, 'open')], era, () => ['/', root]);
    expect(await session.text('read_text_file', { path: 'a.txt' })).toBe('open');
    expect(await session.fails('read_text_file', { path: path.join(root, 'closed/b.txt') })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it('deny everything if there are none', async () => {
    const root = await place();
    await using session = await connected([root], era, () => []);
    expect(await session.fails('read_text_file', { path: 'open/a.txt' })).toMatch(
      /^PATH_OUTSIDE_ROOTS.*\nthe client allows no directory/,
    );
  });

  it('are the boundary if the operator named none', async () => {
    const root = await place();
    await using session = await connected([], era, () => [path.join(root, 'open')]);
    expect(await session.text('write_file', { path: 'new.txt', content: 'x' })).toContain('Created');
    expect(await session.fails('read_text_file', { path: path.join(root, 'closed/b.txt') })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it('count anew when they change', async () => {
    const root = await place();
    let open = ['open'];
    await using session = await connected([root], era, () => open.map((directory) => path.join(root, directory)));
    expect(await session.fails('read_text_file', { path: path.join(root, 'closed/b.txt') })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    open = ['open', 'closed'];
    if (era === 'legacy') await session.client.sendRootsListChanged();
    expect(await session.text('read_text_file', { path: path.join(root, 'closed/b.txt') })).toBe('closed');
  });
});
