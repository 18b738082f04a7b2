import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, ERAS, REVISIONS, runProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { git, repositoryOf, temporaryDirectory, writeIn } from './fixtures/temporary.ts';

const BIN = fileURLToPath(new URL('../bin/mcp-git.js', import.meta.url));

function mcpGit(...args: readonly string[]): { readonly command: string; readonly args: string[] } {
  return { command: process.execPath, args: [BIN, ...args] };
}

function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n' }],
    ['Extend', { 'a.txt': 'one\ntwo\n' }],
  ]);
}

/** Calls of the tools of the default set except `IN_CONFLICTS`, in an order in which each call succeeds. */
const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['git_list_repositories', {}],
  ['git_status', {}],
  ['git_log', { max_count: 1 }],
  ['git_diff_unstaged', {}],
  ['git_diff', { target: 'HEAD~1' }],
  ['git_show', { revision: 'HEAD' }],
  ['git_blame', { path: 'a.txt' }],
  ['git_stash_push', { untracked: true }],
  ['git_stash_list', {}],
  ['git_stash_apply', {}],
  ['git_stash_drop', { dry_run: true }],
  ['git_add', { files: ['b.txt'] }],
  ['git_diff_staged', {}],
  ['git_commit', { message: 'Third' }],
  ['git_reset', {}],
  ['git_restore', { paths: ['a.txt'] }],
  ['git_branch', {}],
  ['git_create_branch', { branch_name: 'new' }],
  ['git_checkout', { branch_name: 'new' }],
  ['git_merge', { revision: 'main' }],
  ['git_conflicts', {}],
  ['git_init', { repo_path: 'fresh' }],
];
const IN_CONFLICTS = ['git_continue', 'git_abort'];

describe.each(ERAS)('the mcp-git program on a %s connection', (era) => {
  it('lists and calls every tool', async () => {
    const top = await project();
    await writeIn(top, 'b.txt', 'x');
    await using session = await connectProcess(mcpGit(top), { era });
    expect(session.client.getNegotiatedProtocolVersion()).toBe(REVISIONS[era]);
    const names = await session.toolNames();
    expect([...names].sort()).toEqual([...CALLS.map(([name]) => name), ...IN_CONFLICTS].sort());
    for (const [name, args] of CALLS) expect(await session.text(name, args), name).not.toBe('');
    for (const name of IN_CONFLICTS) expect(await session.fails(name), name).toMatch(/^NO_OPERATION/);
    expect(await session.fails('git_show', { revision: 'mian' })).toContain('did you mean main?');
    expect(git(top, ['log', '--format=%s', '-1']).trim()).toBe('Third');
  });

  it('notifies clients about changes', async () => {
    const top = await project();
    await using session = await connectProcess(mcpGit(top), { era });
    const { structuredContent } = await session.call('git_status');
    const { repository } = structuredContent as { readonly repository: string };
    await using updates = await session.subscribe(`git://${repository}/status`);
    await writeIn(top, 'a.txt', 'changed');
    await updates.next();
    expect(updates.count).toBe(1);
  });

  it('completes revisions, and is narrowed by the roots of its client', async () => {
    const top = await project();
    const server = mcpGit(top);
    await using session = await connectProcess(server, { era });
    const ref = { type: 'ref/resource', uri: 'git://{repo}/blob/{rev}/{+path}' } as const;
    const { completion: repositories } = await session.client.complete({ ref, argument: { name: 'repo', value: '' } });
    const context = { arguments: { repo: repositories.values[0] ?? '' } };
    const { completion } = await session.client.complete({ ref, argument: { name: 'rev', value: 'ma' }, context });
    expect(completion.values).toEqual(['main']);
    await using denied = await connectProcess(server, { era, roots: () => [{ uri: 'file:///elsewhere' }] });
    expect(await denied.fails('git_status')).toMatch(/^(NOT_A_REPO|PATH_OUTSIDE_ROOTS)/);
  });

  it('offers only tools that change nothing with --read-only', async () => {
    const top = await project();
    await using session = await connectProcess(mcpGit('--read-only', top), { era });
    expect(await session.toolNames()).not.toContain('git_commit');
    expect(await session.toolNames()).toContain('git_log');
  });
});

describe('the mcp-git command line', () => {
  it('shows its help and its version', async () => {
    const help = await runProgram(mcpGit('--help'));
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('Usage: mcp-git [command] [options] [DIRECTORY …]');
    for (const flag of ['--max-bytes SIZE', '--max-entries N', '--max-commits N', '--timeout TIME', '--trust WHICH'])
      expect(help.stdout).toContain(flag);
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      readonly version: string;
    };
    expect(await runProgram(mcpGit('--version'))).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('lists its tools, resources and prompts', async () => {
    const { code, stdout } = await runProgram(mcpGit('list', '--read-only'));
    expect(code).toBe(0);
    expect(stdout).toContain('git_status');
    expect(stdout.slice(0, stdout.indexOf('Tool sets'))).not.toContain('git_commit');
  });

  it('offers the named tools and sets, and with --read-only only tools that change nothing', async () => {
    const { stdout } = await runProgram(mcpGit('manifest', '--tools', 'remote,git_log,git_commit', '--read-only'));
    const { tools } = JSON.parse(stdout) as { readonly tools: readonly { readonly name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['git_log', 'git_remote_list']);
  });

  it('checks git and the repositories it finds', async () => {
    const root = await temporaryDirectory();
    const good = await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'good'));
    const bad = await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'bad'));
    git(bad, ['config', 'filter.x.clean', 'touch x']);
    const { code, stdout } = await runProgram(mcpGit('check', root));
    expect(stdout).toContain("ok     roots: narrow: a client's roots narrow the directories;");
    expect(code).toBe(1);
    expect(stdout).toMatch(/ok {5}git: version 2\.\d+/);
    expect(stdout).toMatch(new RegExp(`ok {5}repository ${good}: available as good-[0-9a-f]{8}`));
    expect(stdout).toContain(`wrong  repository ${bad}: REPO_UNTRUSTED`);
    expect(await runProgram(mcpGit('check'))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('wrong  roots: no directories'),
    });
  });

  it.each([
    ['a number out of range', ['--max-bytes', '1'], '--max-bytes: expected at least 1kb and at most 1mb'],
    ['a number that is too large', ['--max-bytes', '99999999'], '--max-bytes: expected at least 1kb and at most 1mb'],
    ['no entries', ['--max-entries', '0'], '--max-entries: must not be less than 1'],
    ['no commits', ['--max-commits', '0'], '--max-commits: must not be less than 1'],
    ['no time', ['--timeout', '0s'], '--timeout'],
    ['no directories over HTTP', ['--http', '0'], 'over HTTP, the allowed directories must be given'],
    ['an invalid value of --trust', ['--trust', 'some'], '--trust: must be one of'],
    ['a file as directory', [BIN], `${BIN} is not a directory`],
  ])('exits with 2 and a sentence for %s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await runProgram(mcpGit(...args));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });
});
