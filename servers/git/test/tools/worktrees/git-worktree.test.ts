import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { forkedRepository, oidOf, statusOf } from '../../fixtures/branches.ts';
import { connectGit, git, temporaryDirectory, writeIn } from '../../fixtures/temporary.ts';

interface Scene {
  /** The only allowed directory. */
  readonly root: string;
  readonly top: string;
  readonly beside: string;
}

async function scene(): Promise<Scene> {
  const base = await temporaryDirectory();
  const root = path.join(base, 'safe');
  const top = await forkedRepository(path.join(root, 'project'));
  const beside = path.join(base, 'safe_evil');
  await mkdir(beside);
  return { root, top, beside };
}

const REPO = { repo_path: 'project' };

describe('git_worktree_add', () => {
  it('checks out a branch, a new branch or a commit, each as a separate repository', async () => {
    const { root, top } = await scene();
    await using session = await connectGit({ directories: [root] });
    for (const [name, args, branch, revision] of [
      ['one', { branch: 'other' }, 'other', 'other'],
      ['two', { branch: 'fresh', create: true, revision: 'topic~1' }, 'fresh', 'topic~1'],
      ['three', { revision: 'topic' }, undefined, 'topic'],
      ['four', {}, undefined, 'HEAD'],
    ] as const) {
      const { structuredContent } = await session.call('git_worktree_add', { ...REPO, path: name, ...args });
      const expected = { path: path.join(root, name), oid: oidOf(top, revision), ...(branch !== undefined && { branch }) };
      expect(structuredContent).toEqual(expected);
      expect(await session.text('git_status', { repo_path: name })).toContain(
        branch === undefined ? 'no branch' : `On branch ${branch}`,
      );
      expect(statusOf(path.join(root, name))).toBe('');
    }
    expect((await session.call('git_worktree_list', REPO)).structuredContent).toMatchObject({
      total: 5,
      worktrees: [
        { path: top, main: true, branch: 'main' },
        { path: path.join(root, 'four') },
        { branch: 'other' },
        {},
        { branch: 'fresh' },
      ],
    });
    expect(await session.fails('git_worktree_add', { ...REPO, path: 'five', branch: 'other' })).toMatch(
      /^CONFLICT: .* another work tree/,
    );
    expect(await session.fails('git_worktree_add', { ...REPO, path: 'five', branch: 'other', create: true })).toMatch(
      /^BRANCH_EXISTS/,
    );
    expect(await session.fails('git_worktree_add', { ...REPO, path: 'five', create: true })).toMatch(/^INVALID_ARGUMENTS/);
    expect(await session.fails('git_worktree_add', { ...REPO, path: 'five', branch: 'topic', revision: 'main' })).toMatch(
      /^INVALID_ARGUMENTS/,
    );
    expect(existsSync(path.join(root, 'five'))).toBe(false);
  });

  it('merges in a linked work tree as in the main one', async () => {
    const { root, top } = await scene();
    await using session = await connectGit({ directories: [root] });
    await session.call('git_worktree_add', { ...REPO, path: 'one', branch: 'other' });
    await session.call('git_merge', { repo_path: 'one', revision: 'main' });
    await session.call('git_merge', { repo_path: 'project', revision: 'ahead' });
    await session.fails('git_merge', { repo_path: 'one', revision: 'topic' });
    expect(await session.text('git_conflicts', { repo_path: 'one' })).toContain('both modified: a.txt');
    expect(await session.text('git_conflicts', REPO)).toBe('No conflicts');
    expect(await session.text('git_abort', { repo_path: 'one' })).toMatch(/^Aborted; other/);
    expect(oidOf(top, 'main')).toBe(oidOf(top, 'ahead'));
  });

  const TARGETS: readonly (readonly [string, (place: Scene) => Promise<string>, RegExp])[] = [
    ['outside', async ({ beside }) => path.join(beside, 'x'), /^PATH_OUTSIDE_ROOTS/],
    ['above the roots', async () => '../x', /^PATH_OUTSIDE_ROOTS/],
    ['a sibling with the root as prefix', async ({ root }) => `${root}_evil2`, /^PATH_OUTSIDE_ROOTS/],
    [
      'through a link that leads out',
      async ({ root, beside }) => {
        await symlink(beside, path.join(root, 'link'));
        return 'link/x';
      },
      /^PATH_OUTSIDE_ROOTS/,
    ],
    [
      'over a link that leads out',
      async ({ root, beside }) => {
        await symlink(beside, path.join(root, 'link'));
        return 'link';
      },
      /^ALREADY_EXISTS/,
    ],
    [
      'over a link that leads nowhere',
      async ({ root, beside }) => {
        await symlink(path.join(beside, 'x'), path.join(root, 'link'));
        return 'link';
      },
      /^ALREADY_EXISTS/,
    ],
    ['over a directory', async () => 'project', /^ALREADY_EXISTS/],
    ['inside the git directory', async () => 'project/.git/x', /^INVALID_PATH/],
    [
      'as a git directory',
      async ({ root }) => {
        await mkdir(path.join(root, 'empty'));
        return 'empty/.GIT';
      },
      /^INVALID_PATH/,
    ],
    ['below what is not there', async () => 'nothing/x', /^NOT_FOUND/],
  ];

  it.each(TARGETS)('creates nothing %s', async (_, lead, refusal) => {
    const place = await scene();
    await using session = await connectGit({ directories: [place.root] });
    const target = await lead(place);
    const refs = git(place.top, ['for-each-ref']);
    const text = await session.fails('git_worktree_add', { ...REPO, path: target, branch: 'fresh', create: true });
    expect(text).toMatch(refusal);
    expect(text.replaceAll(JSON.stringify(target), '')).not.toContain('safe_evil');
    expect(git(place.top, ['worktree', 'list'])).not.toContain('fresh');
    expect(git(place.top, ['for-each-ref'])).toBe(refs);
    expect(existsSync(path.join(place.beside, 'x'))).toBe(false);
    expect(existsSync(`${place.root}_evil2`)).toBe(false);
  });

  it('accepts a directory whose name looks like an option', async () => {
    const { root } = await scene();
    await using session = await connectGit({ directories: [root] });
    await session.call('git_worktree_add', { ...REPO, path: '--force', branch: 'other' });
    expect(await readFile(path.join(root, '--force/b.txt'), 'utf8')).toBe('b\n');
  });
});

describe('git_worktree_remove', () => {
  it('removes a work tree, and one with changes only after confirmation', async () => {
    const { root, top } = await scene();
    await using session = await connectGit({ directories: [root] });
    for (const [name, branch] of [
      ['one', 'other'],
      ['two', 'topic'],
    ] as const)
      await session.call('git_worktree_add', { ...REPO, path: name, branch });
    expect(await session.text('git_worktree_remove', { ...REPO, path: 'one' })).toBe(`Removed ${path.join(root, 'one')}`);
    expect(existsSync(path.join(root, 'one'))).toBe(false);
    await writeIn(root, 'two/a.txt', 'mine\n');
    await writeIn(root, 'two/new.txt', 'mine\n');
    expect(await session.fails('git_worktree_remove', { ...REPO, path: 'two' })).toMatch(/^CONFIRMATION_REQUIRED: /);
    const { structuredContent } = await session.call('git_worktree_remove', { ...REPO, path: 'two', dry_run: true });
    expect(structuredContent).toMatchObject({ lost: ['a.txt', 'new.txt'] });
    const { confirm_token } = Object(structuredContent);
    await writeIn(root, 'two/a.txt', 'more\n');
    expect(await session.fails('git_worktree_remove', { ...REPO, path: 'two', confirm_token })).toMatch(/^PRECONDITION_FAILED: /);
    await using asking = await connectGit({ directories: [root] }, 'modern', {
      answers: { elicitation: { confirm: true } },
    });
    await asking.call('git_worktree_remove', { ...REPO, path: 'two' });
    expect(existsSync(path.join(root, 'two'))).toBe(false);
    expect(git(top, ['worktree', 'list']).trim().split('\n')).toHaveLength(1);
  });

  it('does not remove the main work tree, a locked work tree or another directory', async () => {
    const { root, top, beside } = await scene();
    git(top, ['worktree', 'add', '--quiet', path.join(root, 'one'), 'other']);
    git(top, ['worktree', 'lock', '--reason=on a stick', path.join(root, 'one')]);
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_worktree_remove', { ...REPO, path: 'project' })).toMatch(
      /^INVALID_ARGUMENTS: .*main work tree/,
    );
    expect(await session.fails('git_worktree_remove', { ...REPO, path: 'one' })).toMatch(/^CONFLICT: .*locked: on a stick/);
    expect(await session.fails('git_worktree_remove', { ...REPO, path: beside })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(await session.fails('git_worktree_remove', { ...REPO, path: 'project/.git' })).toMatch(
      /^(?:NOT_A_REPO|REPO_UNTRUSTED|INVALID_ARGUMENTS)/,
    );
    expect(await session.text('git_worktree_list', REPO)).toContain('(locked: on a stick)');
  });

  it('keeps a backup ref of a commit that no branch contains', async () => {
    const { root, top } = await scene();
    git(top, ['worktree', 'add', '--quiet', '--detach', path.join(root, 'one'), 'other']);
    git(path.join(root, 'one'), ['commit', '--quiet', '--allow-empty', '--message=Loose']);
    const oid = oidOf(path.join(root, 'one'), 'HEAD');
    await using session = await connectGit({ directories: [root] });
    await session.call('git_worktree_remove', { ...REPO, path: 'one' });
    expect(git(top, ['for-each-ref', '--format=%(objectname)', 'refs/mcp-backup']).trim()).toBe(oid);
  });
});

describe('git_worktree_prune', () => {
  it('prunes work trees whose directories no longer exist, and does not reveal paths outside', async () => {
    const { root, top, beside } = await scene();
    for (const [name, revision] of [
      ['one', 'other'],
      ['two', 'topic'],
      ['kept', 'ahead'],
    ] as const)
      git(top, ['worktree', 'add', '--quiet', path.join(root, name), revision]);
    git(top, ['worktree', 'add', '--quiet', '--detach', path.join(beside, 'three')]);
    git(top, ['worktree', 'lock', path.join(root, 'two')]);
    for (const directory of [path.join(root, 'one'), path.join(root, 'two'), path.join(beside, 'three')])
      await rm(directory, { recursive: true });
    await using session = await connectGit({ directories: [root] });
    const list = await session.text('git_worktree_list', REPO);
    expect(list).toContain(`${path.join(root, 'one')}: other at`);
    expect(list).toContain('outside the allowed directories: detached at');
    expect(list).not.toContain('safe_evil');
    expect((await session.call('git_worktree_prune', REPO)).structuredContent).toEqual({
      paths: [path.join(root, 'one')],
      total: 2,
    });
    expect(git(top, ['worktree', 'list']).trim().split('\n')).toHaveLength(3);
  });

  it('lists a repository whose work tree moved away without touching it', async () => {
    const { root, top } = await scene();
    git(top, ['worktree', 'add', '--quiet', path.join(root, 'one'), 'other']);
    await rename(path.join(root, 'one'), path.join(root, 'moved'));
    await writeFile(path.join(root, 'one'), 'a file');
    await using session = await connectGit({ directories: [root] });
    expect(await session.text('git_worktree_list', REPO)).toContain('prunable');
    await session.call('git_worktree_prune', REPO);
    expect(await readFile(path.join(root, 'one'), 'utf8')).toBe('a file');
    expect(existsSync(path.join(root, 'moved/b.txt'))).toBe(true);
  });
});
