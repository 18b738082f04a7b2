import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, repositoryOf, temporaryDirectory, writeIn } from './fixtures/temporary.ts';

/** Creates a repository with 25 commits after the first one. The branch `start` points to the first commit. */
async function longHistory(): Promise<string> {
  const top = await repositoryOf([['Begin', { a: 'x' }]]);
  git(top, ['branch', 'start']);
  for (let number = 1; number <= 25; number += 1) commitAt(top, `Commit ${number}`, number);
  return top;
}

describe('a partial result', () => {
  it('of git_log reports that the messages of more than 20 commits are shortened', async () => {
    await using session = await connectGit({ directories: [await longHistory()] });
    expect(await session.text('git_log', { max_count: 25 })).toMatch(
      /\[Only subjects are shown: set max_count to at most 20 for full messages\. Continue with cursor \w+\.\]$/,
    );
    expect(await session.text('git_log', { max_count: 20 })).not.toContain('Only subjects');
  });

  it('of git_compare names the call that lists all commits', async () => {
    const top = await longHistory();
    await using session = await connectGit({ directories: [top] });
    const text = await session.text('git_compare', { base: 'start', head: 'main', limit: 3 });
    const [, revision] = /\[22 more: git_log with revision (\S+) lists them\.\]/.exec(text) ?? [];
    const { structuredContent } = await session.call('git_log', { revision, max_count: 100 });
    expect(structuredContent).toMatchObject({ commits: expect.objectContaining({ length: 25 }) });
  });

  it('of git_list_repositories reports the limit of the search', async () => {
    const root = await temporaryDirectory();
    for (let number = 0; number <= 100; number += 1) await mkdir(path.join(root, `r${number}`, '.git'), { recursive: true });
    await using session = await connectGit({ directories: [root] });
    expect(await session.text('git_list_repositories')).toContain('the search stops at 100 repositories');
    expect(await session.fails('git_status')).toContain('at least 100 repositories');
  });

  it('of a dry run of git_reset lists uncommitted changes before commits', async () => {
    const top = await longHistory();
    await writeIn(top, 'a', 'changed');
    await using session = await connectGit({ directories: [top] });
    const text = await session.text('git_reset', { mode: 'hard', target: 'start', dry_run: true });
    expect(text.split('\n').find((line) => line.startsWith('- '))).toBe('- a (modified)');
  });

  it('of a diff in mode names contains no line counts', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    for (let number = 0; number < 60; number += 1) await writeIn(top, `${'n'.repeat(60)}${number}`, 'x');
    await using session = await connectGit({ directories: [top], maxBytes: 1024 });
    await session.call('git_add', { all: true });
    const text = await session.text('git_diff_staged', { mode: 'names' });
    expect(text).toContain('60 files.');
    expect(text).not.toContain('+0');
  });
});
