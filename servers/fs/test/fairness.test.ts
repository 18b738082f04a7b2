import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from './temporary.ts';
import { startShared } from './two-principals.ts';

/** A search that is in a regular expression until its thread is ended. */
const BOMB = { path: 'bomb', pattern: '(a+)+$', regex: true } as const;
const BOMBS = Number(process.env['MCP_TEST_BOMBS'] ?? 12);

async function place(): Promise<string> {
  const root = await temporaryDirectory();
  for (const directory of ['bomb', 'plain']) await mkdir(path.join(root, directory));
  // Each thread that takes part in a search gets some of them.
  for (let file = 0; file < 32; file += 1) await writeFile(path.join(root, 'bomb', `${file}.txt`), `${'a'.repeat(60)}!\n`);
  await writeFile(path.join(root, 'plain', 'note.txt'), 'needle\n');
  return root;
}

/** Starts bombs; resolves to how many have ended, once those that can run do. */
async function bombed(session: Session): Promise<() => number> {
  let ended = 0;
  for (let count = 0; count < BOMBS; count += 1)
    void session.start('search_content', BOMB).result.then(
      () => (ended += 1),
      () => (ended += 1),
    );
  // The server reads requests in their order.
  await session.text('list_allowed_directories');
  return () => ended;
}

describe('a principal that fills all threads with regular expressions that do not end', () => {
  it.each([
    ['search_content', { path: 'plain', pattern: 'needle' }, 'needle'],
    ['search_files', { path: 'plain', pattern: 'note' }, 'note.txt'],
    ['list_directory', { path: 'plain' }, 'note.txt'],
    ['directory_tree', { path: 'plain' }, 'note.txt'],
  ])('does not hold up %s of another one', async (tool, args, expected) => {
    await using shared = await startShared('--max-search-ms', '600000', await place());
    const bob = await shared.connectAs('bob');
    const ended = await bombed(bob);
    await using ada = await shared.connectAs('ada');
    expect(await ada.text(tool, args)).toContain(expected);
    expect(ended()).toBe(0);
  });
});

describe('searches that wait for a thread', () => {
  it('wait no longer than a search may take', async () => {
    await using session = await connectFiles({ directories: [await place()], maxSearchMs: 100 });
    const ends = await Promise.all(Array.from({ length: BOMBS }, () => session.fails('search_content', BOMB)));
    expect(ends).toContain(
      [
        'OVERLOADED: no thread came free in the time that the list or search may take',
        'try again when other calls are done; the operator sets that time with --max-search-ms',
      ].join('\n'),
    );
    expect(ends.filter((text) => !/^(?:OVERLOADED|TIMEOUT)/.test(text))).toEqual([]);
  });

  it('are refused where a session queues hundreds of them, and calls of other tools are answered', async () => {
    await using session = await connectFiles({ directories: [await place()], maxSearchMs: 600_000 });
    const search = async (): Promise<unknown> => session.client.callTool({ name: 'search_content', arguments: BOMB });
    // Most of them are under way when the session is closed.
    const calls = Array.from({ length: 300 }, () => search().catch(() => undefined));
    const refused = { isError: true, content: [{ text: expect.stringMatching(/^OVERLOADED: 256 lists and searches/) }] };
    expect(await Promise.race(calls)).toMatchObject(refused);
    expect(await session.text('list_directory', { path: 'plain' })).toContain('note.txt');
  });
});
