import { chmod, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

describe('staging everything', () => {
  it('has the same result as git add', async () => {
    const top = await repositoryOf([
      ['Begin', { a: 'x', 'd/b': 'x', 'd/c': 'x', e: 'x', 'f/g': 'x', h: 'x', '.gitignore': 'i\n' }],
    ]);
    await writeIn(top, 'a', 'changed');
    await rm(path.join(top, 'd/b'));
    await rm(path.join(top, 'e'));
    await writeIn(top, 'e/now-a-directory', 'x');
    await rm(path.join(top, 'f'), { recursive: true });
    await writeIn(top, 'f', 'now a file');
    await chmod(path.join(top, 'h'), 0o755);
    await symlink('a', path.join(top, 'link'));
    await writeIn(top, 'new/deep', 'x');
    await writeIn(top, 'i', 'ignored');
    git(top, ['add', '--all']);
    const expected = git(top, ['ls-files', '--stage']);
    git(top, ['reset', '--quiet']);
    await using session = await connectGit({ directories: [top] });
    await session.call('git_add', { files: ['.'] });
    expect(git(top, ['ls-files', '--stage'])).toBe(expected);
  });

  it('resolves a conflict', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    git(top, ['switch', '--quiet', '--create', 'other']);
    await writeIn(top, 'a', 'theirs');
    git(top, ['commit', '--quiet', '--all', '--message=theirs']);
    git(top, ['switch', '--quiet', 'main']);
    await writeIn(top, 'a', 'ours');
    git(top, ['commit', '--quiet', '--all', '--message=ours']);
    expect(() => git(top, ['merge', 'other'])).toThrow('Command failed');
    await writeIn(top, 'a', 'both');
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_add', { files: ['a'] })).toBe('staged a');
    expect(await session.text('git_commit', { message: 'Merge' })).toContain('Merge (1 file)');
    expect(git(top, ['log', '-1', '--format=%P']).trim().split(' ')).toHaveLength(2);
  });

  it('does not stage a nested repository, and reports it', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    await repositoryOf([['Nested', { b: 'x' }]], path.join(top, 'nested'));
    await using session = await connectGit({ directories: [top] });
    expect((await session.call('git_add', { files: ['.'] })).structuredContent).toEqual({
      staged: [],
      skipped: [{ path: 'nested/', reason: 'nested repository' }],
      truncated: false,
    });
  });
});

describe('git_add', () => {
  it('stages all files, or only tracked files', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
    await writeIn(top, 'a.txt', 'changed\n');
    await writeIn(top, 'dir/new.txt', 'x');
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_add', { update: true })).toBe('staged a.txt');
    expect(await session.text('git_add', { all: true })).toBe('staged a.txt\nstaged dir/new.txt');
    expect(await session.text('git_add', { all: true })).toBe('staged a.txt\nstaged dir/new.txt');
    expect(await session.fails('git_add', { update: true, files: ['missing'] })).toMatch(/^PATH_NOT_FOUND/);
    for (const input of [{}, { files: [] }, { all: true, files: ['a.txt'] }, { all: true, update: true }])
      expect(await session.fails('git_add', input)).toMatch(/^INVALID_ARGUMENTS/);
  });
});
