import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { link, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';
import { pagesOf, shareFiles, treeOf } from '../../fixtures/tree-of.ts';

/** Calls that list or search a directory. Each call would find a name or a content with `secret`. */
const CALLS: readonly (readonly [string, object])[] = [
  ['list_directory', {}],
  ['list_directory_with_sizes', {}],
  ['directory_tree', { maxDepth: 9 }],
  ['search_files', { pattern: '**' }],
  ['search_content', { pattern: 'SECRET' }],
  ['search_content', { pattern: 'S[E]CRET', regex: true, multiline: true }],
];

async function answer(session: Session, [tool, args]: (typeof CALLS)[number], directory = '.'): Promise<string> {
  return JSON.stringify(await session.call(tool, { path: directory, ...args }));
}

/** Starts a process that repeatedly replaces a directory with a link and restores the directory. */
async function swapper(directory: string, other: string): Promise<ChildProcess> {
  const program = path.join(await temporaryDirectory(), 'swap.cjs');
  await writeFile(
    program,
    `const { renameSync } = require('node:fs'); const [, , one, other] = process.argv;
     process.send('ready');
     for (;;) { renameSync(one, one + '.x'); renameSync(other, one); renameSync(one, other); renameSync(one + '.x', one); }`,
  );
  const child = fork(program, [directory, other]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

describe('a walk', () => {
  const outside = shareFiles({ 'secret.txt': 'SECRET', 'dir/secret.txt': 'SECRET' });
  const linked = shareFiles({ 'ok.txt': 'ok' });
  const denying = shareFiles(
    {
      '.env': 'SECRET',
      'key.pem': 'SECRET',
      '.ssh/config': 'SECRET',
      'private/secret.txt': 'SECRET',
      'deep/private/secret.txt': 'SECRET',
      'config/db.json': 'SECRET',
    },
    { deny: ['private', 'config/*.json'] },
  );

  beforeAll(async () => {
    await symlink(path.join(outside.root, 'dir'), path.join(linked.root, 'dir-link'));
    await symlink(path.join(outside.root, 'secret.txt'), path.join(linked.root, 'file-link'));
    await symlink('/proc/self/root', path.join(linked.root, 'proc-link'));
  });

  it.each(CALLS)('with %s %j finds no entry behind a link', async (...call) => {
    const { session } = linked;
    const text = await answer(session, call);
    expect(text).not.toContain('secret.txt');
    expect(text).not.toContain(outside.root);
    expect(await session.fails(call[0], { path: 'dir-link', ...call[1] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it.each(CALLS)('with %s %j finds no denied file', async (...call) => {
    const { session } = denying;
    expect(await answer(session, call)).not.toMatch(/\.env|key\.pem|\.ssh|private|db\.json|"matches":\[\{[^\]]*SECRET/);
    expect(await answer(session, call, 'config')).not.toMatch(/db\.json|"matches":\[\{[^\]]*SECRET/);
  });

  // The 25 attempts suffice to detect a regression. The benchmark in bench/races makes many more.
  it.runIf(process.platform === 'linux')('finds nothing outside while a directory is swapped for a link', async () => {
    const other = await treeOf({ 'd/outside-secret.txt': 'SECRET', 'outside-secret.txt': 'SECRET' });
    const root = await treeOf({ 'a/victim/d/inside.txt': 'inside', 'a/victim/other.txt': 'inside' });
    await symlink(other, path.join(root, 'a/link'));
    await swapper(path.join(root, 'a/victim'), path.join(root, 'a/link'));
    await using session = await connectFiles({ directories: [root] });
    for (let attempt = 0; attempt < 25; attempt += 1)
      for (const call of CALLS) expect(await answer(session, call), call[0]).not.toContain('outside-secret');
  });

  it.skipIf(process.platform === 'win32')('finds nothing in a pipe and does not wait for it', async () => {
    const root = await treeOf({ 'a.txt': 'SECRET' });
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    await using session = await connectFiles({ directories: [root] });
    for (const call of CALLS) await answer(session, call);
    const { structuredContent } = await session.call('search_content', { path: '.', pattern: 'SECRET' });
    expect(structuredContent).toMatchObject({ matches: { length: 1 }, stats: { files: 1 } });
  });

  it('finds nothing in a file with a second hard link if these are denied', async () => {
    const outside = await treeOf({ 'secret.txt': 'SECRET' });
    const root = await treeOf({ 'a.txt': 'text' });
    await link(path.join(outside, 'secret.txt'), path.join(root, 'hard.txt'));
    await using session = await connectFiles({ directories: [root], hardLinks: 'deny' });
    const { structuredContent } = await session.call('search_content', { path: '.', pattern: 'SECRET' });
    expect(structuredContent).toMatchObject({ matches: [], stats: { unreadable: 1 } });
  });

  it('shows no name that forges lines', async () => {
    const root = await treeOf({ 'a\nb\u202e.txt': 'SECRET' });
    await using session = await connectFiles({ directories: [root] });
    for (const [tool, args] of CALLS.slice(0, 2))
      expect(await session.text(tool, { path: '.', ...args })).toContain('a\\u{a}b\\u{202e}.txt');
    expect(await session.text('search_content', { path: '.', pattern: 'SECRET' })).toContain('a\\u{a}b\\u{202e}.txt');
    expect(await session.text('directory_tree', { path: '.', format: 'compact' })).toBe('a\\u{a}b\\u{202e}.txt');
  });
});

describe('a search that would never end', () => {
  const BOMB = { path: '.', pattern: '^(a+)+$', regex: true };

  it('ends at its time limit, and other calls are served while it runs', async () => {
    const root = await treeOf({ 'bomb.txt': `${'a'.repeat(60)}!\n`, 'ok/fine.txt': 'SECRET' });
    await using session = await connectFiles({ directories: [root], maxSearchTime: 2000 });
    let isOver = false;
    const search = session.fails('search_content', BOMB).finally(() => (isOver = true));
    for (const call of CALLS.slice(0, 4)) await answer(session, call);
    expect(await session.text('list_allowed_directories')).toContain(root);
    expect(isOver).toBe(false);
    expect(await search).toMatch(/^TIMEOUT: the search reached its time limit\n/);
    expect(await answer(session, ['search_content', { pattern: 'SECRET' }])).toContain('fine.txt');
  });

  it('ends when it is cancelled, and another search starts', async () => {
    const root = await treeOf({ 'bomb.txt': `${'a'.repeat(60)}!\n`, 'ok/fine.txt': 'SECRET' });
    await using session = await connectFiles({ directories: [root], maxSearchTime: 600_000 });
    for (let round = 0; round < 3; round += 1) {
      const controller = new AbortController();
      const searches = Array.from({ length: 4 }, () => session.call('search_content', BOMB, { signal: controller.signal }));
      const outcome = Promise.allSettled(searches);
      await session.text('list_allowed_directories');
      controller.abort('enough');
      expect((await outcome).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'));
    }
    expect(await answer(session, ['search_content', { pattern: 'SECRET' }])).toContain('fine.txt');
  });

  it('over many files reports its position and continues from there', async () => {
    const names = Array.from({ length: 60 }, (_, number) => `d${number % 7}/f${number}`);
    const root = await treeOf(Object.fromEntries(names.map((name) => [name, `${'x'.repeat(100)}\nxy\n`])));
    await using session = await connectFiles({ directories: [root], maxSearchTime: 100 });
    const pages = await pagesOf(async (cursor) => {
      const args = { path: '.', pattern: 'x*x*x*y', regex: true, outputMode: 'files', ...cursor };
      return (await session.call('search_content', args)).structuredContent as Page;
    });
    const seen = pages.flatMap(({ files }) => files.map((file) => path.relative(root, file.path)));
    expect(pages.length).toBeGreaterThan(1);
    expect(seen.toSorted()).toEqual(names.toSorted());
  });
});

interface Page {
  readonly files: readonly { readonly path: string }[];
  readonly nextCursor?: string;
}

describe('a directory with very many entries', () => {
  it('is listed, shown as a tree and searched up to a limit', async () => {
    const root = await treeOf(Object.fromEntries(Array.from({ length: 300 }, (_, number) => [`many/f${number}`, ''])));
    await using session = await connectFiles({ directories: [root], maxScanned: 100 });
    expect(await session.text('list_directory', { path: 'many', limit: 100 })).toContain(
      '[The list is incomplete: it ended at --max-scanned entries or at the time limit (--max-search-time).]',
    );
    expect(await session.text('search_files', { path: 'many', pattern: 'nothing' })).toContain(
      '[0 matches are shown; the search ended at a limit, so narrow the pattern or the directory.]',
    );
    expect(await session.text('search_content', { path: 'many', pattern: 'nothing' })).toContain('the search ended at a limit');
  });
});
