import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectGit, emptyRepository, git, repositoryOf, temporaryDirectory, writeIn } from './fixtures/temporary.ts';

function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n', 'docs/guide.md': '# Guide\n' }],
    ['Extend\n\nWith a body.', { 'a.txt': 'one\ntwo\n' }],
  ]);
}

function oidOf(top: string, revision: string): string {
  return git(top, ['rev-parse', revision]).trim();
}

describe.each(ERAS)('the git server on a %s connection', (era) => {
  it('returns the status: branch, staged, unstaged, untracked and renamed files', async () => {
    const top = await project();
    await writeIn(top, 'a.txt', 'one\n');
    await writeIn(top, 'new.txt', 'x');
    git(top, ['mv', 'docs/guide.md', 'docs/manual.md']);
    await using session = await connectGit({ directories: [top] }, era);
    const { structuredContent, content } = await session.call('git_status');
    expect(structuredContent).toMatchObject({
      repository: expect.stringMatching(/^project-[0-9a-f]{8}$/),
      branch: 'main',
      oid: oidOf(top, 'HEAD'),
      entries: [
        { path: 'a.txt', unstaged: 'modified' },
        { path: 'docs/manual.md', original_path: 'docs/guide.md', staged: 'renamed' },
        { path: 'new.txt', untracked: true },
      ],
      counts: { staged: 1, unstaged: 1, untracked: 1, conflicts: 0 },
      truncated: false,
    });
    expect(content).toEqual([
      {
        type: 'text',
        text: 'On branch main\nunstaged modified: a.txt\nstaged renamed: docs/manual.md (was docs/guide.md)\nuntracked: new.txt',
      },
    ]);
  });

  it('limits the status to paths and to a number of entries', async () => {
    const top = await project();
    for (const name of ['docs/new/x', 'docs/new/y', 'z']) await writeIn(top, name, 'x');
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.text('git_status', { paths: ['docs'] })).toBe('On branch main\nuntracked: docs/new/');
    const { structuredContent } = await session.call('git_status', { untracked: 'all', limit: 1 });
    expect(structuredContent).toMatchObject({ entries: [{ path: 'docs/new/x' }], counts: { untracked: 3 }, truncated: true });
    expect(await session.text('git_status', { untracked: 'no' })).toBe('On branch main\nNo changes');
    expect(await session.fails('git_status', { paths: ['../x'] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it('counts commits ahead and behind, and reports the operation in progress', async () => {
    const top = await project();
    const clone = path.join(await temporaryDirectory(), 'clone');
    git(top, ['clone', '--quiet', top, clone]);
    git(clone, ['commit', '--quiet', '--allow-empty', '--message=ahead']);
    git(clone, ['switch', '--quiet', '--create', 'other', 'HEAD~2']);
    await writeIn(clone, 'a.txt', 'different\n');
    git(clone, ['commit', '--quiet', '--all', '--message=other']);
    git(clone, ['switch', '--quiet', 'main']);
    expect(() => git(clone, ['merge', 'other'])).toThrow('Command failed');
    await using session = await connectGit({ directories: [clone] }, era);
    expect((await session.call('git_status')).structuredContent).toMatchObject({
      upstream: 'origin/main',
      ahead: 1,
      behind: 0,
      operation: expect.stringMatching(/^merge, at commit [0-9a-f]{12}$/),
      entries: [{ path: 'a.txt', conflict: true }],
    });
    expect(await session.fails('git_commit', { message: 'x' })).toMatch(/^CONFLICT: some files have unresolved conflicts/);
  });

  it('pages through the log by commits', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    const first = await session.call('git_log', { max_count: 1 });
    expect(first.structuredContent).toEqual({
      commits: [
        {
          oid: oidOf(top, 'HEAD'),
          author: 'Ann',
          email: 'ann@example.com',
          date: '2026-01-01T00:01:00+00:00',
          message: 'Extend\n\nWith a body.',
        },
      ],
      next_cursor: expect.any(String),
      truncated: false,
    });
    const { next_cursor: cursor } = first.structuredContent as { readonly next_cursor: string };
    const second = await session.call('git_log', { max_count: 1, cursor });
    expect(second.structuredContent).toEqual({ commits: [expect.objectContaining({ message: 'Begin' })], truncated: false });
  });

  it.each([
    ['of a revision', { revision: 'HEAD~1' }, ['Begin']],
    ['of a path', { paths: ['docs'] }, ['Begin']],
    ['since a time', { start_timestamp: '2026-01-01T00:00:30Z' }, ['Extend']],
    ['until a time', { end_timestamp: '2026-01-01T00:00:30Z' }, ['Begin']],
    ['of a text that comes and goes', { pickaxe: 'two' }, ['Extend']],
  ])('shows the log %s', async (_, input, subjects) => {
    await using session = await connectGit({ directories: [await project()] }, era);
    const { structuredContent } = await session.call('git_log', input);
    expect(structuredContent).toMatchObject({
      commits: subjects.map((subject) => ({ message: expect.stringContaining(subject) })),
    });
  });

  it('returns diffs once, as text: unstaged, staged, against a commit, between two commits', async () => {
    const top = await project();
    await writeIn(top, 'a.txt', 'one\ntwo\nthree\n');
    await using session = await connectGit({ directories: [top] }, era);
    const unstaged = await session.call('git_diff_unstaged');
    expect(unstaged.content).toEqual([{ type: 'text', text: expect.stringContaining('+three\n') }]);
    expect(unstaged.structuredContent).toBeUndefined();
    expect(unstaged._meta).toMatchObject({ truncated: false, escaped: false });
    expect(await session.text('git_diff_staged')).toBe('No staged changes');
    git(top, ['add', 'a.txt']);
    expect(await session.text('git_diff_staged', { context_lines: 0 })).toContain('@@ -2,0 +3 @@ two\n+three\n');
    expect(await session.text('git_diff', { target: 'HEAD~1' })).toContain('+two\n+three\n');
    expect(await session.text('git_diff', { target: 'HEAD~1..HEAD' })).toMatch(/\+two\n$/);
    expect(await session.text('git_diff', { target: 'HEAD...' })).toBe('No differences');
    expect(await session.text('git_diff', { target: 'HEAD~1', paths: ['docs'] })).toBe('No differences');
  });

  it('shows a commit', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    const { content, _meta } = await session.call('git_show', { revision: 'main' });
    expect(content[0]).toMatchObject({ text: expect.stringMatching(/^commit [0-9a-f]{40}\nAuthor: Ann <ann@example.com>\n/) });
    expect(content[0]).toMatchObject({ text: expect.stringContaining('    With a body.\n') });
    expect(_meta).toMatchObject({ oid: oidOf(top, 'HEAD'), truncated: false });
  });

  it('stages files and commits them', async () => {
    const top = await project();
    await writeIn(top, 'new.txt', 'x');
    await writeIn(top, '.gitignore', '*.log\n');
    await writeIn(top, 'debug.log', 'x');
    await rm(path.join(top, 'docs/guide.md'));
    await using session = await connectGit({ directories: [top] }, era);
    const added = await session.call('git_add', { files: ['new.txt', 'docs/guide.md', 'debug.log'] });
    expect(added.structuredContent).toEqual({
      staged: ['docs/guide.md', 'new.txt'],
      skipped: [{ path: 'debug.log', reason: 'ignored' }],
      truncated: false,
    });
    const committed = await session.call('git_commit', { message: 'Add\n\n# not a comment\n' });
    expect(committed.structuredContent).toEqual({
      oid: oidOf(top, 'HEAD'),
      branch: 'main',
      subject: 'Add',
      files: 2,
      hooks: false,
      signed: false,
    });
    expect(git(top, ['log', '-1', '--format=%B'])).toBe('Add\n\n# not a comment\n\n');
    expect(await session.fails('git_commit', { message: 'Again' })).toBe(
      'NOTHING_TO_COMMIT: nothing is staged\nstage files with git_add',
    );
  });

  it('lists, creates and switches branches', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    const created = await session.call('git_create_branch', { branch_name: 'feature/x', base_branch: 'HEAD~1' });
    expect(created.structuredContent).toEqual({ branch: 'feature/x', oid: oidOf(top, 'HEAD~1') });
    expect((await session.call('git_branch')).structuredContent).toMatchObject({
      branches: [
        { name: 'feature/x', oid: oidOf(top, 'HEAD~1'), current: false, remote: false, subject: 'Begin' },
        { name: 'main', current: true },
      ],
      total: 2,
      truncated: false,
    });
    expect(await session.text('git_branch', { contains: 'main' })).toBe(`* main ${oidOf(top, 'HEAD').slice(0, 12)} Extend`);
    expect(await session.text('git_branch', { not_contains: 'main' })).toContain('feature/x');
    expect(await session.text('git_branch', { branch_type: 'remote' })).toBe('No branches found');
    const switched = await session.call('git_checkout', { branch_name: 'feature/x' });
    expect(switched.structuredContent).toEqual({ branch: 'feature/x', oid: oidOf(top, 'HEAD'), previous: 'main' });
  });

  it('shows the author of each line', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    const { content, _meta } = await session.call('git_blame', { path: 'a.txt' });
    expect(_meta).toMatchObject({
      path: 'a.txt',
      oid: oidOf(top, 'HEAD'),
      hunks: [
        { oid: oidOf(top, 'HEAD~1'), start_line: 1, end_line: 1, author: 'Ann', summary: 'Begin' },
        { oid: oidOf(top, 'HEAD'), start_line: 2, end_line: 2, date: '2026-01-01T00:01:00.000Z' },
      ],
      total_lines: 2,
      truncated: false,
    });
    expect(content[0]).toMatchObject({ text: expect.stringMatching(/^[0-9a-f]{12} 2026-01-01 Ann: Begin\n1\tone\n/) });
    expect(await session.text('git_blame', { path: 'a.txt', revision: 'HEAD~1' })).not.toContain('two');
    expect(await session.text('git_blame', { path: 'a.txt', start_line: 2, end_line: 2 })).toMatch(/Extend\n2\ttwo$/);
  });

  it('returns errors with a code and a hint', async () => {
    const top = await project();
    git(top, ['branch', 'release']);
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.fails('git_show', { revision: 'relaese' })).toBe(
      'INVALID_REVISION: "relaese" does not name an object\ndid you mean release?',
    );
    expect(await session.fails('git_checkout', { branch_name: 'mian' })).toContain('did you mean main?');
    expect(await session.fails('git_checkout', { branch_name: 'a.txt' })).toMatch(/^INVALID_REVISION/);
    expect(await session.fails('git_create_branch', { branch_name: 'a..b' })).toMatch(/^INVALID_REF_NAME/);
    expect(await session.fails('git_create_branch', { branch_name: 'main' })).toMatch(/^BRANCH_EXISTS/);
    expect(await session.fails('git_add', { files: ['missing.txt'] })).toMatch(/^PATH_NOT_FOUND/);
    expect(await session.fails('git_blame', { path: 'missing.txt' })).toMatch(/^PATH_NOT_FOUND/);
    expect(await session.fails('git_blame', { path: 'a.txt', start_line: 9 })).toMatch(/^INVALID_ARGUMENTS: "a.txt" has 2 lines/);
    expect(await session.fails('git_log', { cursor: 'HEAD' })).toMatch(/^INVALID_ARGUMENTS: the cursor is unknown/);
  });

  it('does not switch if changes would be lost, and names the files', async () => {
    const top = await project();
    git(top, ['branch', 'old', 'HEAD~1']);
    await writeIn(top, 'a.txt', 'mine\n');
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.fails('git_checkout', { branch_name: 'old' })).toBe(
      'CONFLICT: local changes or untracked files would be overwritten: a.txt\ncommit or stash the local changes, and move the untracked files, before you try again',
    );
  });

  it('reports the lock of another process, and does not delete the lock', async () => {
    const top = await project();
    await writeIn(top, 'new.txt', 'x');
    const lock = await writeIn(top, '.git/index.lock', '');
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.fails('git_add', { files: ['new.txt'] })).toMatch(
      /^LOCKED: another git process holds the lock file \.git\/index\.lock, which is \d+ s old, or left it behind\n/,
    );
    expect(existsSync(lock)).toBe(true);
    expect(await session.text('git_status')).toContain('untracked: new.txt');
    await rm(lock);
    expect(await session.text('git_add', { files: ['new.txt'] })).toBe('staged new.txt');
  });

  it('reports a repository without commits', async () => {
    const top = await emptyRepository();
    await writeIn(top, 'a.txt', 'x');
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.text('git_status')).toBe('On branch main, without commits\nuntracked: a.txt');
    for (const [tool, input] of [
      ['git_log', {}],
      ['git_show', { revision: 'HEAD' }],
      ['git_diff', { target: 'HEAD' }],
      ['git_blame', { path: 'a.txt' }],
      ['git_create_branch', { branch_name: 'x' }],
    ] as const)
      expect(await session.fails(tool, input), tool).toMatch(/^EMPTY_REPO/);
    await session.call('git_add', { files: ['.'] });
    expect(await session.text('git_diff_staged')).toContain('new file');
    expect(await session.text('git_commit', { message: 'First' })).toMatch(/^Committed [0-9a-f]{12} on main: First/);
  });
});
