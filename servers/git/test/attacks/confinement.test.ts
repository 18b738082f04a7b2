import { appendFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectGit, git, repositoryOf } from '../fixtures/temporary.ts';
import { replaceByLink, scene, type Scene } from '../fixtures/attacks/scene.ts';

/** Each function prepares a repository that is partly or completely outside the root, and resolves to its `repo_path`. */
const WAYS_OUT: readonly (readonly [string, (scene: Scene) => Promise<string>])[] = [
  ['a repository outside', async ({ outside }) => outside],
  ['a sibling with the root as prefix', async ({ root }) => `${root}_evil`],
  [
    'a link to a repository outside',
    async ({ root, outside }) => {
      await symlink(outside, path.join(root, 'link'));
      return 'link';
    },
  ],
  [
    'a .git file that points outside',
    async ({ top, outside }) => {
      await rm(path.join(top, '.git'), { recursive: true });
      await writeFile(path.join(top, '.git'), `gitdir: ${outside}/.git\n`);
      return top;
    },
  ],
  [
    'a .git that is a link',
    async ({ top, outside }) => {
      await replaceByLink(path.join(top, '.git'), path.join(outside, '.git'));
      return top;
    },
  ],
  [
    'a common directory outside',
    async ({ top, outside }) => {
      await writeFile(path.join(top, '.git/commondir'), `${outside}/.git\n`);
      return top;
    },
  ],
  [
    'objects that are a link',
    async ({ top, outside }) => {
      await replaceByLink(path.join(top, '.git/objects'), path.join(outside, '.git/objects'));
      return top;
    },
  ],
  [
    'packs that are a link',
    async ({ top, outside }) => {
      await replaceByLink(path.join(top, '.git/objects/pack'), path.join(outside, '.git/objects'));
      return top;
    },
  ],
  [
    'references that are a link',
    async ({ top, outside }) => {
      await replaceByLink(path.join(top, '.git/refs'), path.join(outside, '.git/refs'));
      return top;
    },
  ],
  [
    'a HEAD that is a link',
    async ({ top, outside }) => {
      await replaceByLink(path.join(top, '.git/HEAD'), path.join(outside, '.git/HEAD'));
      return top;
    },
  ],
  [
    'a config that is a link',
    async ({ top, outside }) => {
      await replaceByLink(path.join(top, '.git/config'), path.join(outside, '.git/config'));
      return top;
    },
  ],
  [
    'a branch that is a link',
    async ({ top, outside }) => {
      await replaceByLink(path.join(top, '.git/refs/heads/main'), path.join(outside, '.git/refs/heads/main'));
      return top;
    },
  ],
  [
    'an index that is a link',
    async ({ top, outside }) => {
      await replaceByLink(path.join(top, '.git/index'), path.join(outside, '.git/index'));
      return top;
    },
  ],
  [
    'alternates outside',
    async ({ top, outside }) => {
      await mkdir(path.join(top, '.git/objects/info'), { recursive: true });
      await appendFile(path.join(top, '.git/objects/info/alternates'), `${outside}/.git/objects\n`);
      return top;
    },
  ],
  [
    'alternates of alternates outside',
    async ({ root, top, outside }) => {
      const between = await repositoryOf([['Between', { b: 'x' }]], path.join(root, 'between'));
      await appendFile(path.join(between, '.git/objects/info/alternates'), `${outside}/.git/objects\n`);
      await appendFile(path.join(top, '.git/objects/info/alternates'), `${between}/.git/objects\n`);
      return top;
    },
  ],
  [
    'alternates outside, in a linked work tree',
    async ({ root, top, outside }) => {
      git(top, ['worktree', 'add', '--quiet', path.join(root, 'side')]);
      await appendFile(path.join(top, '.git/objects/info/alternates'), `${outside}/.git/objects\n`);
      return path.join(root, 'side');
    },
  ],
  [
    'alternates outside, relative',
    async ({ top }) => {
      await appendFile(path.join(top, '.git/objects/info/alternates'), '../../../../safe_evil/.git/objects\n');
      return top;
    },
  ],
  [
    'alternates outside, quoted',
    async ({ top, outside }) => {
      await appendFile(path.join(top, '.git/objects/info/alternates'), `"${outside}/.git/objects"\n`);
      return top;
    },
  ],
  [
    'alternates outside, quoted by numbers',
    async ({ top, outside }) => {
      const numbers = Array.from(Buffer.from(outside), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
      await appendFile(path.join(top, '.git/objects/info/alternates'), `"${numbers}/.git/objects"\n`);
      return top;
    },
  ],
  [
    'alternates through a link',
    async ({ root, top, outside }) => {
      await symlink(path.join(outside, '.git/objects'), path.join(root, 'store'));
      await appendFile(path.join(top, '.git/objects/info/alternates'), `${root}/store\n`);
      return top;
    },
  ],
  [
    'a chain of .git files that points outside',
    async ({ root, top, outside }) => {
      git(top, ['worktree', 'add', '--quiet', path.join(root, 'side')]);
      await writeFile(path.join(top, '.git/worktrees/side/commondir'), `${outside}/.git\n`);
      return path.join(root, 'side');
    },
  ],
  [
    'a work tree outside',
    async ({ top, outside }) => {
      git(top, ['config', 'core.worktree', outside]);
      return top;
    },
  ],
  [
    'a work tree that is the system',
    async ({ top }) => {
      git(top, ['config', 'core.worktree', '/etc']);
      return top;
    },
  ],
];

describe('access outside the roots', () => {
  it.each(WAYS_OUT)('is rejected by every tool: %s', async (_, lead) => {
    const place = await scene();
    const repo_path = await lead(place);
    const before = git(place.outside, ['for-each-ref']);
    await using session = await connectGit({ directories: [place.root] });
    for (const [tool, input] of [
      ['git_status', {}],
      ['git_log', {}],
      ['git_show', { revision: 'HEAD' }],
      ['git_add', { files: ['.'] }],
      ['git_commit', { message: 'x' }],
      ['git_create_branch', { branch_name: 'x' }],
      ['git_blame', { path: 'secret.txt' }],
      ['git_grep', { pattern: 'SECRET' }],
      ['git_ls_files', {}],
      ['git_cat_file', { object: 'HEAD:secret.txt' }],
      ['git_rev_parse', { revision: 'HEAD' }],
      ['git_reflog', {}],
      ['git_compare', { base: 'HEAD' }],
    ] as const) {
      const text = await session.fails(tool, { repo_path, ...input });
      expect(text, tool).toMatch(/^(?:PATH_OUTSIDE_ROOTS|NOT_A_REPO)/);
      expect(text).not.toContain('SECRET');
      expect(text.replaceAll(JSON.stringify(repo_path), '')).not.toContain('safe_evil');
    }
    expect(git(place.outside, ['for-each-ref'])).toBe(before);
  });

  it('is not possible to a repository that contains the root', async () => {
    const top = await repositoryOf([['Above', { 'sub/a.txt': 'x' }]]);
    await using session = await connectGit({ directories: [path.join(top, 'sub')] });
    expect(await session.fails('git_log')).toMatch(/^NOT_A_REPO/);
    expect(await session.fails('git_log', { repo_path: '.' })).toMatch(/^NOT_A_REPO/);
  });

  it('is not possible by a path argument', async () => {
    const { root, top, outside } = await scene();
    await symlink(outside, path.join(top, 'link'));
    await using session = await connectGit({ directories: [root] });
    for (const file of ['../../safe_evil/secret.txt', path.join(outside, 'secret.txt'), '/etc/passwd']) {
      expect(await session.fails('git_add', { files: [file] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
      expect(await session.fails('git_blame', { path: file })).toMatch(/^PATH_OUTSIDE_ROOTS/);
      expect(await session.fails('git_log', { paths: [file] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
      expect(await session.fails('git_diff_unstaged', { paths: [file] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
      expect(await session.fails('git_show', { revision: 'HEAD', path: file })).toMatch(/^PATH_OUTSIDE_ROOTS/);
      expect(await session.fails('git_status', { paths: [file] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
      expect(await session.fails('git_ls_files', { paths: [file] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
      expect(await session.fails('git_grep', { pattern: 'x', paths: [file] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
      expect(await session.fails('git_grep', { pattern: 'x', globs: [file] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
      expect(await session.fails('git_cat_file', { object: `HEAD:${file}` })).toMatch(/^INVALID_REVISION/);
    }
    expect(await session.fails('git_add', { files: ['link/secret.txt'] })).toMatch(/^INVALID_PATH/);
    for (const file of ['.git/config', '.GIT/hooks', './.git'])
      expect(await session.fails('git_add', { files: [file] })).toMatch(/^INVALID_PATH/);
  });

  it('is not possible through a tracked directory or file that became a link', async () => {
    const { root, outside } = await scene();
    const top = await repositoryOf(
      [['Tracked', { 'dir/secret.txt': 'public\n', 'file.txt': 'public\n' }]],
      path.join(root, 'other'),
    );
    await replaceByLink(path.join(top, 'dir'), outside);
    await replaceByLink(path.join(top, 'file.txt'), path.join(outside, 'secret.txt'));
    await using session = await connectGit({ directories: [top] });
    for (const [tool, input] of [
      ['git_diff_unstaged', {}],
      ['git_diff', { target: 'HEAD' }],
      ['git_status', {}],
      ['git_blame', { path: 'dir/secret.txt' }],
      ['git_grep', { pattern: 'SECRET' }],
      ['git_ls_files', { kind: 'untracked' }],
    ] as const)
      expect(await session.text(tool, input)).not.toContain('SECRET');
  });

  it('is not possible through a bare repository in a work tree', async () => {
    const { root, top } = await scene();
    const bare = path.join(top, 'bare');
    git(root, ['init', '--quiet', '--bare', bare]);
    git(bare, ['config', 'core.bare', 'false']);
    git(bare, ['config', 'core.worktree', '..']);
    git(bare, ['config', 'core.fsmonitor', 'touch executed']);
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_status', { repo_path: bare })).toMatch(/^REPO_UNTRUSTED: .* is a bare repository/);
  });
});
