import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { CONFIRMS } from '../fixtures/confirming.ts';
import { connectGit, git, repositoryOf, writeIn } from '../fixtures/temporary.ts';
import { OPTIONS, PLACES } from '../fixtures/attacks/places.ts';

/** Returns the names in the repository and in the directory above it, so that a test finds files that a call created. */
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

describe('an option in place of a name', () => {
  it.each(PLACES)('is rejected, and nothing is written: %s %s', async (tool, _, inputOf, refusal) => {
    const top = await project();
    const before = await namesAround(top);
    const tip = git(top, ['rev-parse', 'main']);
    await using session = await connectGit({ directories: [top] });
    const answers = await Promise.all(OPTIONS.map((option) => session.fails(tool, inputOf(option))));
    for (const [position, option] of OPTIONS.entries()) expect(answers[position], option).toMatch(refusal);
    expect(git(top, ['status', '--porcelain'])).toBe('');
    expect(await namesAround(top)).toEqual(before);
    expect(git(top, ['for-each-ref', '--format=%(refname) %(objectname)'])).toBe(`refs/heads/main ${tip}`);
  });

  it('is rejected as a search text if it could start a program', async () => {
    await using session = await connectGit({ directories: [await project()] });
    expect(await session.fails('git_log', { pickaxe: '--upload-pack=touch x' })).toMatch(/^INVALID_ARGUMENTS/);
  });

  it.each(OPTIONS.filter((option) => !option.startsWith('--upload-pack')))(
    'is treated as text or as a path by tools that search: %s',
    async (option) => {
      const top = await project();
      const before = await namesAround(top);
      await using session = await connectGit({ directories: [top] });
      expect(await session.text('git_log', { pickaxe: option })).toBe('No commits found');
      expect(await session.text('git_log', { pickaxe: option, regex: true })).toBe('No commits found');
      expect(await session.text('git_log', { author: option })).toBe('No commits found');
      expect(await session.text('git_log', { grep: option })).toBe('No commits found');
      expect(await session.text('git_log', { paths: [option] })).toBe('No commits found');
      expect(await session.text('git_diff', { target: 'HEAD~1', paths: [option] })).toBe('No differences');
      expect(await session.text('git_grep', { pattern: option })).toBe('No lines found');
      expect(await session.text('git_grep', { pattern: 'one', paths: [option] })).toBe('No lines found');
      expect(await session.text('git_grep', { pattern: 'one', globs: [option] })).toBe('No lines found');
      expect(await session.text('git_ls_files', { paths: [option] })).toBe('No files found');
      expect(await session.text('git_ls_files', { paths: [option], revision: 'HEAD' })).toBe('No files found');
      expect(await session.text('git_status', { paths: [option] })).toBe('On branch main\nNo changes');
      expect(await namesAround(top)).toEqual(before);
    },
  );
});

describe('a branch with the name of an option', () => {
  it.each(['--output=x', '-f', '--orphan=x', '--all'])(
    'is resolved as a branch if it is used as a revision: %s',
    async (name) => {
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
    },
  );
});

describe('a file whose name looks like an option or a pattern', () => {
  it.each(['--output=x', '-A', '--pathspec-from-file=passwd', ':(top)*', ':!a.txt', '*.txt', '[a].txt'])(
    'is the only file that tools stage, search and show: %s',
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
      expect(await session.text('git_grep', { pattern: 'x', paths: [name] })).toBe(`${name}\n1: x`);
      expect(await session.text('git_ls_files', { paths: [name] })).toBe(name);
      expect(await session.text('git_ls_files', { paths: [name], revision: 'HEAD' })).toBe(name);
      expect(await session.text('git_show', { revision: 'HEAD', path: name })).toBe('x\n');
    },
  );
});

describe('a commit message', () => {
  it.each(['-F/etc/passwd', '--amend', '-m x', '# only a comment', "$(touch x)'`touch x`"])(
    'is committed literally: %s',
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

  it.each(['', ' \n ', 'a\0b'])('is rejected if it is empty or contains a NUL: %j', async (message) => {
    await using session = await connectGit({ directories: [await project()] });
    expect(await session.fails('git_commit', { message })).toMatch(/^INVALID_ARGUMENTS/);
  });
});

describe('a text that looks like an option', () => {
  it.each(['--amend', '-F/etc/passwd', '--help', '--sign', '-d'])(
    'is stored literally as the message of a stash or a tag: %s',
    async (message) => {
      const top = await project();
      const before = await namesAround(top);
      await writeIn(top, 'a.txt', 'changed\n');
      await using session = await connectGit({ directories: [top] });
      await session.call('git_stash_push', { message });
      expect(git(top, ['stash', 'list', '--format=%gs'])).toBe(`On main: ${message}\n`);
      await session.call('git_tag_create', { name: 'v1', message });
      expect(git(top, ['tag', '--list', '--format=%(contents)']).trim()).toBe(message);
      expect(await namesAround(top)).toEqual(before);
    },
  );

  it.each(['--source=HEAD', '-A', '--pathspec-from-file=passwd', ':(top)*', ':!a.txt', '*.txt', '--cached'])(
    'or a pattern selects only the file with this name in tools that move, restore, clean or remove: %s',
    async (name) => {
      const top = await project();
      await writeIn(top, 'b.txt', 'x\n');
      await writeIn(top, 'loose.txt', 'x\n');
      git(top, ['add', 'b.txt']);
      git(top, ['commit', '--quiet', '--message=More']);
      await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
      await session.call('git_mv', { source: 'b.txt', destination: name });
      await session.call('git_commit', { message: 'Named' });
      await writeIn(top, name, 'changed\n');
      await writeIn(top, 'a.txt', 'changed, too\n');
      await session.call('git_restore', { paths: [name] });
      expect(git(top, ['status', '--porcelain'])).toBe(' M a.txt\n?? loose.txt\n');
      await writeIn(top, name, 'changed\n');
      await session.call('git_stash_push', { paths: [name] });
      await session.call('git_rm', { paths: [name] });
      await session.call('git_commit', { message: 'Gone' });
      await writeIn(top, name, 'untracked\n');
      await session.call('git_clean', { paths: [name] });
      expect(git(top, ['status', '--porcelain'])).toBe(' M a.txt\n?? loose.txt\n');
    },
  );
});

describe('a path outside the repository', () => {
  it('is rejected by every tool that changes files', async () => {
    await using session = await connectGit({ directories: [await project()] });
    for (const [tool, input] of [
      ['git_add', { files: ['../../.ssh/id_rsa'] }],
      ['git_reset', { paths: ['../../.ssh/id_rsa'] }],
      ['git_restore', { paths: ['../../.ssh/id_rsa'] }],
      ['git_clean', { paths: ['../../.ssh'] }],
      ['git_rm', { paths: ['/etc/passwd'] }],
      ['git_mv', { source: '/etc/passwd', destination: 'x' }],
      ['git_mv', { source: 'a.txt', destination: '../../.ssh/id_rsa' }],
      ['git_commit', { message: 'x', paths: ['../../.ssh/id_rsa'] }],
      ['git_stash_push', { paths: ['../../.ssh/id_rsa'] }],
    ] as const)
      expect(await session.fails(tool, input), tool).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });
});

describe('a revision', () => {
  it.each([
    ['with a NUL', 'HEAD\0--output=x'],
    ['with a newline', 'HEAD\nHEAD'],
    ['that is empty', ''],
    ['that is endless', 'H'.repeat(100_000)],
    ['that names a file outside', 'HEAD:../../etc/passwd'],
    ['that names several', '--all'],
    ['that is a range', 'HEAD~1..HEAD'],
  ])('%s is rejected as a commit and as an object', async (_, revision) => {
    await using session = await connectGit({ directories: [await project()] });
    expect(await session.fails('git_show', { revision })).toMatch(/^INVALID_REVISION/);
    expect(await session.fails('git_blame', { revision, path: 'a.txt' })).toMatch(/^INVALID_REVISION/);
  });

  it('is not resolved to a commit if it is the name of a file', async () => {
    await using session = await connectGit({ directories: [await project()] });
    expect(await session.fails('git_blame', { revision: 'HEAD:a.txt', path: 'a.txt' })).toMatch(/^INVALID_REVISION/);
    expect(await session.fails('git_diff', { target: 'HEAD:a.txt' })).toMatch(/^INVALID_REVISION/);
  });

  it('that contains shell metacharacters is resolved as a branch name and executes nothing', async () => {
    const top = await project();
    const name = 'a;touch$IFS"x"&`id`|$(id)';
    await using session = await connectGit({ directories: [top] });
    await session.call('git_create_branch', { branch_name: name });
    expect(await session.text('git_checkout', { branch_name: name })).toContain(name);
    expect(await session.text('git_show', { revision: name })).toContain('Extend');
    expect(await readdir(top)).toEqual(['.git', 'a.txt']);
  });
});
