import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { link, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { CALLS, DIRECTORY_CALLS, FILE_CALLS, protocolErrors, scene } from './fixtures/scene.ts';
import { connectFiles } from './fixtures/temporary.ts';

describe.skipIf(process.platform === 'win32')('a special file', () => {
  it.each([
    ['a FIFO', (target: string) => execFileSync('mkfifo', [target])],
    ['a socket', (target: string) => once(createServer().listen(target).unref(), 'listening')],
  ])('is listed but neither read nor written nor waited for, in 16 concurrent calls: %s', async (_, make) => {
    const { root } = await scene();
    await make(path.join(root, 'special'));
    await using session = await connectFiles({ directories: [root] });
    await expectRefused(session, 'special');
    for (const error of await protocolErrors(session, path.join(root, 'special')))
      expect(String(error)).toContain('NOT_REGULAR_FILE');
    expect(await session.text('read_text_file', { path: 'ok.txt' })).toBe('ok');
    expect(await session.text('get_file_info', { path: 'special' })).toContain('type: other');
    expect(await session.text('list_directory', { path: '.' })).toContain('special');
    expect(await session.text('search_files', { path: '.', pattern: 'special' })).toContain('special');
    expect(await session.text('replace_in_files', { path: '.', pattern: 'ok', replacement: 'fine' })).toContain(
      'Replaced 1 in 1',
    );
  });

  it.runIf(process.platform === 'linux').each(['null', 'zero', 'full'])(
    'is neither read nor written: the device %s',
    async (device) => {
      await using session = await connectFiles({ directories: ['/dev'] });
      await expectRefused(session, device);
      for (const error of await protocolErrors(session, `/dev/${device}`)) expect(String(error)).toContain('NOT_REGULAR_FILE');
      expect(await session.text('get_file_info', { path: device })).toContain('type: other');
    },
  );

  it('is rejected as a link loop if it is one', async () => {
    const { root } = await scene();
    await symlink('loop', path.join(root, 'loop'));
    await using session = await connectFiles({ directories: [root] });
    for (const [tool, rest] of CALLS) expect(await session.fails(tool, { path: 'loop', ...rest })).toMatch(/^SYMLINK_LOOP/);
  });

  it('is not read if it has a second hard link outside and the operator denies such files', async () => {
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

  it('is not loaded if it is a sparse file with a size of a terabyte', async () => {
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

/**
 * Expects an error from each tool that needs a regular file or a directory. Each tool for files is called 16 times at once, so
 * that calls that wait for the special file would fail the test.
 */
async function expectRefused(session: Session, given: string): Promise<void> {
  for (const [tool, rest] of FILE_CALLS.filter(
    ([name, { hash, asLink }]) => name !== 'get_file_info' || hash === true || asLink,
  )) {
    const calls = Array.from({ length: 16 }, () => session.fails(tool, { path: given, ...rest }));
    for (const text of await Promise.all(calls)) expect(text, tool).toMatch(/^NOT_REGULAR_FILE/);
  }
  for (const [tool, rest] of DIRECTORY_CALLS)
    expect(await session.fails(tool, { path: given, ...rest }), tool).toMatch(/^NOT_DIRECTORY/);
}
