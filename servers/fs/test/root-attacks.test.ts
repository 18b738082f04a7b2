import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { expectUntouched, failures, protocolErrors, scene, type Scene } from './fixtures/scene.ts';
import { connectFiles } from './fixtures/temporary.ts';

/**
 * Each test case has a change of a root while the server runs, the function that makes the change, and the resulting error code.
 */
const CHANGES: readonly (readonly [change: string, happens: (scene: Scene) => Promise<unknown>, code: string])[] = [
  ['renamed away', ({ root }) => rename(root, away(root)), 'ROOT_UNAVAILABLE'],
  ['deleted and created again', ({ root }) => rm(root, { recursive: true }).then(() => mkdir(root)), 'ROOT_CHANGED'],
  [
    'replaced by a link to outside',
    ({ root, outside }) => rename(root, away(root)).then(() => symlink(outside, root)),
    'ROOT_CHANGED',
  ],
];

describe.skipIf(process.platform === 'win32')('a root', () => {
  it.each(CHANGES)('is rejected by every tool after it was %s while the server runs', async (_, happens, code) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    await happens(place);
    for (const given of ['secret.txt', 'new.txt'])
      for (const [tool, text] of Object.entries(await failures(session, given)))
        expect(text, tool).toMatch(new RegExp(`^${code}`));
    for (const error of await protocolErrors(session, path.join(place.root, 'secret.txt'))) expect(String(error)).toContain(code);
    await rm(away(place.root), { recursive: true, force: true });
    await rm(place.root, { recursive: true, force: true });
    await mkdir(place.root);
    await expectUntouched(place);
  });

  it('is used again after it was restored', async () => {
    const { root } = await scene();
    await using session = await connectFiles({ directories: [root] });
    await rename(root, away(root));
    expect(await session.fails('read_text_file', { path: 'ok.txt' })).toMatch(/^ROOT_UNAVAILABLE/);
    await rename(away(root), root);
    expect(await session.text('read_text_file', { path: 'ok.txt' })).toBe('ok');
  });

  it('is used as soon as it exists, even if it is missing at the start', async () => {
    const { root } = await scene();
    const late = path.join(root, 'late');
    await using session = await connectFiles({ directories: [late] });
    expect(await session.fails('read_text_file', { path: 'a.txt' })).toMatch(/^ROOT_UNAVAILABLE/);
    await mkdir(late);
    await writeFile(path.join(late, 'a.txt'), 'a');
    expect(await session.text('read_text_file', { path: 'a.txt' })).toBe('a');
  });

  it('is not written if it is read-only, not even through a link from a writable root', async () => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root], ro: [place.outside] });
    for (const given of ['dir-link/secret.txt', 'dir-link/new.txt', 'file-link', path.join(place.outside, 'new.txt')])
      expect(await session.fails('write_file', { path: given, content: 'OWNED' }), given).toMatch(/^READ_ONLY/);
    expect(await session.text('read_text_file', { path: 'dir-link/secret.txt' })).toBe('SECRET');
    await expectUntouched(place);
  });

  it('prevents the start if it is a file', async () => {
    const { root } = await scene();
    await expect(connectFiles({ directories: [path.join(root, 'ok.txt')] })).rejects.toThrow(`${root}/ok.txt is not a directory`);
  });
});

describe.runIf(process.platform === 'linux')('the root of the file system', () => {
  it.each(['/proc/version', '/proc/self/environ', '/sys/kernel', '/dev/null', '/dev'])(
    'does not give access to files of the kernel: %s',
    async (given) => {
      await using session = await connectFiles({ directories: ['/'] });
      for (const tool of ['read_text_file', 'list_directory', 'get_file_info'])
        expect(await session.fails(tool, { path: given }), tool).toMatch(/^DENIED_BY_POLICY/);
      const created = `/dev/shm/mcp-fs-${crypto.randomUUID()}`;
      expect(await session.fails('write_file', { path: created, content: '' })).toMatch(/^DENIED_BY_POLICY/);
    },
  );

  it('grants access to files that are not denied', async () => {
    const { root } = await scene();
    await using session = await connectFiles({ directories: ['/'] });
    expect(await session.text('read_text_file', { path: path.join(root, 'ok.txt') })).toBe('ok');
  });
});

function away(root: string): string {
  return `${root}-away`;
}
