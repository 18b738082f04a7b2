import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { expectUntouched, failures, protocolErrors, scene, type Scene } from './scene.ts';
import { connectFiles } from './temporary.ts';

/** What becomes of a root while the server runs, and the code of all that is asked for then. */
const CHANGES: readonly (readonly [change: string, happens: (scene: Scene) => Promise<unknown>, code: string])[] = [
  ['renamed away', ({ root }) => rename(root, away(root)), 'ROOT_UNAVAILABLE'],
  ['deleted and created anew', ({ root }) => rm(root, { recursive: true }).then(() => mkdir(root)), 'ROOT_CHANGED'],
  [
    'replaced by a link to outside',
    ({ root, outside }) => rename(root, away(root)).then(() => symlink(outside, root)),
    'ROOT_CHANGED',
  ],
];

describe.skipIf(process.platform === 'win32')('a root', () => {
  it.each(CHANGES)('that is %s while the server runs is refused as such by everything', async (_, happens, code) => {
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

  it('that comes back is used again', async () => {
    const { root } = await scene();
    await using session = await connectFiles({ directories: [root] });
    await rename(root, away(root));
    expect(await session.fails('read_text_file', { path: 'ok.txt' })).toMatch(/^ROOT_UNAVAILABLE/);
    await rename(away(root), root);
    expect(await session.text('read_text_file', { path: 'ok.txt' })).toBe('ok');
  });

  it('that is missing at start is used once it is there', async () => {
    const { root } = await scene();
    const late = path.join(root, 'late');
    await using session = await connectFiles({ directories: [late] });
    expect(await session.fails('read_text_file', { path: 'a.txt' })).toMatch(/^ROOT_UNAVAILABLE/);
    await mkdir(late);
    await writeFile(path.join(late, 'a.txt'), 'a');
    expect(await session.text('read_text_file', { path: 'a.txt' })).toBe('a');
  });

  it('that may only be read is not written, also through a link from one that may be', async () => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root], ro: [place.outside] });
    for (const given of ['dir-link/secret.txt', 'dir-link/new.txt', 'file-link', path.join(place.outside, 'new.txt')])
      expect(await session.fails('write_file', { path: given, content: 'OWNED' }), given).toMatch(/^READ_ONLY/);
    expect(await session.text('read_text_file', { path: 'dir-link/secret.txt' })).toBe('SECRET');
    await expectUntouched(place);
  });

  it('that is a file ends the start', async () => {
    const { root } = await scene();
    await expect(connectFiles({ directories: [path.join(root, 'ok.txt')] })).rejects.toThrow(`${root}/ok.txt is not a directory`);
  });
});

describe.runIf(process.platform === 'linux')('the root of the file system', () => {
  it.each(['/proc/version', '/proc/self/environ', '/sys/kernel', '/dev/null', '/dev'])(
    'keeps what is the kernel’s: %s',
    async (given) => {
      await using session = await connectFiles({ directories: ['/'] });
      for (const tool of ['read_text_file', 'list_directory', 'get_file_info'])
        expect(await session.fails(tool, { path: given }), tool).toMatch(/^DENIED_BY_POLICY/);
      const created = `/dev/shm/mcp-fs-${crypto.randomUUID()}`;
      expect(await session.fails('write_file', { path: created, content: '' })).toMatch(/^DENIED_BY_POLICY/);
    },
  );

  it('gives what is not', async () => {
    const { root } = await scene();
    await using session = await connectFiles({ directories: ['/'] });
    expect(await session.text('read_text_file', { path: path.join(root, 'ok.txt') })).toBe('ok');
  });
});

function away(root: string): string {
  return `${root}-away`;
}
