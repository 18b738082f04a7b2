import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { CONFIRMS } from '../fixtures/confirming.ts';
import { connectTo, extendThere, scene } from '../fixtures/remote-scene.ts';
import { connectGit, git, repositoryOf, writeIn } from '../fixtures/temporary.ts';

/** Creates a repository: `main` ignores `.env`, the branch `has` and a stash contain it, and the branch `had` deletes it. */
async function ignoringRepository(): Promise<string> {
  const top = await repositoryOf([['Begin', { 'a.txt': 'x\n', '.gitignore': '.env\n' }]]);
  git(top, ['switch', '--quiet', '--create', 'has']);
  await writeIn(top, '.env', 'tracked\n');
  git(top, ['add', '--force', '.env']);
  git(top, ['commit', '--quiet', '--message=Has']);
  git(top, ['switch', '--quiet', '--create', 'had']);
  git(top, ['rm', '--quiet', '.env']);
  git(top, ['commit', '--quiet', '--message=Had']);
  git(top, ['switch', '--quiet', 'main']);
  await writeIn(top, '.env', 'stashed\n');
  git(top, ['add', '--force', '.env']);
  git(top, ['stash', '--quiet']);
  git(top, ['commit', '--quiet', '--allow-empty', '--message=Own']);
  return top;
}

const OVERWRITING: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['git_checkout', { branch_name: 'has' }],
  ['git_merge', { revision: 'has' }],
  ['git_merge', { revision: 'has', squash: true }],
  ['git_cherry_pick', { revisions: ['has'] }],
  ['git_revert', { revisions: ['had'] }],
  ['git_rebase', { upstream: 'has' }],
  ['git_rebase', { upstream: 'main', onto: 'has' }],
  ['git_reset', { mode: 'keep', target: 'has' }],
  ['git_stash_apply', {}],
  ['git_stash_apply', { index: true, pop: true }],
];

describe('an ignored file, which may be the only copy,', () => {
  it('is not overwritten without confirmation', async () => {
    const top = await ignoringRepository();
    const head = git(top, ['rev-parse', 'HEAD']);
    await writeIn(top, '.env', 'precious\n');
    await using session = await connectGit({ directories: [top], protectedBranches: [] });
    for (const [tool, input] of OVERWRITING) {
      expect(await session.fails(tool, input), `${tool} ${JSON.stringify(input)}`).toMatch(
        /^CONFLICT: (?:ignored files|local changes or untracked files) would be overwritten: \.env/,
      );
      expect(await readFile(path.join(top, '.env'), 'utf8'), tool).toBe('precious\n');
      expect(git(top, ['rev-parse', 'HEAD'])).toBe(head);
      expect(git(top, ['status', '--porcelain'])).toBe('');
    }
    for (const [tool, input] of [
      ['git_reset', { mode: 'hard', target: 'has' }],
      ['git_restore', { paths: ['.'], source: 'has' }],
    ] as const)
      expect(await session.fails(tool, input), tool).toMatch(/^CONFIRMATION_REQUIRED/);
  });

  it('is not overwritten if a directory should replace it', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x\n', '.gitignore': 'build\n' }]]);
    git(top, ['switch', '--quiet', '--create', 'has']);
    await writeIn(top, 'build/x', 'tracked\n');
    git(top, ['add', '--force', 'build/x']);
    git(top, ['commit', '--quiet', '--message=Has']);
    git(top, ['switch', '--quiet', 'main']);
    git(top, ['commit', '--quiet', '--allow-empty', '--message=Own']);
    await writeIn(top, 'build', 'precious\n');
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    expect(await session.fails('git_merge', { revision: 'has' })).toMatch(/^CONFLICT: ignored files/);
    expect(await readFile(path.join(top, 'build'), 'utf8')).toBe('precious\n');
  });

  it('does not block an operation that leaves it unchanged', async () => {
    const top = await ignoringRepository();
    await writeIn(top, '.env', 'precious\n');
    await using session = await connectGit({ directories: [top] });
    await session.call('git_merge', { revision: 'had' });
    expect(await readFile(path.join(top, '.env'), 'utf8')).toBe('precious\n');
  });

  it('is not overwritten by a pull', async () => {
    const place = await scene();
    await extendThere(place.bare, 'main', 'secret');
    await writeIn(place.top, '.git/info/exclude', 'secret.txt\n');
    await writeIn(place.top, 'secret.txt', 'precious\n');
    await using session = await connectTo(place);
    expect(await session.fails('git_pull')).toMatch(
      /^CONFLICT: local changes or untracked files would be overwritten: secret\.txt/,
    );
    expect(await readFile(path.join(place.top, 'secret.txt'), 'utf8')).toBe('precious\n');
  });
});
