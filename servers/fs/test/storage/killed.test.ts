import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { thisProcess } from '@org/mcp-host';
import { connectProcess } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { ChangeSupport } from '../../src/change/change-support.ts';
import { mcpFs } from '../fixtures/mcp-fs.ts';
import { connectFiles, optionsWith, temporaryDirectory, temporaryState } from '../fixtures/temporary.ts';

/** Minimum number of times that the server is killed. For a thorough run, which takes minutes, set `MCP_TEST_KILLS=200`. */
const KILLS = Number(process.env['MCP_TEST_KILLS'] ?? 10);
const SIZE = 2_000_000;

/**
 * Starts a server that writes repeatedly, and kills it some time after the first write: `part` times the duration of this write.
 */
async function killedWhileWriting(root: string, state: string, part: number): Promise<void> {
  const session = await connectProcess(mcpFs('--state-dir', state, root));
  const pid = (session.client.transport as unknown as { readonly pid: number }).pid;
  const write = (round: number): Promise<unknown> =>
    session.client.callTool({ name: 'write_file', arguments: { path: 'f', content: String(round % 10).repeat(SIZE) } });
  const began = performance.now();
  await write(0);
  const patience = (performance.now() - began) * part;
  const writing = (async () => {
    for (let round = 1; ; round += 1) await write(round);
  })().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, patience));
  process.kill(pid, 'SIGKILL');
  await writing;
  await session[Symbol.asyncDispose]();
}

describe('a server that is killed during a write', () => {
  it(
    `leaves the old or the new content, and a journal that can be used, at least ${KILLS} times`,
    { timeout: KILLS * 10_000 },
    async () => {
      const root = await temporaryDirectory();
      const state = temporaryState();
      const file = path.join(root, 'f');
      await writeFile(file, 'x'.repeat(SIZE));
      let brokenOff = 0;
      for (let kill = 0; kill < KILLS || brokenOff === 0; kill += 1) {
        await killedWhileWriting(root, state, Math.random());
        brokenOff += (await readdir(root)).length - 1;
        const content = await readFile(file, 'latin1');
        expect(content.length).toBe(SIZE);
        expect(content === content.charAt(0).repeat(SIZE)).toBe(true);
      }
      await (await connectFiles({ directories: [root], stateDir: state }))[Symbol.asyncDispose]();
      expect(await readdir(root)).toEqual(['f']);
      expect(await readdir(path.join(state, 'writing'))).toEqual([]);
      await using session = await connectFiles({ directories: [root], stateDir: state });
      await session.text('write_file', { path: 'f', content: 'last' });
      const { structuredContent } = await session.call('list_changes', { limit: 200 });
      const { changes } = structuredContent as { readonly changes: readonly { readonly undoId: string }[] };
      await session.text('undo_change', { undoId: changes[0]!.undoId });
      expect((await readFile(file)).length).toBe(SIZE);
    },
  );

  it('does not block the file: its lock is taken over', async () => {
    const root = await temporaryDirectory();
    const state = temporaryState();
    await writeFile(path.join(root, 'f'), 'x'.repeat(SIZE));
    for (let kill = 0; kill < 3; kill += 1) await killedWhileWriting(root, state, kill / 3);
    await using session = await connectFiles({ directories: [root], stateDir: state, lockTimeout: 5000 });
    expect(await session.text('write_file', { path: 'f', content: 'mine' })).toContain('Replaced');
    const locks = await readdir(path.join(state, 'locks'));
    expect(locks.filter((name) => !name.endsWith('.owner'))).toEqual([]);
  });
});

describe('a temporary file of a killed process', () => {
  const dead = '.mcp-4194305-00000000-0000-4000-8000-000000000000.tmp';
  const alive = `.mcp-${process.pid}-00000000-0000-4000-8000-000000000000.tmp`;
  const young = '.mcp-4194306-00000000-0000-4000-8000-000000000000.tmp';
  const linked = '.mcp-4194305-00000000-0000-4000-8000-000000000001.tmp';
  const other = '.mcp-notes.tmp';

  it.each([
    ['removed when the next one starts', { readOnly: false }, []],
    ['left by a server that changes nothing', { readOnly: true }, [dead]],
  ])('is %s in a noted directory', async (_, options, left) => {
    const [root, elsewhere] = [await temporaryDirectory(), await temporaryDirectory()];
    const stateDir = temporaryState();
    for (const directory of [root, elsewhere]) await writeFile(path.join(directory, dead), 'x');
    await writeFile(path.join(root, other), 'x');
    const owner = { ...thisProcess(), pid: 4_194_305, started: 'before' };
    const lines = [owner, root, elsewhere, path.join(root, 'gone')].map((line) => JSON.stringify(line));
    await mkdir(path.join(stateDir, 'writing'), { recursive: true, mode: 0o700 });
    await writeFile(path.join(stateDir, 'writing/note'), [...lines, '"broken o'].join('\n'));
    await (await connectFiles({ directories: [root], stateDir, ...options }))[Symbol.asyncDispose]();
    expect(await readdir(root)).toEqual([...left, other]);
    expect(await readdir(elsewhere)).toEqual([dead]);
    await (await connectFiles({ directories: [elsewhere], stateDir }))[Symbol.asyncDispose]();
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('is removed despite invalid notes, and no other file is removed', async () => {
    const [root, outside] = [await temporaryDirectory(), await temporaryDirectory()];
    const stateDir = temporaryState();
    const notes = path.join(stateDir, 'writing');
    const directories = ['ro', 'denied', 'sub'].map((name) => path.join(root, name));
    for (const directory of directories) await mkdir(directory);
    for (const directory of [root, outside, ...directories]) await writeFile(path.join(directory, dead), 'x');
    await symlink(outside, path.join(root, 'link'));
    await symlink(path.join(root, other), path.join(root, linked));
    await mkdir(path.join(notes, '0'), { recursive: true, mode: 0o700 });
    execFileSync('mkfifo', [path.join(notes, '1')]);
    await symlink('1', path.join(notes, '2'));
    const owner = { ...thisProcess(), pid: 4_194_305, started: 'before' };
    const named = [outside, path.join(root, 'link'), `${root}/../${path.basename(outside)}`, '/', ...directories, root];
    await writeFile(path.join(notes, '3'), [owner, 5, null, ...named].map((line) => JSON.stringify(line)).join('\n'));
    const access = { ro: [path.join(root, 'ro')], deny: ['denied'] };
    await (await connectFiles({ directories: [root], stateDir, ...access }))[Symbol.asyncDispose]();
    const left = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.tmp') && !name.startsWith('link'));
    expect(left.sort()).toEqual([linked, path.join('denied', dead), path.join('ro', dead)]);
    expect(await readdir(outside)).toEqual([dead]);
    expect(await readdir(notes)).toEqual(['0', '1', '2', '3']);
  });

  it('is removed at the next write into the directory, if it is an hour old', async () => {
    const root = await temporaryDirectory();
    for (const name of [dead, alive, young, other]) await writeFile(path.join(root, name), 'x');
    const old = new Date(Date.now() - 3_700_000);
    for (const name of [dead, alive, other]) await utimes(path.join(root, name), old, old);
    await mkdir(path.join(root, 'sub'));
    await using session = await connectFiles({ directories: [root] });
    await session.text('write_file', { path: 'sub/f', content: '' });
    expect(await readdir(root)).toContain(dead);
    await session.text('write_file', { path: 'f', content: '' });
    expect((await readdir(root)).sort()).toEqual([young, other, alive, 'f', 'sub'].sort());
  });
});

describe('a lock', () => {
  it('fails with TIMEOUT if another process does not release it', async () => {
    const root = await temporaryDirectory();
    const state = temporaryState();
    await using other = new ChangeSupport(state, optionsWith({}));
    await using session = await connectFiles({ directories: [root], stateDir: state, lockTimeout: 200 });
    const { Roots } = await import('@org/mcp-roots');
    await using roots = await Roots.open([root]);
    await using place = await roots.findEntryToWrite('f');
    await other.locks.during([place], new AbortController().signal, async () => {
      expect(await session.fails('write_file', { path: 'f', content: '' })).toMatch(
        /^TIMEOUT: other changes of ".*f" take too long/,
      );
      expect(await session.text('write_file', { path: 'g', content: '' })).toContain('Created');
    });
    expect(await session.text('write_file', { path: 'f', content: '' })).toContain('Created');
  });

  it('is not acquired by a call that was cancelled while waiting', async () => {
    const root = await temporaryDirectory();
    const state = temporaryState();
    await using other = new ChangeSupport(state, optionsWith({}));
    const { Roots } = await import('@org/mcp-roots');
    await using roots = await Roots.open([root]);
    await using place = await roots.findEntryToWrite('f');
    const nothing = (): Promise<void> => Promise.resolve();
    await other.locks.during([place], new AbortController().signal, async () => {
      await expect(other.locks.during([place], AbortSignal.abort(new Error('enough')), nothing)).rejects.toThrow('enough');
      const waiting = new AbortController();
      const second = other.locks.during([place], waiting.signal, nothing);
      waiting.abort(new Error('enough'));
      await expect(second).rejects.toThrow('enough');
    });
    await other.locks.during([place], new AbortController().signal, nothing);
  });
});
