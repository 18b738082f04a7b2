import { readFile, rm, utimes } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { CONFIRMS, recover, recoveryOf } from '../../fixtures/confirming.ts';
import { connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n', 'b.txt': 'b\n', 'd/c.txt': 'c\n' }],
    ['Extend', { 'a.txt': 'two\n' }],
  ]);
}

function read(top: string, name: string): Promise<string> {
  return readFile(path.join(top, name), 'utf8');
}

/** Returns the changes of the work tree and of the index, the stashes and the commit of HEAD, as plain git reports them. */
function stateOf(top: string): string {
  return [
    ['status', '--porcelain=v1', '--untracked-files=all'],
    ['diff'],
    ['diff', '--cached'],
    ['stash', 'list'],
    ['rev-parse', 'HEAD'],
  ]
    .map((command) => git(top, command))
    .join('\n');
}

/** Makes a staged change, an unstaged one, a deletion and untracked files. */
async function change(top: string): Promise<void> {
  await writeIn(top, 'a.txt', 'staged\n');
  git(top, ['add', 'a.txt']);
  await writeIn(top, 'a.txt', 'staged\nunstaged\n');
  await rm(path.join(top, 'd/c.txt'));
  await writeIn(top, 'new/file.txt', 'untracked\n');
  await writeIn(top, 'other.txt', 'untracked, too\n');
}

describe('the calls that undo a change', () => {
  it('is valid JSON, and restores a file with invisible characters in its name', async () => {
    const name = 'gpj\u202Eexe\n';
    const top = await repositoryOf([['Begin', { [name]: 'one\n' }]]);
    await writeIn(top, name, 'two\n');
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const result = await session.call('git_restore', { paths: [name] });
    expect(recoveryOf(result)).toContain(String.raw`{"paths":["gpj\u202eexe\n"],`);
    expect(await read(top, name)).toBe('one\n');
    await recover(session, result);
    expect(await read(top, name)).toBe('two\n');
  });

  it.each([
    ['git_restore', { paths: ['a.txt'] }],
    ['git_reset', { mode: 'hard' }],
  ])('restore a change of the same size and second as the index, after %s', async (tool, args) => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'old\n' }]]);
    const second = 1_700_000_000;
    // This setting makes git ignore the ctime of files, which a test cannot set. All other times and sizes are equal.
    git(top, ['config', 'core.trustctime', 'false']);
    await utimes(path.join(top, 'a.txt'), second, second);
    git(top, ['update-index', '--refresh']);
    await utimes(path.join(top, '.git/index'), second, second);
    await writeIn(top, 'a.txt', 'new\n');
    await utimes(path.join(top, 'a.txt'), second, second);
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const result = await session.call(tool, args);
    expect(await read(top, 'a.txt')).toBe('old\n');
    await recover(session, result);
    expect(await read(top, 'a.txt')).toBe('new\n');
  });

  it.each([
    ['git_reset', { mode: 'hard' }],
    ['git_reset', { mode: 'hard', target: 'HEAD~1' }],
    ['git_restore', { paths: ['a.txt', 'd/c.txt'] }],
    ['git_clean', { directories: true }],
    ['git_clean', { paths: ['new'], directories: true }],
    ['git_commit', { message: 'More', amend: true }],
  ])('restore files, index and untracked files after %s %j', async (tool, args) => {
    const top = await project();
    await change(top);
    const before = stateOf(top);
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const result = await session.call(tool, args);
    expect(stateOf(top)).not.toBe(before);
    await recover(session, result);
    expect(stateOf(top)).toBe(before);
  });

  it('restore only files that had been changed, and ask before they replace later changes', async () => {
    const top = await project();
    await change(top);
    await using session = await connectGit({ directories: [top] });
    await using asking = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const result = await asking.call('git_reset', { mode: 'hard' });
    await writeIn(top, 'b.txt', 'later\n');
    const args = JSON.parse(recoveryOf(result).replace('git_restore ', '')) as Record<string, unknown>;
    await session.call('git_restore', args);
    expect(await read(top, 'b.txt')).toBe('later\n');
    expect(await read(top, 'a.txt')).toBe('staged\nunstaged\n');
    await writeIn(top, 'a.txt', 'even later\n');
    expect(await session.fails('git_restore', args)).toMatch(/^CONFIRMATION_REQUIRED[^]*- a\.txt \(staged modified, modified\)/);
    expect(await session.fails('git_restore', { ...args, paths: ['b.txt'] })).toMatch(
      /^PATH_NOT_FOUND: the backup contains no file/,
    );
  });

  it('are git commands if the server does not offer the tools', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top], readOnly: false }, 'modern', {
      ...CONFIRMS,
      tools: ['git_commit', 'git_restore'],
    });
    await writeIn(top, 'a.txt', 'changed\n');
    const restored = await session.call('git_restore', { paths: ['a.txt'] });
    expect(recoveryOf(restored)).toMatch(/^git_restore \{/);
    const amended = await session.call('git_commit', { message: 'Other', amend: true });
    expect(recoveryOf(amended)).toMatch(/^git reset --soft [0-9a-f]{40}$/);
  });
});
