import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { CONFIRMS } from '../fixtures/confirming.ts';
import { connectGit, git, idOf, repositoryOf, temporaryDirectory, writeIn } from '../fixtures/temporary.ts';

const LONG = 'x'.repeat(1_000_000);
/** Texts that together exceed the maximum length of a command line. */
const MANY = Array.from({ length: 1000 }, (_, number) => `${number}${'y'.repeat(4000)}`);

const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ...[
    'git_status',
    'git_log',
    'git_diff_unstaged',
    'git_ls_files',
    'git_reset',
    'git_restore',
    'git_rm',
    'git_clean',
    'git_stash_push',
  ].flatMap((tool) => [
    [tool, { paths: [LONG] }] as const,
    [tool, { paths: MANY }] as const,
    [tool, { paths: Array.from({ length: 10_000 }, String) }] as const,
  ]),
  ['git_status', { repo_path: LONG }],
  ['git_add', { files: [LONG] }],
  ['git_add', { files: MANY }],
  ['git_diff', { target: 'HEAD', cursor: LONG }],
  ['git_grep', { pattern: 'x', globs: [LONG] }],
  ['git_grep', { pattern: LONG }],
  ['git_log', { pickaxe: LONG }],
  ['git_log', { cursor: LONG }],
  ['git_show', { revision: LONG }],
  ['git_blame', { path: LONG }],
  ['git_mv', { source: LONG, destination: 'x' }],
  ['git_mv', { source: 'a.txt', destination: LONG }],
  ['git_commit', { message: 'x', paths: MANY }],
  ['git_commit', { message: 'x', allow_empty: true, author: `${LONG} <a@b>` }],
  ['git_merge', { revision: 'HEAD', message: LONG }],
  ['git_cherry_pick', { revisions: [LONG] }],
  ['git_tag_create', { name: LONG }],
  ['git_create_branch', { branch_name: LONG }],
  ['git_init', { repo_path: LONG }],
  ['git_clone', { url: `https://example.com/${LONG}`, path: 'x' }],
  ['git_worktree_add', { path: LONG }],
  ['git_remote_add', { name: LONG, url: 'https://example.com/x' }],
  ['git_reset', { mode: 'hard', confirm_token: LONG }],
];

describe('an argument of excessive length', () => {
  it('breaks no tool, is not repeated in a result, and changes nothing', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x\n' }]]);
    await writeIn(top, 'b.txt', 'x\n');
    const before = git(top, ['status', '--porcelain']) + git(top, ['for-each-ref']);
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    for (const [tool, input] of CALLS) {
      const { content } = await session.client.callTool({ name: tool, arguments: { ...input } });
      const text = JSON.stringify(content);
      const what = `${tool} ${Object.keys(input).join()}`;
      expect(text, what).not.toMatch(/INTERNAL|could not be started/);
      expect(text.length, what).toBeLessThan(20_000);
    }
    expect(git(top, ['status', '--porcelain']) + git(top, ['for-each-ref'])).toBe(before);
  });
});

const URIS = [
  'blob/HEAD/..%2f..%2fetc/passwd',
  'blob/HEAD/../../etc/passwd',
  'blob/HEAD/%2e%2e/%2e%2e/etc/passwd',
  'blob/HEAD//etc/passwd',
  'blob/HEAD/a.txt%00',
  'blob/HEAD%00/a.txt',
  'blob/HEAD%0aHEAD/a.txt',
  'blob/--output=x/a.txt',
  'blob/:%2FBegin/a.txt',
  'blob/HEAD/.git/config',
  'tree/HEAD/.git',
  'blob/HEAD/%ff',
  'blob/HEAD/%',
  `blob/HEAD/${LONG}`,
  `commit/${LONG}`,
  'commit/--output=x',
  'log?rev=--output=x',
  'log?cursor=--output=x',
  'diff/--output=x..HEAD',
  'conflict/2/..%2f..%2fetc%2fpasswd',
  'conflict/4/a.txt',
];

describe('a resource', () => {
  it('is not read through a URI that resolves to another path, and nothing is written', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x\n' }]]);
    await using session = await connectGit({ directories: [top] });
    const repo = await idOf(session);
    const uris = [...URIS.map((rest) => `git://${repo}/${rest}`), 'git://..%2f..%2fetc/status', `git://${repo}%00/status`];
    for (const uri of uris) await expect(session.client.readResource({ uri }), uri.slice(0, 80)).rejects.toThrow();
    expect(await readdir(top)).toEqual(['.git', 'a.txt']);
  });
});

describe('the path of another work tree', () => {
  it('is never reported if it is outside the allowed directories', async () => {
    const base = await temporaryDirectory();
    const top = await repositoryOf([['Begin', { 'a.txt': 'x\n' }]], path.join(base, 'root/project'));
    git(top, ['worktree', 'add', '--quiet', '-b', 'side', path.join(base, 'elsewhere')]);
    await using session = await connectGit({ directories: [path.join(base, 'root')] }, 'modern', CONFIRMS);
    for (const [tool, input] of [
      ['git_checkout', { branch_name: 'side' }],
      ['git_delete_branch', { branch_name: 'side' }],
      ['git_worktree_add', { path: 'x', branch: 'side' }],
    ] as const) {
      const text = await session.fails(tool, { repo_path: top, ...input });
      expect(text, tool).toMatch(/^CONFLICT: .* in another work tree\n/);
      expect(text, tool).not.toContain('elsewhere');
    }
    expect(await session.text('git_worktree_list')).not.toContain('elsewhere');
  });
});

describe('roots of a client that are a directory in a work tree', () => {
  it('never open the repository around it', async () => {
    const top = await repositoryOf([['Begin', { 'sub/a.txt': 'x\n' }]]);
    const roots = () => [{ uri: pathToFileURL(path.join(top, 'sub')).href }];
    await using session = await connectGit({ directories: [path.dirname(top)] }, 'modern', { roots });
    for (const repo_path of [undefined, '.', path.join(top, 'sub'), top])
      expect(await session.fails('git_log', repo_path === undefined ? {} : { repo_path })).toMatch(
        /^(?:NOT_A_REPO|PATH_OUTSIDE_ROOTS)/,
      );
  });
});

describe('thirty calls at once', () => {
  it('that read, write, fail or are cancelled while they wait all end, and the next call succeeds', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x\n' }]]);
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const calls = Array.from({ length: 30 }, async (_, number) => {
      if (number % 3 === 0) return session.text('git_commit', { message: `${number}`, allow_empty: true });
      if (number % 3 === 1) return session.fails('git_merge', { revision: 'nowhere' });
      const waiting = session.start('git_create_branch', { branch_name: `b${number}` });
      waiting.cancel();
      return waiting.result.catch(String);
    });
    await Promise.all(calls);
    expect(git(top, ['rev-list', '--count', 'HEAD']).trim()).toBe('11');
    await session.call('git_tag_create', { name: 'last' });
    expect(git(top, ['tag']).trim()).toBe('last');
  });
});
