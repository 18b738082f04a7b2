import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { CONFIRMS, recover, tokenOf } from '../../fixtures/confirming.ts';
import { connectGit, git, writeIn } from '../../fixtures/temporary.ts';
import { project, read } from '../../fixtures/three-files.ts';

describe('git_restore', () => {
  it('discards changes of the work tree after confirmation, and returns the command that restores them', async () => {
    const top = await project();
    await writeIn(top, 'a.txt', 'mine\n');
    await writeIn(top, 'b.txt', 'untouched\n');
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const { structuredContent } = await session.call('git_restore', { paths: ['a.txt'] });
    expect(structuredContent).toMatchObject({ paths: ['a.txt'], staged: false, worktree: true });
    expect(await read(top, 'a.txt')).toBe('one\ntwo\n');
    expect(await read(top, 'b.txt')).toBe('untouched\n');
    await recover(session, { structuredContent });
    expect(await read(top, 'a.txt')).toBe('mine\n');
  });

  it.each([
    ['what was deleted comes back', 'b.txt', { paths: ['b.txt'] }],
    ['only the index is restored', 'staged.txt', { paths: ['.'], staged: true }],
    ['the index has it', 'd/c.txt', { paths: ['d'], source: 'HEAD~1' }],
  ])('needs no confirmation if %s', async (_, name, input) => {
    const top = await project();
    await rm(path.join(top, 'b.txt'));
    await writeIn(top, 'd/c.txt', 'staged\n');
    await writeIn(top, 'staged.txt', 'x');
    git(top, ['add', 'd', 'staged.txt']);
    await using session = await connectGit({ directories: [top] });
    await session.call('git_restore', input);
    expect(existsSync(path.join(top, name))).toBe(true);
  });

  it('restores from a commit to the index and the work tree, and requires confirmation for an untracked file in the way', async () => {
    const top = await project();
    git(top, ['rm', '--quiet', 'b.txt']);
    git(top, ['commit', '--quiet', '--message=Removed']);
    await writeIn(top, 'b.txt', 'untracked\n');
    const input = { paths: ['b.txt', 'a.txt'], source: 'HEAD~2', staged: true, worktree: true };
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_restore', input)).toMatch(/^CONFIRMATION_REQUIRED[^]*- b\.txt \(untracked\)/);
    const { structuredContent } = await session.call('git_restore', { ...input, dry_run: true });
    const done = await session.call('git_restore', { ...input, confirm_token: tokenOf({ structuredContent }) });
    expect(await read(top, 'b.txt')).toBe('b\n');
    expect(git(top, ['status', '--porcelain'])).toBe('M  a.txt\nA  b.txt\n');
    await recover(session, done);
    expect(await read(top, 'b.txt')).toBe('untracked\n');
  });

  it('rejects paths that cannot be restored', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_restore', { paths: ['missing'] })).toMatch(/^PATH_NOT_FOUND/);
    expect(await session.fails('git_restore', { paths: ['../x'] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(await session.fails('git_restore', { paths: ['.git/config'] })).toMatch(/^INVALID_PATH/);
    expect(await session.fails('git_restore', { paths: ['a.txt'], worktree: false })).toMatch(/^INVALID_ARGUMENTS/);
    expect(await session.fails('git_restore', { paths: ['a.txt'], source: 'nowhere' })).toMatch(/^INVALID_REVISION/);
  });
});
