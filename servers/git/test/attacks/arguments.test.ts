import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectGit, git, repositoryOf, writeIn } from '../temporary.ts';

/** What a call may leave in the directory above the repository, and in the repository: nothing new. */
async function namesAround(top: string): Promise<readonly string[]> {
  const around = await readdir(path.dirname(top));
  return [...around, ...(await readdir(top))];
}

function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n' }],
    ['Extend', { 'a.txt': 'one\ntwo\n' }],
  ]);
}

const OPTIONS = [
  '--output=x',
  '--output=../x',
  '-O/etc/passwd',
  '--contents=/etc/passwd',
  '--no-index',
  '--help',
  '-f',
  '-m',
  '-D main',
  '--orphan=x',
  '--exec-path=x',
  '--upload-pack=touch x',
  '--all',
  '-',
  '--',
];

/** Where a caller's text becomes part of a command line. */
const PLACES: readonly (readonly [string, string, (text: string) => Readonly<Record<string, unknown>>, RegExp])[] = [
  ['git_log', 'revision', (revision) => ({ revision }), /^INVALID_REVISION/],
  ['git_log', 'cursor', (cursor) => ({ cursor }), /^INVALID_ARGUMENTS/],
  ['git_log', 'start', (start_timestamp) => ({ start_timestamp }), /^INVALID_ARGUMENTS/],
  ['git_log', 'end', (end_timestamp) => ({ end_timestamp }), /^INVALID_ARGUMENTS/],
  ['git_diff', 'target', (target) => ({ target }), /^INVALID_REVISION/],
  ['git_diff', 'range', (target) => ({ target: `HEAD..${target}` }), /^INVALID_REVISION/],
  ['git_show', 'revision', (revision) => ({ revision }), /^INVALID_REVISION/],
  ['git_branch', 'contains', (contains) => ({ contains }), /^INVALID_REVISION/],
  ['git_branch', 'not_contains', (not_contains) => ({ not_contains }), /^INVALID_REVISION/],
  ['git_create_branch', 'name', (branch_name) => ({ branch_name }), /^INVALID_REF_NAME/],
  ['git_create_branch', 'base', (base_branch) => ({ branch_name: 'new', base_branch }), /^INVALID_REVISION/],
  ['git_checkout', 'name', (branch_name) => ({ branch_name }), /^INVALID_REF_NAME/],
  ['git_blame', 'revision', (revision) => ({ path: 'a.txt', revision }), /^INVALID_REVISION/],
  ['git_blame', 'path', (given) => ({ path: given }), /^PATH_NOT_FOUND/],
  ['git_add', 'file', (file) => ({ files: [file] }), /^PATH_NOT_FOUND/],
  ['git_init', 'branch', (initial_branch) => ({ repo_path: 'new', initial_branch }), /^INVALID_REF_NAME/],
  ['git_clone', 'url', (url) => ({ url, path: 'new' }), /^INVALID_URL/],
  ['git_clone', 'branch', (branch) => ({ url: 'https://[::1]/x', path: 'new', branch }), /^INVALID_REF_NAME/],
  ['git_fetch', 'remote', (remote) => ({ remote }), /^INVALID_REF_NAME/],
  ['git_fetch', 'branch', (branch) => ({ branch }), /^INVALID_REF_NAME/],
  ['git_pull', 'remote', (remote) => ({ remote, branch: 'main' }), /^INVALID_REF_NAME/],
  ['git_pull', 'branch', (branch) => ({ branch }), /^INVALID_REF_NAME/],
  ['git_push', 'remote', (remote) => ({ remote }), /^INVALID_REF_NAME/],
  ['git_push', 'branch', (branch) => ({ branch }), /^INVALID_REF_NAME/],
  ['git_remote_add', 'name', (name) => ({ name, url: 'https://[::1]/x' }), /^INVALID_REF_NAME/],
  ['git_remote_add', 'url', (url) => ({ name: 'new', url }), /^INVALID_URL/],
  ['git_remote_set_url', 'name', (name) => ({ name, url: 'https://[::1]/x' }), /^INVALID_REF_NAME/],
  ['git_remote_set_url', 'url', (url) => ({ name: 'new', url }), /^INVALID_URL/],
  ['git_remote_remove', 'name', (name) => ({ name }), /^INVALID_REF_NAME/],
  ['git_status', 'repository', (repo_path) => ({ repo_path }), /^NOT_FOUND/],
];

describe('an option in place of a name', () => {
  it.each(PLACES)('is refused, and nothing is written: %s %s', async (tool, _, inputOf, refusal) => {
    const top = await project();
    const before = await namesAround(top);
    const tip = git(top, ['rev-parse', 'main']);
    await using session = await connectGit({ directories: [top] });
    for (const option of OPTIONS) expect(await session.fails(tool, inputOf(option)), option).toMatch(refusal);
    expect(await namesAround(top)).toEqual(before);
    expect(git(top, ['for-each-ref', '--format=%(refname) %(objectname)'])).toBe(`refs/heads/main ${tip}`);
  });

  it('that starts programs is not even looked for', async () => {
    await using session = await connectGit({ directories: [await project()] });
    expect(await session.fails('git_log', { pickaxe: '--upload-pack=touch x' })).toMatch(/^INVALID_ARGUMENTS/);
  });

  it.each(OPTIONS.filter((option) => !option.startsWith('--upload-pack')))(
    'is only a text that is looked for, and only a path, in a log: %s',
    async (option) => {
      const top = await project();
      const before = await namesAround(top);
      await using session = await connectGit({ directories: [top] });
      expect(await session.text('git_log', { pickaxe: option })).toBe('No commits found');
      expect(await session.text('git_log', { paths: [option] })).toBe('No commits found');
      expect(await session.text('git_diff', { target: 'HEAD~1', paths: [option] })).toBe('No differences');
      expect(await namesAround(top)).toEqual(before);
    },
  );
});

describe('a branch that is called like an option', () => {
  it.each(['--output=x', '-f', '--orphan=x', '--all'])('is a branch where it is asked for as a revision: %s', async (name) => {
    const top = await project();
    git(top, ['update-ref', `refs/heads/${name}`, 'HEAD~1']);
    const before = await namesAround(top);
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_show', { revision: name })).toContain('Begin');
    expect(await session.text('git_diff', { target: name })).toContain('+two');
    expect(await session.text('git_log', { revision: name })).toContain('Begin');
    expect(await session.text('git_branch', { contains: name })).toContain(name);
    expect(await session.fails('git_checkout', { branch_name: name })).toMatch(/^INVALID_REF_NAME/);
    expect(await namesAround(top)).toEqual(before);
  });
});

describe('a file that is called like an option or a pattern', () => {
  it.each(['--output=x', '-A', '--pathspec-from-file=passwd', ':(top)*', ':!a.txt', '*.txt', '[a].txt'])(
    'is that file and no other: %s',
    async (name) => {
      const top = await project();
      await writeIn(top, name, 'x\n');
      await writeIn(top, 'b.txt', 'x\n');
      await using session = await connectGit({ directories: [top] });
      expect((await session.call('git_add', { files: [name] })).structuredContent).toMatchObject({ staged: [name] });
      await session.call('git_commit', { message: 'Name' });
      expect(await session.text('git_blame', { path: name })).toContain('1\tx');
      expect((await session.call('git_log', { paths: [name] })).structuredContent).toMatchObject({
        commits: [{ message: 'Name' }],
      });
      expect(await session.text('git_status')).toBe('On branch main\nuntracked: b.txt');
    },
  );
});

describe('a commit message', () => {
  it.each(['-F/etc/passwd', '--amend', '-m x', '# only a comment', "$(touch x)'`touch x`"])(
    'is taken literally: %s',
    async (message) => {
      const top = await project();
      await writeIn(top, 'b.txt', 'x');
      const before = await namesAround(top);
      await using session = await connectGit({ directories: [top] });
      await session.call('git_add', { files: ['b.txt'] });
      await session.call('git_commit', { message });
      expect(git(top, ['log', '--format=%B', '-1']).trim()).toBe(message);
      expect(git(top, ['rev-list', '--count', 'HEAD']).trim()).toBe('3');
      expect(await namesAround(top)).toEqual(before);
    },
  );

  it.each(['', ' \n ', 'a\0b'])('that says nothing, or has a NUL, is refused: %j', async (message) => {
    await using session = await connectGit({ directories: [await project()] });
    expect(await session.fails('git_commit', { message })).toMatch(/^INVALID_ARGUMENTS/);
  });
});

describe('a revision', () => {
  it.each([
    ['with a NUL', 'HEAD\0--output=x'],
    ['with a newline', 'HEAD\nHEAD'],
    ['that is empty', ''],
    ['that is endless', 'H'.repeat(100_000)],
    ['that names a file outside', 'HEAD:../../etc/passwd'],
    ['that names a file', 'HEAD:a.txt'],
    ['that names several', '--all'],
    ['that is a range', 'HEAD~1..HEAD'],
  ])('%s names no commit', async (_, revision) => {
    await using session = await connectGit({ directories: [await project()] });
    expect(await session.fails('git_show', { revision })).toMatch(/^INVALID_REVISION/);
  });

  it('with characters of a shell is a name', async () => {
    const top = await project();
    const name = 'a;touch$IFS"x"&`id`|$(id)';
    await using session = await connectGit({ directories: [top] });
    await session.call('git_create_branch', { branch_name: name });
    expect(await session.text('git_checkout', { branch_name: name })).toContain(name);
    expect(await session.text('git_show', { revision: name })).toContain('Extend');
    expect(await readdir(top)).toEqual(['.git', 'a.txt']);
  });
});
