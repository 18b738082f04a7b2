import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectGit, git, repositoryOf, temporaryDirectory, writeIn } from '../fixtures/temporary.ts';

describe('repo_path', () => {
  it('is optional if the roots contain exactly one repository, at any depth', async () => {
    const root = await temporaryDirectory();
    await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'deep/project'));
    await using session = await connectGit({ directories: [root] });
    expect(await session.text('git_log')).toContain('Begin');
  });

  it('is required if the roots contain several repositories, which the error lists', async () => {
    const root = await temporaryDirectory();
    await repositoryOf([['One', { a: 'x' }]], path.join(root, 'one'));
    await repositoryOf([['Two', { a: 'x' }]], path.join(root, 'two'));
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_log')).toBe(
      `INVALID_ARGUMENTS: repo_path is required, because the allowed directories contain 2 repositories\n${root}/one\n${root}/two`,
    );
    expect(await session.text('git_log', { repo_path: 'two' })).toContain('Two');
    expect(await session.text('git_log', { repo_path: path.join(root, 'one') })).toContain('One');
  });

  it('may be a directory inside a repository, which selects this repository', async () => {
    const top = await repositoryOf([['Begin', { 'sub/a': 'x' }]]);
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_status', { repo_path: 'sub' })).toContain('On branch main');
  });

  it.each([
    ['a directory without a repository', '.', 'NOT_A_REPO'],
    ['a missing path', 'missing', 'NOT_FOUND'],
    ['a file', 'file.txt', 'NOT_DIRECTORY'],
    ['a path outside the roots', '..', 'PATH_OUTSIDE_ROOTS'],
  ])('is rejected if it is %s', async (_, repo_path, code) => {
    const directory = await temporaryDirectory();
    await writeIn(directory, 'file.txt', 'x');
    await using session = await connectGit({ directories: [directory] });
    expect(await session.fails('git_status', { repo_path })).toMatch(new RegExp(`^${code}`));
  });

  it('is rejected if the server has no directories', async () => {
    await using session = await connectGit({});
    expect(await session.fails('git_status')).toMatch(/^ROOTS_REQUIRED/);
  });

  it('may be a linked work tree', async () => {
    const root = await temporaryDirectory();
    const top = await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'main'));
    git(top, ['worktree', 'add', '--quiet', '-b', 'side', path.join(root, 'side')]);
    await using session = await connectGit({ directories: [root] });
    expect(await session.text('git_status', { repo_path: 'side' })).toContain('On branch side');
    await writeIn(path.join(root, 'side'), 'b', 'y');
    await session.call('git_add', { repo_path: 'side', files: ['b'] });
    expect(await session.text('git_commit', { repo_path: 'side', message: 'Beside' })).toContain('on side');
  });
});
