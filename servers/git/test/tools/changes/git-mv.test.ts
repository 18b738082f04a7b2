import { symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { CONFIRMS, recover } from '../../fixtures/confirming.ts';
import { connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';
import { project, read } from '../../fixtures/three-files.ts';

describe('git_mv', () => {
  it('renames files and directories, and creates missing directories', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_mv', { source: 'a.txt', destination: 'x/y/a.txt' })).toBe('Moved a.txt to x/y/a.txt');
    await session.call('git_mv', { source: 'd', destination: 'e' });
    expect(git(top, ['status', '--porcelain'])).toBe('R  d/c.txt -> e/c.txt\nR  a.txt -> x/y/a.txt\n');
  });

  it('requests confirmation before it replaces a file, tracked or not, and keeps the file in a backup', async () => {
    const top = await project();
    await writeIn(top, 'there.txt', 'untracked\n');
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const { structuredContent } = await session.call('git_mv', { source: 'a.txt', destination: 'there.txt' });
    await session.call('git_mv', { source: 'd/c.txt', destination: 'b.txt' });
    expect(session.elicited.all.map(({ message }) => message.split('\n')[0])).toEqual([
      'Replace there.txt with a.txt?',
      'Replace b.txt with d/c.txt?',
    ]);
    expect(await read(top, 'b.txt')).toBe('c\n');
    await recover(session, { structuredContent });
    expect(await read(top, 'there.txt')).toBe('untracked\n');
  });

  it('never moves anything out of the work tree', async () => {
    const top = await project();
    await repositoryOf([['Nested', { n: 'x' }]], path.join(top, 'nested'));
    await symlink(path.dirname(top), path.join(top, 'link'));
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    for (const [place, destination, refusal] of [
      ['the git directory', '.git/hooks/pre-commit', /^INVALID_PATH/],
      ['the git directory by another spelling', '.GIT/hooks/pre-commit', /^INVALID_PATH/],
      ['the git directory of a repository inside', 'nested/.git/hooks/x', /^INVALID_PATH/],
      ['a repository inside', 'nested/x', /^INVALID_PATH/],
      ['a path below a link', 'link/x', /^INVALID_PATH/],
      ['a place behind a file', 'b.txt/x', /^INVALID_PATH/],
      ['a directory', 'd', /^INVALID_PATH/],
      ['a place outside', '../x', /^PATH_OUTSIDE_ROOTS/],
      ['the top', '.', /^INVALID_PATH/],
    ] as const)
      expect(await session.fails('git_mv', { repo_path: top, source: 'a.txt', destination }), place).toMatch(refusal);
    expect(await read(top, 'a.txt')).toBe('one\ntwo\n');
  });

  it('moves only tracked files', async () => {
    const top = await project();
    await writeIn(top, 'new.txt', 'x');
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_mv', { source: 'new.txt', destination: 'x.txt' })).toMatch(/^PATH_NOT_FOUND/);
    expect(await session.fails('git_mv', { source: '.', destination: 'x' })).toMatch(/^INVALID_PATH/);
  });
});
