import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import path from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import { CONFIRMS } from '../fixtures/confirming.ts';
import { connectGit, git, repositoryOf, temporaryDirectory, writeIn } from '../fixtures/temporary.ts';
import { replaceByLink, scene, type Scene } from '../fixtures/attacks/scene.ts';

type Plant = (scene: Scene) => Promise<void>;

async function linkIn({ top }: Scene, name: string, target: string): Promise<void> {
  const link = path.join(top, '.git', name);
  await mkdir(path.dirname(link), { recursive: true });
  await replaceByLink(link, target);
}

/** Links, and alternates, whose targets git would write to, delete or read. */
const LINKS: readonly (readonly [string, Plant])[] = [
  ['the log of a branch', (place) => linkIn(place, 'logs/refs/heads/main', path.join(place.outside, 'secret.txt'))],
  ['the log of a branch that has a slash', (place) => linkIn(place, 'logs/refs/heads/a/b', place.outside)],
  ['the logs of backups', (place) => linkIn(place, 'logs/refs/mcp-backup', place.outside)],
  ['the directory of branches that have slashes', (place) => linkIn(place, 'refs/heads/a/b', place.outside)],
  ['a linked work tree', (place) => linkIn(place, 'worktrees/evil', place.outside)],
  ['linked work trees', (place) => linkIn(place, 'worktrees', place.outside)],
  [
    'a linked work tree that is another repository inside',
    (place) => linkIn(place, 'worktrees/evil', path.join(place.root, 'neighbour')),
  ],
  ['a rebase that is another repository inside', (place) => linkIn(place, 'rebase-merge', path.join(place.root, 'neighbour'))],
  ['the log of a linked work tree', (place) => linkIn(place, 'worktrees/side/logs/HEAD', path.join(place.outside, 'secret.txt'))],
  ...[49, 60].map((number): readonly [string, Plant] => [
    `an alternate after ${number} others, which are more than the guard examines`,
    async ({ top, outside }) => {
      const others = Array.from({ length: number }, (_, index) => `${top}/${index}\n`).join('');
      await writeIn(top, '.git/objects/info/alternates', `${outside}/.git/objects\n${others}`);
    },
  ]),
];

const CALLS = [
  ['git_log', {}],
  ['git_cat_file', { object: 'HEAD:secret.txt' }],
  ['git_commit', { message: 'x; touch executed', allow_empty: true }],
  ['git_create_branch', { branch_name: 'a/b/x' }],
  ['git_rename_branch', { branch_name: 'side', new_name: 'other' }],
  ['git_worktree_prune', {}],
  ['git_abort', {}],
] as const;

/** Returns a digest of the names and file contents below a directory. */
async function digestOf(directory: string): Promise<string> {
  const digest = createHash('sha256');
  for (const name of (await readdir(directory, { recursive: true })).sort())
    digest.update(name).update(await readFile(path.join(directory, name)).catch(() => ''));
  return digest.digest('hex');
}

describe('a link in the git directory', () => {
  it.each(LINKS)('does not redirect any tool: %s', async (_, plant) => {
    const place = await scene();
    const neighbour = await repositoryOf([['Neighbour', { 'n.txt': 'x\n' }]], path.join(place.root, 'neighbour'));
    git(place.top, ['worktree', 'add', '--quiet', '-b', 'side', path.join(place.root, 'side')]);
    await plant(place);
    const before = [await digestOf(place.outside), await digestOf(neighbour)];
    await using session = await connectGit({ directories: [place.root] }, 'modern', CONFIRMS);
    for (const [tool, input] of CALLS)
      expect(await session.fails(tool, { repo_path: place.top, ...input }), tool).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect([await digestOf(place.outside), await digestOf(neighbour)]).toEqual(before);
  });

  it('does not redirect the next call if it is created between two calls', async () => {
    const place = await scene();
    await using session = await connectGit({ directories: [place.root] });
    await session.call('git_commit', { repo_path: place.top, message: 'x', allow_empty: true });
    await rename(path.join(place.top, '.git/logs/refs/heads'), path.join(place.top, '.git/logs/refs/kept'));
    await symlink(place.outside, path.join(place.top, '.git/logs/refs/heads'));
    const before = await digestOf(place.outside);
    expect(await session.fails('git_commit', { repo_path: place.top, message: 'x', allow_empty: true })).toMatch(
      /^PATH_OUTSIDE_ROOTS/,
    );
    expect(await digestOf(place.outside)).toBe(before);
  });
});

const TOUCHING = [
  ['git_mv', { source: 'dir/secret.txt', destination: 'got.txt' }],
  ['git_mv', { source: 'dir', destination: 'got' }],
  ['git_mv', { source: 'file.txt', destination: 'dir/file.txt' }],
  ['git_rm', { paths: ['dir/secret.txt'] }],
  ['git_rm', { paths: ['dir'], recursive: true }],
  ['git_stash_push', { untracked: true }],
  ['git_add', { files: ['.'] }],
  ['git_add', { update: true }],
  ['git_commit', { message: 'x', paths: ['.'] }],
  ['git_commit', { message: 'x', paths: ['dir/secret.txt'] }],
  ['git_checkout', { branch_name: 'other' }],
  ['git_merge', { revision: 'other', ff: 'never' }],
  ['git_cherry_pick', { revisions: ['other'] }],
  ['git_reset', { mode: 'keep', target: 'other' }],
  ['git_reset', { mode: 'hard', target: 'other' }],
  ['git_restore', { paths: ['.'] }],
  ['git_clean', { directories: true, ignored: true }],
] as const;

describe('a directory of the work tree that became a link', () => {
  it('is neither written to nor read', async () => {
    const { root, outside } = await scene();
    const top = await repositoryOf([['Tracked', { 'dir/secret.txt': 'public\n', 'file.txt': 'x\n' }]], path.join(root, 'other'));
    git(top, ['switch', '--quiet', '--create', 'other']);
    await writeIn(top, 'dir/secret.txt', 'changed\n');
    await writeIn(top, 'dir/new.txt', 'new\n');
    git(top, ['add', '--all']);
    git(top, ['commit', '--quiet', '--message=Other']);
    git(top, ['switch', '--quiet', 'main']);
    const before = await digestOf(outside);
    const secret = git(outside, ['hash-object', 'secret.txt']).trim();
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    for (const [tool, input] of TOUCHING) {
      await replaceByLink(path.join(top, 'dir'), outside);
      await session.client.callTool({ name: tool, arguments: { ...input } });
      const what = `${tool} ${JSON.stringify(input)}`;
      expect(await digestOf(outside), what).toBe(before);
      expect(() => git(top, ['cat-file', '-e', secret]), what).toThrow();
      for (const name of ['got', 'got.txt']) expect(existsSync(path.join(top, name)), what).toBe(false);
    }
  });
});

describe.runIf(platform() === 'linux')('a pipe in the git directory', () => {
  it.each([
    'objects/info/alternates',
    'index',
    'packed-refs',
    'refs/heads/a/b',
    'info/attributes',
    'logs/HEAD',
    'COMMIT_EDITMSG',
    'MERGE_MSG',
  ])('is detected before git waits for it: %s', async (name) => {
    const { root, top } = await scene();
    await mkdir(path.dirname(path.join(top, '.git', name)), { recursive: true });
    await rm(path.join(top, '.git', name), { force: true });
    execFileSync('mkfifo', [path.join(top, '.git', name)]);
    await using session = await connectGit({ directories: [root] });
    for (const [tool, input] of CALLS)
      expect(await session.fails(tool, { repo_path: top, ...input }), tool).toMatch(/^REPO_UNTRUSTED: .*a pipe or a device$/);
    expect(await session.text('git_list_repositories')).toContain('REPO_UNTRUSTED');
  });

  it.each(['HEAD', 'config', 'commondir'])('makes a call fail after a time limit if git waits for it: %s', async (name) => {
    const { root, top } = await scene();
    await rm(path.join(top, '.git', name), { force: true });
    execFileSync('mkfifo', [path.join(top, '.git', name)]);
    await using session = await connectGit({ directories: [root] });
    const patience = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => patience(milliseconds / 50));
    try {
      expect(await session.fails('git_status', { repo_path: top })).toMatch(/^REPO_UNTRUSTED: .*a pipe or a device$/);
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('a recorded conflict resolution', () => {
  it('is not read from a file outside the repository', async () => {
    const { root, top, outside } = await scene();
    const recorded = 'a'.repeat(40);
    await mkdir(path.join(top, '.git/rr-cache', recorded), { recursive: true });
    await writeFile(path.join(top, '.git/rr-cache', recorded, 'preimage'), 'x\n');
    await writeFile(path.join(top, '.git/MERGE_RR'), `${recorded}\t${outside}/secret.txt\0`);
    git(top, ['config', 'rerere.enabled', 'true']);
    await using session = await connectGit({ directories: [root] });
    await session.call('git_commit', { repo_path: top, message: 'x', allow_empty: true });
    expect(await readdir(path.join(top, '.git/rr-cache', recorded))).toEqual(['preimage']);
  });
});

describe('a root that is itself a link', () => {
  it('accepts paths below the link', async () => {
    const { top } = await scene();
    const link = path.join(await mkdtemp(path.join(await temporaryDirectory(), 'link-')), 'root');
    await symlink(top, link);
    await using session = await connectGit({ directories: [link] });
    await writeIn(top, 'b.txt', 'x');
    expect(await session.text('git_add', { files: [path.join(link, 'b.txt')] })).toBe('staged b.txt');
    expect(await readFile(path.join(top, 'b.txt'), 'utf8')).toBe('x');
  });
});
