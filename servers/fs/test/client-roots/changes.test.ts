import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { connect, ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { undoIdOf } from '../fixtures/trees.ts';
import { place, rootsAt } from '../fixtures/rooted.ts';
import { CALLS } from '../fixtures/scene.ts';
import { connectFiles, serverFor, temporaryState } from '../fixtures/temporary.ts';

/** Tools that take paths. Each function creates arguments with a given path, which the client may not access. */
const USES: readonly (readonly [tool: string, input: (given: string) => Readonly<Record<string, unknown>>])[] = [
  ...CALLS.map(([tool, rest]) => [tool, (given: string) => ({ path: given, ...rest })] as const),
  ['create_directory', (given) => ({ path: given })],
  ['copy_file', (given) => ({ source: given, destination: 'copy' })],
  ['copy_file', (given) => ({ source: 'a.txt', destination: given, overwrite: true })],
  ['move_file', (given) => ({ source: given, destination: 'moved' })],
  ['move_file', (given) => ({ source: 'a.txt', destination: given, overwrite: true })],
  ['delete_file', (given) => ({ path: given, recursive: true, permanent: true })],
];

describe.each(ERAS)('roots that a client narrows, on a %s connection,', (era) => {
  async function narrowed(root: string, stateDir: string): Promise<Session> {
    const server = serverFor({ directories: [root], stateDir });
    return connect(server, { era, roots: () => rootsAt(path.join(root, 'open')) });
  }

  it('narrow every tool', async () => {
    const root = await place();
    await using session = await narrowed(root, temporaryState());
    for (const given of ['../closed/b.txt', path.join(root, 'closed/b.txt'), path.join(root, 'closed'), root])
      for (const [tool, input] of USES) expect(await session.fails(tool, input(given)), tool).toMatch(/^PATH_OUTSIDE_ROOTS/);
    const { _meta } = await session.call('read_multiple_files', { paths: [path.join(root, 'closed/b.txt'), 'a.txt'] });
    expect(_meta).toMatchObject({ files: [{ error: { code: 'PATH_OUTSIDE_ROOTS' } }, { ok: true }] });
    await session.text('replace_in_files', { path: '.', pattern: 'open', replacement: 'opened' });
    expect(await readFile(path.join(root, 'open/a.txt'), 'utf8')).toBe('opened');
    expect(await readFile(path.join(root, 'closed/b.txt'), 'utf8')).toBe('closed');
    expect((await readdir(root)).sort()).toEqual(['closed', 'open']);
  });

  it('narrow the changes that are listed and undone, and hide all other changes', async () => {
    const root = await place();
    const stateDir = temporaryState();
    await using wide = await connectFiles({ directories: [root], stateDir });
    const own = await undoIdOf(wide, 'write_file', { path: 'open/a.txt', content: 'new' });
    const others = [
      await undoIdOf(wide, 'write_file', { path: 'closed/b.txt', content: 'new' }),
      await undoIdOf(wide, 'move_file', { source: 'closed/b.txt', destination: 'open/b.txt' }),
      await undoIdOf(wide, 'create_directory', { path: 'closed/c' }),
    ];
    await using session = await narrowed(root, stateDir);
    const { structuredContent } = await session.call('list_changes');
    expect(structuredContent).toMatchObject({ changes: [{ undoId: own }] });
    for (const undoId of others)
      for (const force of [false, true])
        expect(await session.fails('undo_change', { undoId, force })).toBe(
          `NOT_FOUND: the journal has no change "${undoId}"\nlist_changes lists the changes that can be undone`,
        );
    await session.text('undo_change', { undoId: own });
    expect(await readFile(path.join(root, 'open/a.txt'), 'utf8')).toBe('open');
    expect(await readFile(path.join(root, 'open/b.txt'), 'utf8')).toBe('new');
    expect(await readdir(path.join(root, 'closed'))).toEqual(['c']);
  });

  it('narrow resources and prompts', async () => {
    const root = await place();
    await using session = await narrowed(root, temporaryState());
    const { client } = session;
    for (const name of ['closed/b.txt', 'closed', '']) {
      const uri = pathToFileURL(path.join(root, name)).href;
      await expect(client.readResource({ uri })).rejects.toThrow('PATH_OUTSIDE_ROOTS');
      for (const prompt of ['review_file', 'summarize_directory'])
        await expect(client.getPrompt({ name: prompt, arguments: { path: path.join(root, name) } })).rejects.toThrow(
          'PATH_OUTSIDE_ROOTS',
        );
    }
  });
});
