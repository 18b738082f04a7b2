import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { recover, tokenOf } from '../../fixtures/confirming.ts';
import { connectGit, emptyRepository, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

async function project(): Promise<string> {
  const top = await repositoryOf([['Begin', { 'a.txt': 'one\n', 'b.txt': 'b\n', 'c.txt': 'c\n', '.gitignore': '*.log\n' }]]);
  await writeIn(top, 'a.txt', 'staged\n');
  git(top, ['add', 'a.txt']);
  await writeIn(top, 'a.txt', 'unstaged\n');
  await rm(path.join(top, 'b.txt'));
  await writeIn(top, 'added.txt', 'x');
  git(top, ['add', 'added.txt']);
  await writeIn(top, 'new/deep.txt', 'new\n');
  await writeIn(top, 'x.log', 'ignored\n');
  return top;
}

const CHANGED = 'MM a.txt\nA  added.txt\n D b.txt\n?? new/\n';

describe('the stash', () => {
  it.each([
    ['all but untracked files', {}, '?? new/\n'],
    ['untracked files, too', { untracked: true }, ''],
    ['some paths', { paths: ['a.txt', 'added.txt'] }, ' D b.txt\n?? new/\n'],
    ['what is not staged', { keep_index: true }, 'M  a.txt\nA  added.txt\n?? new/\n'],
  ])('saves %s and restores it unchanged', async (_, input, left) => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_stash_push', { message: 'half', ...input });
    expect(structuredContent).toMatchObject({ message: 'On main: half', oid: git(top, ['rev-parse', 'stash']).trim() });
    expect(git(top, ['status', '--porcelain'])).toBe(left);
    expect(git(top, ['stash', 'list'])).toBe('stash@{0}: On main: half\n');
    if ('keep_index' in input) git(top, ['reset', '--quiet', '--hard']);
    await session.call('git_stash_apply', { index: true, pop: true });
    expect(git(top, ['status', '--porcelain'])).toBe(CHANGED);
    expect(await readFile(path.join(top, 'a.txt'), 'utf8')).toBe('unstaged\n');
    expect(git(top, ['show', ':a.txt'])).toBe('staged\n');
    expect(await readFile(path.join(top, 'new/deep.txt'), 'utf8')).toBe('new\n');
    expect(await readFile(path.join(top, 'x.log'), 'utf8')).toBe('ignored\n');
    expect(git(top, ['stash', 'list'])).toBe('');
  });

  it('is compatible with git: git applies stashes of the server and the server applies stashes of git', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    const contents = (): readonly string[] =>
      ['stash', 'stash^2', 'stash^3'].map((commit) => git(top, ['ls-tree', '-r', commit]));
    await session.call('git_stash_push', { untracked: true });
    const ours = contents();
    git(top, ['stash', 'pop', '--quiet', '--index']);
    expect(git(top, ['status', '--porcelain'])).toBe(CHANGED);
    git(top, ['stash', 'push', '--quiet', '--include-untracked']);
    expect(contents()).toEqual(ours);
    await session.call('git_stash_apply', { index: true });
    expect(git(top, ['status', '--porcelain'])).toBe(CHANGED);
  });

  it('is listed newest first', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top], maxEntries: 1 });
    expect(await session.text('git_stash_list')).toBe('No stashes');
    await session.call('git_stash_push', { message: 'first', paths: ['a.txt'] });
    await session.call('git_stash_push', { message: '\u202Esecond', paths: ['added.txt'] });
    expect((await session.call('git_stash_list')).structuredContent).toEqual({
      stashes: [
        {
          stash: 0,
          oid: git(top, ['rev-parse', 'stash']).trim(),
          message: 'On main: \u202Esecond',
          date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.000Z$/),
        },
      ],
      total: 2,
      truncated: true,
      next_cursor: '1',
    });
    expect(await session.text('git_stash_list')).toMatch(
      /^0 [0-9a-f]{12} \S+ On main: \\u\{202e\}second\n… 1 of 2 stashes are shown; continue with cursor 1$/,
    );
    expect(await session.text('git_stash_list', { cursor: '1' })).toMatch(/^1 [0-9a-f]{12} \S+ On main: first$/);
  });

  it.each(ERAS)('drops an entry only after confirmation, on a %s connection', async (era) => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    await session.call('git_stash_push', { message: 'first', paths: ['a.txt'] });
    await session.call('git_stash_push', { message: 'second', paths: ['added.txt'] });
    const oid = git(top, ['rev-parse', 'stash@{1}']).trim();
    expect(await session.fails('git_stash_drop', { stash: 1 })).toContain(
      `- On main: first\nTo undo it: git_stash_push {"dropped":"${oid}"}`,
    );
    const { structuredContent } = await session.call('git_stash_drop', { stash: 1, dry_run: true });
    const confirmed = { stash: 1, confirm_token: tokenOf({ structuredContent }) };
    const dropped = await session.call('git_stash_drop', confirmed);
    expect(dropped.structuredContent).toMatchObject({ oid, message: 'On main: first' });
    expect(git(top, ['stash', 'list'])).toBe('stash@{0}: On main: second\n');
    expect(git(top, ['for-each-ref', '--format=%(objectname)', 'refs/mcp-backup']).trim()).toBe(oid);
    expect(await session.fails('git_stash_drop', confirmed)).toMatch(/^STASH_NOT_FOUND/);
    await recover(session, dropped);
    expect(git(top, ['stash', 'list'])).toBe('stash@{0}: On main: first\nstash@{1}: On main: second\n');
    expect(git(top, ['rev-parse', 'stash@{0}']).trim()).toBe(oid);
  });

  it.each([
    ['a commit that is no stash', { dropped: 'HEAD' }, /^INVALID_ARGUMENTS: this commit is not a stash/],
    ['a name that does not exist', { dropped: 'nope' }, /^INVALID_REVISION/],
    ['a message', { dropped: 'HEAD', message: 'x' }, /^INVALID_ARGUMENTS: dropped cannot be combined/],
    ['untracked files', { dropped: 'HEAD', untracked: true }, /^INVALID_ARGUMENTS: dropped cannot be combined/],
  ])('is not put back from %s', async (_, args, error) => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_stash_push', args)).toMatch(error);
    expect(git(top, ['stash', 'list'])).toBe('');
  });

  it('is not dropped if its number now belongs to another entry', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    await session.call('git_stash_push', { message: 'first', paths: ['a.txt'] });
    const { structuredContent } = await session.call('git_stash_drop', { dry_run: true });
    await session.call('git_stash_push', { message: 'second', paths: ['added.txt'] });
    expect(await session.fails('git_stash_drop', { confirm_token: tokenOf({ structuredContent }) })).toMatch(
      /^PRECONDITION_FAILED/,
    );
    expect(git(top, ['stash', 'list']).split('\n')).toHaveLength(3);
  });

  it('remains if applying it causes conflicts or would overwrite files', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    await session.call('git_stash_push', { untracked: true });
    await writeIn(top, 'a.txt', 'other\n');
    expect(await session.fails('git_stash_apply', { pop: true })).toMatch(
      /^CONFLICT: local changes or untracked files would be overwritten: a\.txt/,
    );
    git(top, ['commit', '--quiet', '--all', '--message=Other']);
    expect(await session.fails('git_stash_apply', { pop: true })).toMatch(
      /^CONFLICT: the stash was applied with conflicts in a\.txt/,
    );
    expect(git(top, ['stash', 'list'])).not.toBe('');
    git(top, ['reset', '--quiet', '--hard', 'HEAD~1']);
    await writeIn(top, 'new/deep.txt', 'there already\n');
    expect(await session.fails('git_stash_apply', { pop: true })).toMatch(/^CONFLICT: untracked files/);
    expect(await readFile(path.join(top, 'new/deep.txt'), 'utf8')).toBe('there already\n');
    expect(git(top, ['stash', 'list'])).not.toBe('');
  });

  it('is not created without changes, with conflicts, or before the first commit', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_stash_push')).toMatch(/^NOTHING_TO_COMMIT/);
    expect(await session.fails('git_stash_push', { message: 'a\nb' })).toMatch(/^INVALID_ARGUMENTS/);
    expect(await session.fails('git_stash_apply')).toMatch(/^STASH_NOT_FOUND: stash 0 does not exist\nthe stash list is empty/);
    await using empty = await connectGit({ directories: [await emptyRepository()] });
    expect(await empty.fails('git_stash_push')).toMatch(/^EMPTY_REPO/);
  });

  it('does not touch a nested repository', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    await repositoryOf([['Nested', { n: 'x' }]], path.join(top, 'nested'));
    await writeIn(top, 'new', 'x');
    await using session = await connectGit({ directories: [top] });
    await session.call('git_stash_push', { repo_path: top, untracked: true });
    expect(existsSync(path.join(top, 'nested/n'))).toBe(true);
    expect(existsSync(path.join(top, 'new'))).toBe(false);
  });
});
