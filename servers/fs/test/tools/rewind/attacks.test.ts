import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectAll, rewindTo } from '../../fixtures/rewinds.ts';
import { temporaryDirectory, temporaryState } from '../../fixtures/temporary.ts';

/** Ways to make a rewind read or write outside the directories. Each function runs after the tools have changed `d/f`. */
const ATTACKS: readonly (readonly [attack: string, change: (root: string, outside: string) => Promise<unknown>])[] = [
  [
    'the directory becomes a link out',
    async (root, outside) => {
      await rm(path.join(root, 'd'), { recursive: true });
      await symlink(outside, path.join(root, 'd'));
    },
  ],
  [
    'the file becomes a link out',
    async (root, outside) => {
      await rm(path.join(root, 'd/f'));
      await symlink(path.join(outside, 'f'), path.join(root, 'd/f'));
    },
  ],
  [
    'the file becomes a dangling link out',
    async (root, outside) => {
      await rm(path.join(root, 'd/f'));
      await symlink(path.join(outside, 'new'), path.join(root, 'd/f'));
    },
  ],
];

describe('a rewind', () => {
  it.each(ATTACKS)('neither reads nor writes outside the directories: %s', async (_, change) => {
    const [root, outside] = [await temporaryDirectory(), await temporaryDirectory()];
    await writeFile(path.join(outside, 'f'), 'SECRET');
    await mkdir(path.join(root, 'd'));
    await writeFile(path.join(root, 'd/f'), 'before');
    await using session = await connectAll(root);
    await session.text('checkpoint', { name: 'start' });
    await session.text('write_file', { path: 'd/f', content: 'after' });
    await change(root, outside);
    for (const more of [{}, { partial: true }, { force: true, partial: true }]) {
      const result = await session.client.callTool({ name: 'rewind', arguments: { to: 'start', apply: true, ...more } });
      expect(JSON.stringify(result)).not.toContain('SECRET');
    }
    expect(await readdir(outside)).toEqual(['f']);
    expect(await readFile(path.join(outside, 'f'), 'utf8')).toBe('SECRET');
  });

  it('leaves changes alone that the client may not access, and does not mention them', async () => {
    const base = await temporaryDirectory();
    const stateDir = temporaryState();
    const [mine, other] = [path.join(base, 'mine'), path.join(base, 'other')];
    for (const directory of [mine, other]) await mkdir(directory);
    await using session = await connectAll(mine, { stateDir });
    await session.text('checkpoint', { name: 'start' });
    await using stranger = await connectAll(other, { stateDir });
    await stranger.text('write_file', { path: 'theirs', content: 'x' });
    await session.text('write_file', { path: 'own', content: 'x' });
    const plan = await session.text('rewind', { to: 'start' });
    expect(plan).toContain('Plan to take back 1 change;');
    expect(plan).not.toContain('theirs');
    await rewindTo(session, 'start');
    expect([await readdir(mine), await readdir(other)]).toEqual([[], ['theirs']]);
  });

  it('changes nothing in a directory that may only be read now', async () => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    await using writer = await connectAll(root, { stateDir });
    await writer.text('checkpoint', { name: 'start' });
    await writer.text('write_file', { path: 'f', content: 'x' });
    await using reader = await connectAll(root, { stateDir, directories: [], ro: [root] });
    expect(await reader.fails('rewind', { to: 'start', apply: true })).toMatch(/^READ_ONLY/);
    expect(await readdir(root)).toEqual(['f']);
  });

  it('is not offered by a server that only reads', async () => {
    await using session = await connectAll(await temporaryDirectory(), { readOnly: true });
    const names = await session.toolNames();
    expect(names).toContain('diff_files');
    expect(names).not.toContain('rewind');
    expect(names).not.toContain('checkpoint');
  });

  it('does not restore a file whose name is denied now', async () => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    await using writer = await connectAll(root, { stateDir });
    await writer.text('checkpoint', { name: 'start' });
    await writer.text('write_file', { path: 'private', content: 'x' });
    await using strict = await connectAll(root, { stateDir, deny: ['private'] });
    expect(await strict.text('rewind', { to: 'start', apply: true })).toBe('Nothing to take back; 0 changes since');
    expect(await readdir(root)).toEqual(['private']);
  });

  it('of two callers at the same time is made once', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'before');
    await using session = await connectAll(root);
    await session.text('checkpoint', { name: 'start' });
    await session.text('write_file', { path: 'f', content: 'after' });
    const call = { name: 'rewind', arguments: { to: 'start', apply: true } };
    const results = await Promise.all(Array.from({ length: 5 }, () => session.client.callTool(call)));
    const texts = results.map(({ content }) => JSON.stringify(content));
    expect(texts.filter((text) => text.includes('; undo with'))).toHaveLength(1);
    expect(texts.every((text) => /undo with|CONFLICT|Nothing to take back/.test(text))).toBe(true);
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('before');
  });
});
