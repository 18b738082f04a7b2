import { readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory, temporaryState } from '../fixtures/temporary.ts';
import { place, treeOf, undoIdOf } from '../fixtures/trees.ts';

const HEAD = '"id":"zzzzzzzzz-00000000","time":"","tool":""';
const NO_RECORDS = [
  '',
  'null',
  '[]',
  '{}',
  `{${HEAD}}`,
  `{${HEAD},"steps":[null]}`,
  `{${HEAD},"steps":[{"kind":"other"}]}`,
  `{${HEAD},"steps":[{"kind":"move","from":"/a"}]}`,
  `{${HEAD},"steps":[{"kind":"put","path":"/a","before":{"type":"none"}}]}`,
  `{${HEAD},"steps":[{"kind":"put","path":"/a","before":{"type":"none"},"after":{"type":"file","hash":"../../x","size":0,"mode":0}}]}`,
  `{${HEAD},"steps":[{"kind":"put","path":"/a","before":{"type":"none"},"after":{"type":"directory","mode":0,"entries":[0]}}]}`,
];

describe('list_changes', () => {
  it('lists the latest change first, one page at a time', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    for (let index = 0; index < 5; index += 1) await session.text('write_file', { path: `f${index}`, content: '' });
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { structuredContent, content } = await session.call('list_changes', {
        limit: 2,
        ...(cursor !== undefined && { cursor }),
      });
      const page = structuredContent as {
        readonly changes: readonly { readonly paths: readonly string[] }[];
        readonly nextCursor?: string;
      };
      expect(page.changes.length).toBeLessThanOrEqual(2);
      names.push(...page.changes.flatMap(({ paths }) => paths.map((each) => path.basename(each))));
      cursor = page.nextCursor;
      const note = `\n[2 changes are shown; for earlier changes continue with cursor ${cursor}.]`;
      expect(JSON.stringify(content).includes(JSON.stringify(note).slice(1, -1))).toBe(cursor !== undefined);
    } while (cursor !== undefined);
    expect(names).toEqual(['f4', 'f3', 'f2', 'f1', 'f0']);
  });

  it.each([0, -1, 0.5, 201])('rejects a limit of %d', async (limit) => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails('list_changes', { limit })).toMatch(/^INVALID_ARGUMENTS/);
  });
});

describe('the journal', () => {
  it('is private and stores each content once', async () => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    for (const name of ['a', 'b']) await writeFile(path.join(root, name), 'the same');
    await using session = await connectFiles({ directories: [root], stateDir });
    for (const name of ['a', 'b']) await session.text('delete_file', { path: name });
    expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(stateDir)) expect((await stat(path.join(stateDir, name))).mode & 0o777).toBe(0o700);
    const contents = await readdir(path.join(stateDir, 'contents'), { recursive: true, withFileTypes: true });
    expect(contents.filter((entry) => entry.isFile())).toHaveLength(1);
  });

  it('is created only by the first change', async () => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    await using session = await connectFiles({ directories: [root], stateDir });
    await session.text('list_directory', { path: '.' });
    await expect(stat(stateDir)).rejects.toThrow('ENOENT');
  });

  it('removes the oldest changes above its size limit, with the contents that only they need', async () => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    await using session = await connectFiles({ directories: [root], stateDir, maxJournalBytes: 1_048_576 });
    for (let index = 0; index < 4; index += 1) {
      await writeFile(path.join(root, 'f'), Buffer.alloc(400_000, String(index)));
      await session.text('delete_file', { path: 'f' });
    }
    const { structuredContent } = await session.call('list_changes');
    const { changes } = structuredContent as { readonly changes: readonly { readonly undoId: string }[] };
    expect(changes).toHaveLength(2);
    await session.text('undo_change', { undoId: changes[1]!.undoId });
    expect(await readFile(path.join(root, 'f'), 'latin1')).toBe('2'.repeat(400_000));
    expect(await contentsOf(stateDir)).toHaveLength(2);
  });

  it('removes expired changes', async () => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    const first = await connectFiles({ directories: [root], stateDir });
    await first.text('write_file', { path: 'f', content: '' });
    await first[Symbol.asyncDispose]();
    const folder = path.join(stateDir, 'changes');
    const [record] = await readdir(folder);
    const old = (Date.now() - 31 * 86_400_000).toString(36).padStart(9, '0');
    await rename(path.join(folder, record!), path.join(folder, `${old}-00000000.0.json`));
    await using second = await connectFiles({ directories: [root], stateDir });
    await second.text('write_file', { path: 'g', content: '' });
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('rejects an undo whose content is no longer stored, and changes nothing', async () => {
    const root = await place();
    const stateDir = temporaryState();
    await using session = await connectFiles({ directories: [root], stateDir });
    const undoId = await undoIdOf(session, 'delete_file', { path: 'sub', recursive: true });
    await rm(path.join(stateDir, 'contents'), { recursive: true });
    const before = await treeOf(root);
    expect(await session.fails('undo_change', { undoId })).toMatch(/^NOT_FOUND: the previous content is no longer stored/);
    expect(await treeOf(root)).toEqual(before);
  });

  it('restores no damaged content and stores it again with the next change', async () => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    await writeFile(path.join(root, 'f'), 'before');
    await using session = await connectFiles({ directories: [root], stateDir });
    const undoId = await undoIdOf(session, 'write_file', { path: 'f', content: 'after' });
    const [kept] = await contentsOf(stateDir);
    await writeFile(kept!, 'others');
    expect(await session.fails('undo_change', { undoId })).toMatch(/^IO: the stored content of .* is damaged/);
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('after');
    await writeFile(path.join(root, 'g'), 'before');
    await session.text('delete_file', { path: 'g' });
    await session.text('undo_change', { undoId });
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('before');
  });

  it.each(NO_RECORDS)('ignores files that are not records: %s', async (text) => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    await using session = await connectFiles({ directories: [root], stateDir });
    const undoId = await undoIdOf(session, 'write_file', { path: 'f', content: '' });
    await writeFile(path.join(stateDir, 'changes/zzzzzzzzz-00000000.0.json'), text);
    const { structuredContent } = await session.call('list_changes');
    expect(structuredContent).toMatchObject({ changes: [{ undoId }] });
    expect(await session.fails('undo_change', { undoId: 'zzzzzzzzz-00000000' })).toMatch(/^NOT_FOUND/);
  });

  it('does not follow a link that replaces it while the server runs, and writes nothing', async () => {
    const root = await temporaryDirectory();
    const elsewhere = await temporaryDirectory();
    const stateDir = temporaryState();
    await using session = await connectFiles({ directories: [root], stateDir });
    await symlink(elsewhere, stateDir);
    expect(await session.fails('write_file', { path: 'f', content: '' })).toMatch(
      /^IO: the server's state directory cannot be used/,
    );
    expect(await readdir(root)).toEqual([]);
    expect(await readdir(elsewhere)).toEqual([]);
  });
});

describe('a removed state directory', () => {
  it('is created again, so that the next call works', async () => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    await using session = await connectFiles({ directories: [root], stateDir });
    await session.text('write_file', { path: 'f', content: '1' });
    await rm(stateDir, { recursive: true });
    expect(await session.fails('write_file', { path: 'f', content: '2' })).toMatch(/^IO: the server's state directory/);
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('1');
    const undoId = await undoIdOf(session, 'write_file', { path: 'f', content: '3' });
    await session.text('undo_change', { undoId });
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('1');
  });
});

async function contentsOf(stateDir: string): Promise<readonly string[]> {
  const entries = await readdir(path.join(stateDir, 'contents'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
