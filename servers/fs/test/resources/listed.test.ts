import { EventEmitter, once } from 'node:events';
import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { connect, ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { rootsAt } from '../fixtures/rooted.ts';
import { connectFiles, serverFor, temporaryDirectory } from '../fixtures/temporary.ts';

async function uris({ client }: Session): Promise<readonly string[]> {
  return (await client.listResources()).resources.map(({ uri }) => uri);
}

describe.each(ERAS)('the listed resources, on a %s connection,', (era) => {
  it("are the operator's directories, each with the time of its last change", async () => {
    const base = await temporaryDirectory();
    const [first, second] = [path.join(base, 'a b'), path.join(base, 'c\nd')];
    await mkdir(first);
    await mkdir(second);
    for (const [directory, time] of [
      [first, '2026-01-02T03:04:05.000Z'],
      [second, '2025-01-02T03:04:05.000Z'],
    ] as const)
      await utimes(directory, 0, new Date(time));
    await using session = await connectFiles({ directories: [first], ro: [second] }, era);
    expect((await session.client.listResources()).resources).toEqual([
      {
        uri: pathToFileURL(first).href,
        name: first,
        title: 'a b',
        description: 'A readable and writable directory with all files below it',
        mimeType: 'inode/directory',
        annotations: { lastModified: '2026-01-02T03:04:05.000Z' },
      },
      {
        uri: pathToFileURL(second).href,
        name: path.join(base, String.raw`c\u{a}d`),
        title: String.raw`c\u{a}d`,
        description: 'A read-only directory with all files below it',
        mimeType: 'inode/directory',
        annotations: { lastModified: '2025-01-02T03:04:05.000Z' },
      },
    ]);
  });

  it('can be read', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a.txt'), '');
    await using session = await connectFiles({ ro: [root, '/'] }, era);
    for (const uri of await uris(session))
      expect((await session.client.readResource({ uri })).contents).toMatchObject([{ uri, mimeType: 'inode/directory' }]);
    expect(await uris(session)).toEqual([pathToFileURL(root).href, 'file:///']);
  });

  it('are added and removed with the directories, and clients are notified', async () => {
    const base = await temporaryDirectory();
    const [there, missing] = [path.join(base, 'there'), path.join(base, 'missing')];
    await mkdir(there);
    await using session = await connectFiles({ directories: [there, missing] }, era);
    const heard = new EventEmitter();
    session.client.setNotificationHandler('notifications/resources/list_changed', () => void heard.emit('change'));
    if (era === 'modern') await session.client.listen({ resourcesListChanged: true });
    expect(await uris(session)).toEqual([pathToFileURL(there).href]);
    await Promise.all([once(heard, 'change'), mkdir(missing)]);
    expect(await uris(session)).toEqual([pathToFileURL(there).href, pathToFileURL(missing).href]);
    await Promise.all([once(heard, 'change'), rename(there, path.join(base, 'away'))]);
    expect(await uris(session)).toEqual([pathToFileURL(missing).href]);
  });

  it('are empty without directories of the operator, whatever the client allows', async () => {
    const roots = rootsAt(await temporaryDirectory());
    await using session = await connect(serverFor({ directories: [] }), { era, roots: () => roots });
    expect(await session.text('list_allowed_directories')).toContain('Allowed directories:');
    expect(await uris(session)).toEqual([]);
  });
});
