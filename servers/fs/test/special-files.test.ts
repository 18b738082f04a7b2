import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, link, mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';

import { CALLS, protocolErrors, scene } from './scene.ts';
import { connectFiles } from './temporary.ts';

describe.skipIf(process.platform === 'win32')('a special file', () => {
  it.each([
    ['a FIFO', (target: string) => execFileSync('mkfifo', [target])],
    ['a socket', (target: string) => once(createServer().listen(target).unref(), 'listening')],
  ])('is shown, and neither read nor written nor waited for: %s', async (_, make) => {
    const { root } = await scene();
    await make(path.join(root, 'special'));
    await using session = await connectFiles({ directories: [root] });
    const reads = Array.from({ length: 16 }, () => session.fails('read_text_file', { path: 'special' }));
    for (const text of await Promise.all(reads)) expect(text).toMatch(/^NOT_REGULAR_FILE/);
    expect(await session.fails('write_file', { path: 'special', content: '' })).toMatch(/^NOT_REGULAR_FILE/);
    expect(await session.fails('list_directory', { path: 'special' })).toMatch(/^NOT_DIRECTORY/);
    expect(await session.fails('search_files', { path: 'special', pattern: '*' })).toMatch(/^NOT_DIRECTORY/);
    for (const error of await protocolErrors(session, path.join(root, 'special')))
      expect(String(error)).toContain('NOT_REGULAR_FILE');
    expect(await session.text('read_text_file', { path: 'ok.txt' })).toBe('ok');
    expect(await session.text('get_file_info', { path: 'special' })).toContain('type: other');
    expect(await session.text('list_directory', { path: '.' })).toContain('special');
    expect(await session.text('search_files', { path: '.', pattern: 'special' })).toContain('special');
  });

  it.runIf(process.platform === 'linux').each(['null', 'zero', 'full'])('is not read: the device %s', async (device) => {
    await using session = await connectFiles({ directories: ['/dev'] });
    expect(await session.fails('read_text_file', { path: device })).toMatch(/^NOT_REGULAR_FILE/);
    for (const error of await protocolErrors(session, `/dev/${device}`)) expect(String(error)).toContain('NOT_REGULAR_FILE');
    expect(await session.text('get_file_info', { path: device })).toContain('type: other');
  });

  it('that runs in a circle is refused as such: a link loop', async () => {
    const { root } = await scene();
    await symlink('loop', path.join(root, 'loop'));
    await using session = await connectFiles({ directories: [root] });
    for (const [tool, rest] of CALLS) expect(await session.fails(tool, { path: 'loop', ...rest })).toMatch(/^SYMLINK_LOOP/);
  });

  it('that has a second name outside is not read if the operator denies such files', async () => {
    const { root, outside } = await scene();
    await link(path.join(outside, 'secret.txt'), path.join(root, 'hard'));
    await using strict = await connectFiles({ directories: [root], hardLinks: 'deny' });
    expect(await strict.fails('read_text_file', { path: 'hard' })).toMatch(/^DENIED_BY_POLICY/);
    expect(await strict.text('read_text_file', { path: 'ok.txt' })).toBe('ok');
    await using open = await connectFiles({ directories: [root] });
    expect(await open.text('read_text_file', { path: 'hard' })).toBe('SECRET');
    await open.call('write_file', { path: 'hard', content: 'OWNED' });
    expect(await readFile(path.join(outside, 'secret.txt'), 'utf8')).toBe('SECRET');
  });

  it('that says to have a terabyte is not loaded: a sparse file', async () => {
    const { root } = await scene();
    await writeFile(path.join(root, 'sparse'), 'first line\n'.repeat(10_000));
    await truncate(path.join(root, 'sparse'), 1e12);
    await using session = await connectFiles({ directories: [root] });
    expect(await session.text('read_text_file', { path: 'sparse', head: 1 })).toContain('first line');
    for (const range of [{ tail: 1 }, { offset: 20_000, limit: 1 }])
      expect(await session.fails('read_text_file', { path: 'sparse', ...range })).toMatch(/^BINARY_FILE/);
    const read = session.client.readResource({ uri: pathToFileURL(path.join(root, 'sparse')).href });
    await expect(read).rejects.toThrow('TOO_LARGE');
    expect((await session.call('get_file_info', { path: 'sparse' })).structuredContent).toMatchObject({ size: 1e12 });
  });
});

describe.skipIf(process.platform === 'win32')('a directory that may not be read', () => {
  it('is left out of a search and counted', async () => {
    const { root } = await scene();
    for (const name of ['locked', 'open']) {
      await mkdir(path.join(root, name));
      await writeFile(path.join(root, name, 'secret.txt'), '');
    }
    await chmod(path.join(root, 'locked'), 0);
    onTestFinished(() => chmod(path.join(root, 'locked'), 0o755));
    await using session = await connectFiles({ directories: [root] });
    await loseRights(root);
    const search = await session.call('search_files', { path: '.', pattern: 'secret' });
    expect(search.structuredContent).toMatchObject({ unreadable: 1, matches: [{ path: path.join(root, 'open/secret.txt') }] });
  });
});

/** Root passes every permission, so a test that it runs does so as nobody; all above the directory is opened to everybody. */
async function loseRights(directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  await chmod(path.dirname(directory), 0o755);
  process.seteuid?.(65_534);
  onTestFinished(() => process.seteuid?.(0));
}
