import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { CASES, PATH_TOOLS, place, rootsAt } from '../fixtures/rooted.ts';

const OUTSIDE = /^PATH_OUTSIDE_ROOTS/;

async function expectNothingAllowed(session: Session, file: string, error: RegExp): Promise<void> {
  for (const [tool, rest] of PATH_TOOLS) expect(await session.fails(tool, { path: file, ...rest }), tool).toMatch(error);
  await expect(session.client.readResource({ uri: pathToFileURL(file).href })).rejects.toThrow();
  await expect(session.client.getPrompt({ name: 'review_file', arguments: { path: file } })).rejects.toThrow(
    new RegExp(error.source.slice(1)),
  );
}

describe.each(CASES)("a client's roots, over $name,", ({ connect, transport }) => {
  it('narrow the paths that every tool, resource and prompt may access', async () => {
    const root = await place();
    const closed = path.join(root, 'closed/b.txt');
    await using session = await connect({ directories: [root], roots: () => rootsAt(path.join(root, 'open')) });
    expect(await session.text('list_allowed_directories')).toBe(
      `Allowed directories:
${path.join(root, 'open')}
the client's roots (${path.join(root, 'open')}) narrow the server's directories (${root})
--roots off ignores the client's roots`,
    );
    expect(await session.text('read_text_file', { path: 'a.txt' })).toBe('open');
    const open = await session.client.readResource({ uri: pathToFileURL(path.join(root, 'open/a.txt')).href });
    expect(open).toMatchObject({ contents: [{ text: 'open' }] });
    await expectNothingAllowed(session, closed, OUTSIDE);
    expect(await readFile(closed, 'utf8')).toBe('closed');
  });

  it('can be several', async () => {
    const root = await place();
    const both = rootsAt(path.join(root, 'closed'), path.join(root, 'open'));
    await using session = await connect({ directories: [root], roots: () => both });
    expect(await session.text('read_text_file', { path: 'b.txt' })).toBe('closed');
    expect(await session.text('read_text_file', { path: path.join(root, 'open/a.txt') })).toBe('open');
    expect(await session.fails('list_directory', { path: root })).toMatch(OUTSIDE);
  });

  it.each([['file:///'], ['the directory above'], ['a neighbour']])(
    'never add to the directories that the operator allows, by %s',
    async (by) => {
      const root = await place();
      const [open, closed] = [path.join(root, 'open'), path.join(root, 'closed')];
      const roots = { 'file:///': ['/'], 'the directory above': [root], 'a neighbour': [closed, open] }[by] ?? [];
      await using session = await connect({ directories: [open], roots: () => rootsAt(...roots) });
      expect(await session.text('list_allowed_directories')).toBe(`Allowed directories:\n${open}`);
      expect(await session.text('read_text_file', { path: 'a.txt' })).toBe('open');
      await expectNothingAllowed(session, path.join(closed, 'b.txt'), OUTSIDE);
      expect(await session.fails('read_text_file', { path: '/etc/hostname' })).toMatch(OUTSIDE);
    },
  );

  it('are ignored if the list is empty: the directories of the operator apply', async () => {
    const root = await place();
    await using session = await connect({ directories: [root], roots: () => [] });
    expect(await session.text('list_allowed_directories')).toBe(`Allowed directories:\n${root}`);
    expect(await session.text('read_text_file', { path: 'open/a.txt' })).toBe('open');
  });

  it('are required if the operator named no directory and the list is empty', async () => {
    const root = await place();
    await using session = await connect({ directories: [], roots: () => [] });
    await expectNothingAllowed(session, path.join(root, 'open/a.txt'), /^ROOTS_REQUIRED/);
  });

  it('are not requested without the capability, and the directories of the operator apply', async () => {
    const root = await place();
    await using session = await connect({ directories: [root] });
    expect(await session.text('read_text_file', { path: 'open/a.txt' })).toBe('open');
    expect(await session.text('read_text_file', { path: 'closed/b.txt' })).toBe('closed');
  });

  it('are the boundary if the operator named no directory, except over HTTP', async () => {
    const root = await place();
    await using session = await connect({ directories: [], roots: () => rootsAt(path.join(root, 'open')) });
    if (transport === 'http') {
      await expectNothingAllowed(session, path.join(root, 'open/a.txt'), /^ROOTS_REQUIRED/);
      return;
    }
    expect(await session.text('write_file', { path: 'new.txt', content: 'x' })).toContain(path.join(root, 'open/new.txt'));
    await expectNothingAllowed(session, path.join(root, 'closed/b.txt'), OUTSIDE);
  });

  it('are required if the operator named no directory, and every call explains the remedy', async () => {
    const root = await place();
    await using session = await connect({ directories: [] });
    const required = /^ROOTS_REQUIRED: no directory is allowed\nstart the server with the allowed directories/;
    await expectNothingAllowed(session, path.join(root, 'open/a.txt'), required);
    const message = await session.fails('list_allowed_directories');
    expect(message).toMatch(required);
    expect(message.endsWith('or open a directory in a client that supports roots')).toBe(transport !== 'http');
  });

  it('apply again when they change, and removed roots are inaccessible in the same session', async () => {
    const root = await place();
    let allowed = ['open'];
    const roots = () => rootsAt(...allowed.map((directory) => path.join(root, directory)));
    await using session = await connect({ directories: [root], roots });
    const allow = async (...directories: readonly string[]): Promise<void> => {
      allowed = [...directories];
      await session.client.sendRootsListChanged().catch(() => undefined);
    };
    const closed = { path: path.join(root, 'closed/b.txt') };
    expect(await session.fails('read_text_file', closed)).toMatch(OUTSIDE);
    await allow('open', 'closed');
    expect(await session.text('read_text_file', closed)).toBe('closed');
    await allow('open');
    expect(await session.fails('read_text_file', closed)).toMatch(OUTSIDE);
    await allow('closed');
    expect(await session.fails('read_text_file', { path: path.join(root, 'open/a.txt') })).toMatch(OUTSIDE);
  });

  it('are ignored while they do not exist', async () => {
    const root = await place();
    const open = path.join(root, 'open');
    await using session = await connect({ directories: [root], roots: () => rootsAt(open) });
    expect(await session.text('read_text_file', { path: path.join(open, 'a.txt') })).toBe('open');
    await rm(open, { recursive: true });
    await session.fails('read_text_file', { path: path.join(open, 'a.txt') });
    expect(await session.fails('read_text_file', { path: path.join(root, 'closed/b.txt') })).toMatch(OUTSIDE);
    await mkdir(open);
    await writeFile(path.join(open, 'a.txt'), 'again');
    expect(await session.text('read_text_file', { path: path.join(open, 'a.txt') })).toBe('again');
  });

  it('do not limit subscriptions, unlike the directories of the operator', async () => {
    const root = await place();
    const [open, closed] = [path.join(root, 'open'), path.join(root, 'closed')];
    await using session = await connect({ directories: [closed], roots: () => rootsAt(open) });
    await using updates = await session.subscribe(pathToFileURL(path.join(closed, 'b.txt')).href);
    await writeFile(path.join(closed, 'b.txt'), 'new');
    await updates.next();
    await expect(session.subscribe(pathToFileURL(path.join(open, 'a.txt')).href)).rejects.toThrow();
  });

  it('cannot be listed or subscribed to if the operator named no directory', async () => {
    const root = await place();
    await using session = await connect({ directories: [], roots: () => rootsAt(root) });
    const { resources } = await session.client.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith('file:'))).toEqual([]);
    await expect(session.subscribe(pathToFileURL(path.join(root, 'open/a.txt')).href)).rejects.toThrow();
  });
});

describe.each(CASES)('the option --roots, over $name, with the value', ({ connect }) => {
  it('only rejects a client without roots, with an explanation', async () => {
    const root = await place();
    await using session = await connect({ directories: [root], use: 'only' });
    const refused =
      /^ROOTS_REQUIRED: the client does not support roots, and the server requires roots that limit its directories \(.*\)\n.*--roots narrow$/;
    await expectNothingAllowed(session, path.join(root, 'open/a.txt'), refused);
    expect(await session.fails('list_allowed_directories')).toMatch(refused);
  });

  it('only narrows to the roots of a client', async () => {
    const root = await place();
    await using session = await connect({ directories: [root], use: 'only', roots: () => rootsAt(path.join(root, 'open')) });
    expect(await session.text('read_text_file', { path: 'a.txt' })).toBe('open');
    await expectNothingAllowed(session, path.join(root, 'closed/b.txt'), OUTSIDE);
  });

  it('off requests no roots', async () => {
    const root = await place();
    const asked: string[] = [];
    const roots = () => {
      asked.push('roots');
      return rootsAt(path.join(root, 'open'));
    };
    await using session = await connect({ directories: [root], use: 'off', roots });
    expect(await session.text('read_text_file', { path: 'closed/b.txt' })).toBe('closed');
    expect(asked).toEqual([]);
  });

  it('off allows nothing if the operator named no directory', async () => {
    const root = await place();
    await using session = await connect({ directories: [], use: 'off', roots: () => rootsAt(root) });
    const required = /^ROOTS_REQUIRED: no directory is allowed\nstart the server with the allowed directories/;
    await expectNothingAllowed(session, path.join(root, 'open/a.txt'), required);
  });
});
