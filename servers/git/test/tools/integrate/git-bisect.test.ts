import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

const COUNT = 20;

/** Creates a repository with the commits 1 to 20, each of which writes its number to `n.txt`. */
function project(): Promise<string> {
  return repositoryOf(Array.from({ length: COUNT }, (_, index) => [`c${index + 1}`, { 'n.txt': `${index + 1}\n` }] as const));
}

async function numberIn(top: string): Promise<number> {
  return Number(await readFile(path.join(top, 'n.txt'), 'utf8'));
}

interface Progress {
  readonly state: string;
  readonly commit: string;
  readonly subject: string;
  readonly remaining: number;
  readonly steps: number;
}

async function bisect(session: Session, args: Readonly<Record<string, unknown>>): Promise<Progress> {
  const { structuredContent } = await session.call('git_bisect', args);
  return structuredContent as Progress;
}

function oidOf(top: string, revision: string): string {
  return git(top, ['rev-parse', revision]).trim();
}

describe.each(ERAS)('git_bisect, on a %s connection,', (era) => {
  it.each([2, 7, 13, 20])('finds the first bad commit %i, and returns to the branch', async (first) => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    let progress = await bisect(session, { action: 'start', good: ['HEAD~19'] });
    const most = progress.steps;
    let steps = 0;
    for (; progress.state === 'testing'; steps += 1) {
      const number = await numberIn(top);
      expect(progress).toMatchObject({ commit: oidOf(top, 'HEAD'), subject: `c${number}` });
      progress = await bisect(session, { action: number >= first ? 'bad' : 'good' });
    }
    expect(progress).toMatchObject({ state: 'found', commit: oidOf(top, `main~${COUNT - first}`), subject: `c${first}` });
    expect(steps).toBeLessThanOrEqual(most);
    expect(await session.text('git_bisect', { action: 'reset' })).toMatch(/^The bisect has ended; main is at/);
    expect(git(top, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main\n');
    expect(git(top, ['for-each-ref', 'refs/bisect'])).toBe('');
    expect(await session.fails('git_bisect', { action: 'good' })).toMatch(/^NO_OPERATION/);
  });

  it('names the commit, what is left, and the judgements', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.text('git_bisect', { action: 'start', good: ['HEAD~19'], bad: 'main' })).toMatch(
      /^Judge [0-9a-f]{12} c10, which is checked out: .*\n19 commits may be the first bad commit; about 5 judgements to find it$/,
    );
    await session.call('git_bisect', { action: 'bad' });
    expect(await session.text('git_bisect', { action: 'status' })).toMatch(
      /^Judge [0-9a-f]{12} c5, [^]*bad: \[[0-9a-f]{40}\] c20\ngood: \[[0-9a-f]{40}\] c1\nbad: \[[0-9a-f]{40}\] c10$/,
    );
    git(top, ['bisect', 'good']);
    expect(await session.text('git_bisect', { action: 'status' })).toMatch(/^Judge [0-9a-f]{12} c[78], /);
  });

  it('reports the suspects if only skipped commits are left', async () => {
    const top = await repositoryOf(['1', '2', '3'].map((name) => [name, { [name]: name }] as const));
    await using session = await connectGit({ directories: [top] }, era);
    await session.call('git_bisect', { action: 'start', good: ['HEAD~2'] });
    const { structuredContent } = await session.call('git_bisect', { action: 'skip' });
    expect(structuredContent).toMatchObject({ state: 'inconclusive', suspects: { length: 2 } });
    await session.call('git_bisect', { action: 'reset' });
    expect(git(top, ['status', '--porcelain', '--branch'])).toBe('## main\n');
  });

  it('judges other commits by their names, and returns to a detached HEAD', async () => {
    const top = await project();
    git(top, ['switch', '--quiet', '--detach']);
    const before = oidOf(top, 'HEAD');
    await using session = await connectGit({ directories: [top] }, era);
    await session.call('git_bisect', { action: 'start', good: ['HEAD~19'] });
    expect(await bisect(session, { action: 'bad', revision: 'main~10' })).toMatchObject({ remaining: 9 });
    expect(await session.text('git_bisect', { action: 'reset' })).toMatch(/^The bisect has ended; HEAD is at/);
    expect(oidOf(top, 'HEAD')).toBe(before);
  });

  it('rejects local changes, other operations, and good commits that are not older', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    await writeIn(top, 'n.txt', 'changed\n');
    expect(await session.fails('git_bisect', { action: 'start', good: ['HEAD~9'] })).toMatch(
      /^CONFLICT: .*local changes: n\.txt/,
    );
    git(top, ['restore', 'n.txt']);
    expect(await session.fails('git_bisect', { action: 'start' })).toMatch(/^INVALID_ARGUMENTS: name at least one good commit/);
    expect(await session.fails('git_bisect', { action: 'start', good: ['HEAD'] })).toMatch(/^INVALID_ARGUMENTS/);
    expect(await session.fails('git_bisect', { action: 'start', bad: 'HEAD~5', good: ['HEAD'] })).toMatch(/^INVALID_ARGUMENTS/);
    expect(git(top, ['status', '--porcelain', '--branch'])).toBe('## main\n');
    await session.call('git_bisect', { action: 'start', good: ['HEAD~9'] });
    expect(await session.fails('git_bisect', { action: 'start', good: ['HEAD~9'] })).toMatch(
      /^CONFLICT: a bisect is in progress/,
    );
    await writeIn(top, 'n.txt', 'changed\n');
    const before = oidOf(top, 'HEAD');
    for (const action of ['good', 'bad', 'skip']) expect(await session.fails('git_bisect', { action })).toMatch(/^CONFLICT/);
    expect(oidOf(top, 'HEAD')).toBe(before);
  });
});

describe('git_bisect', () => {
  it('backs up commits that were made during the bisect', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    await session.call('git_bisect', { action: 'start', good: ['HEAD~9'] });
    commitAt(top, 'Made meanwhile', 99);
    const made = oidOf(top, 'HEAD');
    await session.call('git_bisect', { action: 'reset' });
    expect(git(top, ['for-each-ref', '--format=%(objectname)', 'refs/mcp-backup'])).toBe(`${made}\n`);
  });

  it.each(['-f', '--force', '--orphan=x', 'missing'])('does not pass a planted start to git: %s', async (start) => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    await session.call('git_bisect', { action: 'start', good: ['HEAD~9'] });
    await writeFile(path.join(top, '.git/BISECT_START'), `${start}\n`);
    await writeIn(top, 'n.txt', 'precious\n');
    expect(await session.fails('git_bisect', { action: 'reset' })).toMatch(/^INVALID_REVISION/);
    expect(await readFile(path.join(top, 'n.txt'), 'utf8')).toBe('precious\n');
    expect(existsSync(path.join(top, '.git/refs/heads/x'))).toBe(false);
  });

  it('does not overwrite an ignored file', async () => {
    const top = await project();
    const before = oidOf(top, 'HEAD');
    await writeIn(top, 'key', 'tracked once');
    git(top, ['add', 'key']);
    for (const message of ['a', 'b', 'c']) commitAt(top, message, 90);
    git(top, ['rm', '--quiet', '--cached', 'key']);
    await writeIn(top, '.gitignore', 'key\n');
    git(top, ['add', '.gitignore']);
    commitAt(top, 'Ignored', 99);
    await writeIn(top, 'key', 'precious');
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_bisect', { action: 'start', good: [before] })).toMatch(/^CONFLICT/);
    expect(await readFile(path.join(top, 'key'), 'utf8')).toBe('precious');
    expect(git(top, ['status', '--porcelain', '--branch'])).toBe('## main\n');
  });
});
