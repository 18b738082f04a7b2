import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../fixtures/temporary.ts';
import { startShared } from '../fixtures/two-principals.ts';

/** A search whose regular expression runs until its thread is terminated. */
const BOMB = { path: 'bomb', pattern: '(a+)+$', regex: true } as const;
const BOMBS = Number(process.env['MCP_TEST_BOMBS'] ?? 12);

async function place(): Promise<string> {
  const root = await temporaryDirectory();
  for (const directory of ['bomb', 'plain']) await mkdir(path.join(root, directory));
  // Every thread of a search receives some of these files.
  for (let file = 0; file < 128; file += 1) await writeFile(path.join(root, 'bomb', `${file}.txt`), `${'a'.repeat(60)}!\n`);
  await writeFile(path.join(root, 'plain', 'note.txt'), 'needle\n');
  return root;
}

/** Starts `BOMBS` searches, and waits until the server has received them. Resolves to a function that counts ended searches. */
async function bombed(session: Session): Promise<() => number> {
  let ended = 0;
  for (let count = 0; count < BOMBS; count += 1)
    void session.start('search_content', BOMB).result.then(
      () => (ended += 1),
      () => (ended += 1),
    );
  // The server reads requests in order, so this answer shows that all searches were received.
  await session.text('list_allowed_directories');
  return () => ended;
}

describe('a principal that fills all threads with endless regular expressions', () => {
  it.each([
    ['search_content', { path: 'plain', pattern: 'needle' }, 'needle'],
    ['search_files', { path: 'plain', pattern: 'note' }, 'note.txt'],
    ['list_directory', { path: 'plain' }, 'note.txt'],
    ['directory_tree', { path: 'plain' }, 'note.txt'],
  ])('does not delay %s of another principal', async (tool, args, expected) => {
    await using shared = await startShared('--max-search-time', '10m', await place());
    const bob = await shared.connectAs('bob');
    const ended = await bombed(bob);
    await using ada = await shared.connectAs('ada');
    expect(await ada.text(tool, args)).toContain(expected);
    expect(ended()).toBe(0);
  });
});

describe('searches that wait for a thread', () => {
  it('wait no longer than the time limit of a search', async () => {
    await using session = await connectFiles({ directories: [await place()], maxSearchTime: 100 });
    const ends = await Promise.all(Array.from({ length: BOMBS }, () => session.fails('search_content', BOMB)));
    expect(ends).toContain(
      [
        'OVERLOADED: no thread became free within the time limit of the list or search',
        'try again when other calls have finished; the operator can raise the limit with --max-search-time',
      ].join('\n'),
    );
    expect(ends.filter((text) => !/^(?:OVERLOADED|TIMEOUT)/.test(text))).toEqual([]);
  });

  it('are rejected if a session queues hundreds of them, and other tools still work', async () => {
    await using session = await connectFiles({ directories: [await place()], maxSearchTime: 600_000 });
    const search = async (): Promise<unknown> => session.client.callTool({ name: 'search_content', arguments: BOMB });
    // Most of these calls are pending when the session is closed, and then fail. The test ignores these errors.
    const calls = Array.from({ length: 300 }, () => search().catch(() => undefined));
    const refused = { isError: true, content: [{ text: expect.stringMatching(/^OVERLOADED: 256 lists and searches/) }] };
    expect(await Promise.race(calls)).toMatchObject(refused);
    expect(await session.text('list_directory', { path: 'plain' })).toContain('note.txt');
  });
});
