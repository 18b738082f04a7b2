import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { CONFIRMS, recover } from '../../fixtures/confirming.ts';
import { connectGit, emptyRepository, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n', 'b.txt': 'b\n', 'd/c.txt': 'c\n' }],
    ['Extend', { 'a.txt': 'one\ntwo\n' }],
  ]);
}

function oidOf(top: string, revision: string): string {
  return git(top, ['rev-parse', revision]).trim();
}

function read(top: string, name: string): Promise<string> {
  return readFile(path.join(top, name), 'utf8');
}

describe('git_reset', () => {
  it('unstages everything by default, and no file changes', async () => {
    const top = await project();
    await writeIn(top, 'a.txt', 'mine\n');
    await writeIn(top, 'new.txt', 'x');
    git(top, ['rm', '--quiet', 'b.txt']);
    git(top, ['add', '.']);
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_reset');
    const head = oidOf(top, 'HEAD');
    expect(structuredContent).toEqual({ before: head, after: head, unstaged: ['a.txt', 'b.txt', 'new.txt'], total: 3 });
    expect(git(top, ['diff', '--cached'])).toBe('');
    expect(await read(top, 'a.txt')).toBe('mine\n');
    expect(await session.text('git_reset')).toBe('Nothing was staged');
  });

  it('unstages paths, and rejects unknown paths', async () => {
    const top = await project();
    await writeIn(top, 'a.txt', 'mine\n');
    await writeIn(top, 'd/c.txt', 'mine\n');
    git(top, ['rm', '--quiet', 'b.txt']);
    git(top, ['add', 'a.txt', 'd/c.txt']);
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_reset', { paths: ['d', 'b.txt'] })).toBe('unstaged b.txt\nunstaged d/c.txt');
    expect(git(top, ['diff', '--cached', '--name-only'])).toBe('a.txt\n');
    expect(await session.fails('git_reset', { paths: ['missing'] })).toMatch(/^PATH_NOT_FOUND/);
    expect(await session.fails('git_reset', { paths: ['a.txt'], mode: 'hard' })).toMatch(/^INVALID_ARGUMENTS/);
    expect(await session.text('git_reset', { paths: ['a.txt'], target: 'HEAD~1' })).toBe('unstaged a.txt');
    expect(git(top, ['show', ':a.txt'])).toBe('one\n');
  });

  it.each([
    ['soft', 'M  a.txt'],
    ['mixed', ' M a.txt'],
    ['keep', ''],
  ])('moves the branch by %s, and reports how to undo the reset', async (mode, status) => {
    const top = await project();
    const before = oidOf(top, 'HEAD');
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_reset', { mode, target: 'HEAD~1' });
    expect(structuredContent).toMatchObject({
      before,
      after: oidOf(top, 'HEAD'),
      recover_with: `git_reset {"mode":"${mode}","target":"${before}"}`,
    });
    expect(git(top, ['status', '--porcelain']).trimEnd()).toBe(status);
    await recover(session, { structuredContent });
    expect(oidOf(top, 'HEAD')).toBe(before);
    expect(git(top, ['status', '--porcelain'])).toBe('');
  });

  it('fails in mode keep if a file to update has local changes, and keeps the changes', async () => {
    const top = await project();
    await writeIn(top, 'a.txt', 'mine\n');
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_reset', { mode: 'keep', target: 'HEAD~1' })).toMatch(/^CONFLICT/);
    expect(await read(top, 'a.txt')).toBe('mine\n');
  });

  it('keeps commit, staged and unstaged changes and overwritten files in backups in mode hard', async () => {
    const top = await project();
    await writeIn(top, 'kept.txt', 'tracked later\n');
    git(top, ['add', 'kept.txt']);
    git(top, ['commit', '--quiet', '--message=Later']);
    git(top, ['branch', 'later']);
    git(top, ['reset', '--quiet', '--hard', 'HEAD~1']);
    git(top, ['commit', '--quiet', '--allow-empty', '--message=Lost']);
    await writeIn(top, 'a.txt', 'staged\n');
    git(top, ['add', 'a.txt']);
    await writeIn(top, 'a.txt', 'unstaged\n');
    await rm(path.join(top, 'b.txt'));
    await writeIn(top, 'kept.txt', 'untracked\n');
    const before = oidOf(top, 'HEAD');
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const { structuredContent } = await session.call('git_reset', { mode: 'hard', target: 'later' });
    const message = session.elicited.all[0]?.message ?? '';
    for (const line of [
      /- commit [0-9a-f]+ Lost/,
      /- a.txt \(staged modified, modified\)/,
      /- b.txt \(deleted\)/,
      /- kept.txt \(untracked\)/,
    ])
      expect(message).toMatch(line);
    expect(git(top, ['status', '--porcelain'])).toBe('');
    expect(await read(top, 'kept.txt')).toBe('tracked later\n');
    await recover(session, { structuredContent });
    expect(oidOf(top, 'HEAD')).toBe(before);
    expect(git(top, ['show', ':a.txt'])).toBe('staged\n');
    expect(await read(top, 'a.txt')).toBe('unstaged\n');
    expect(existsSync(path.join(top, 'b.txt'))).toBe(false);
    expect(await read(top, 'kept.txt')).toBe('untracked\n');
  });

  it.each([
    ['a file in place of a directory', async (top: string) => writeIn(top, 'd', 'mine')],
    ['a directory in place of a file', async (top: string) => writeIn(top, 'b.txt/deep/mine', 'mine')],
    ['an ignored file', async (top: string) => writeIn(top, 'b.txt', 'mine')],
  ])('reports %s as a loss in mode hard', async (_, put) => {
    const top = await project();
    git(top, ['rm', '-r', '--quiet', 'b.txt', 'd']);
    git(top, ['commit', '--quiet', '--message=Removed']);
    await writeIn(top, '.git/info/exclude', 'b.txt\n');
    await put(top);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_reset', { mode: 'hard', target: 'HEAD~1' })).toMatch(
      /^CONFIRMATION_REQUIRED[^]*mine|\(untracked\)/,
    );
  });

  it('ends a conflict in mode hard, and keeps the file in a backup', async () => {
    const top = await project();
    git(top, ['switch', '--quiet', '--create', 'other', 'HEAD~1']);
    await writeIn(top, 'a.txt', 'theirs\n');
    git(top, ['commit', '--quiet', '--all', '--message=theirs']);
    git(top, ['switch', '--quiet', 'main']);
    expect(() => git(top, ['merge', 'other'])).toThrow('Command failed');
    const conflicted = await read(top, 'a.txt');
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const { structuredContent } = await session.call('git_reset', { mode: 'hard' });
    expect(session.elicited.all[0]?.message).toMatch(/a\.txt \(in conflict\)\n- the merge in progress/);
    expect(git(top, ['status', '--porcelain'])).toBe('');
    await recover(session, { structuredContent });
    expect(await read(top, 'a.txt')).toBe(conflicted);
  });

  it('does not end a merge without confirmation', async () => {
    const top = await project();
    git(top, ['switch', '--quiet', '--create', 'other', 'HEAD~1']);
    await writeIn(top, 'other.txt', 'x');
    git(top, ['add', '.']);
    git(top, ['commit', '--quiet', '--message=other']);
    git(top, ['merge', '--quiet', '--no-commit', 'main']);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_reset')).toMatch(/^CONFIRMATION_REQUIRED[^]*- the merge in progress\nThis cannot be undone/);
    expect(existsSync(path.join(top, '.git/MERGE_HEAD'))).toBe(true);
  });

  it('unstages before the first commit, and rejects modes that need a commit', async () => {
    const top = await emptyRepository();
    await writeIn(top, 'a.txt', 'x');
    git(top, ['add', '.']);
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_reset')).toBe('unstaged a.txt');
    expect(git(top, ['status', '--porcelain'])).toBe('?? a.txt\n');
    expect(await session.fails('git_reset', { mode: 'hard' })).toMatch(/^EMPTY_REPO/);
    expect(await session.fails('git_reset', { target: 'HEAD' })).toMatch(/^EMPTY_REPO/);
  });
});
