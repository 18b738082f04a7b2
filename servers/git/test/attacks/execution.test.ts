import { existsSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { CONFIRMS } from '../confirming.ts';
import { gitHost } from '../git-host.ts';
import { connectGit, git, repositoryOf, writeIn } from '../temporary.ts';
import { plantedRepository } from './planted.ts';

/** Every tool, in an order in which each can succeed. */
const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['git_status', {}],
  ['git_log', {}],
  ['git_log', { pickaxe: 'two', paths: ['a.txt'] }],
  ['git_diff_unstaged', {}],
  ['git_diff', { target: 'HEAD~1' }],
  ['git_show', { revision: 'HEAD' }],
  ['git_branch', { branch_type: 'all', contains: 'HEAD~1' }],
  ['git_blame', { path: 'a.txt' }],
  ['git_show', { revision: 'HEAD', path: 'a.txt' }],
  ['git_diff_unstaged', { exclude_generated: true, ignore_whitespace: true }],
  ['git_log', { stats: true, regex: true, grep: 'E', author: 'A', follow: true, paths: ['a.txt'] }],
  ['git_grep', { pattern: 'one', regex: true, globs: ['*.txt'], context_lines: 1 }],
  ['git_grep', { pattern: 'one', revision: 'HEAD~1' }],
  ['git_ls_files', { kind: 'ignored' }],
  ['git_ls_files', { kind: 'untracked' }],
  ['git_cat_file', { object: 'HEAD:a.txt' }],
  ['git_rev_parse', { revision: 'HEAD' }],
  ['git_reflog', {}],
  ['git_compare', { base: 'other' }],
  ['git_add', { files: ['.'] }],
  ['git_diff_staged', { base: 'HEAD~1' }],
  ['git_commit', { message: 'Third' }],
  ['git_create_branch', { branch_name: 'new' }],
  ['git_checkout', { branch_name: 'other' }],
  ['git_merge', { revision: 'new', ff: 'never', no_commit: true }],
  ['git_conflicts', {}],
  ['git_abort', {}],
  ['git_merge', { revision: 'new', ff: 'never', no_commit: true }],
  ['git_continue', {}],
  ['git_revert', { revisions: ['HEAD'], mainline: 1 }],
  ['git_cherry_pick', { revisions: ['main~1'] }],
  ['git_rebase', { upstream: 'new' }],
  ['git_worktree_add', { path: 'linked', revision: 'HEAD' }],
  ['git_worktree_list', {}],
  ['git_worktree_remove', { path: 'linked' }],
  ['git_worktree_prune', {}],
  ['git_checkout', { branch_name: 'main' }],
  ['git_rename_branch', { branch_name: 'new', new_name: 'newer' }],
  ['git_delete_branch', { branch_name: 'newer' }],
  ['git_mv', { source: 'b.bin', destination: 'c.bin' }],
  ['git_commit', { message: 'Move', trailers: ['planted: x'], paths: ['b.bin', 'c.bin'] }],
  ['git_commit', { amend: true }],
  ['git_rm', { paths: ['c.bin'] }],
  ['git_stash_push', { untracked: true }],
  ['git_stash_list', {}],
  ['git_stash_apply', { index: true }],
  ['git_stash_drop', {}],
  ['git_reset', { paths: ['c.bin'] }],
  ['git_restore', { paths: ['.'] }],
  ['git_reset', { mode: 'hard', target: 'HEAD~1' }],
  ['git_clean', { directories: true, ignored: true }],
  ['git_tag_create', { name: 'v1', message: 'One' }],
  ['git_tag_list', {}],
  ['git_tag_verify', { name: 'v1' }],
  ['git_tag_delete', { name: 'v1' }],
];

/** Those that succeed only where something stopped, and are tested there. */
const IN_CONFLICTS = ['git_skip'];
/** The same for those that make repositories and reach a remote, which is empty. */
function remoteCalls(url: string): typeof CALLS {
  return [
    ['git_remote_add', { name: 'origin', url }],
    ['git_remote_list', {}],
    ['git_remote_set_url', { name: 'origin', url: `${url}x`, dry_run: true }],
    ['git_remote_remove', { name: 'origin', dry_run: true }],
    ['git_push', { branch: 'main', set_upstream: true, tags: true }],
    ['git_fetch', { prune: true }],
    ['git_pull', { branch: 'main' }],
    ['git_push', { branch: 'other' }],
    ['git_push', { branch: 'other', delete: true, dry_run: true }],
    ['git_clone', { url, path: 'copy' }],
    ['git_init', { repo_path: 'fresh' }],
  ];
}

describe.each(ERAS)('a repository full of traps, on a %s connection', (era) => {
  it('is served by every tool without any of them going off', async () => {
    const { top, marker } = await plantedRepository();
    const host = await gitHost();
    await host.add('project');
    await using session = await connectGit({ directories: [top], remoteHosts: [host.origin] }, era, CONFIRMS);
    const calls = [...CALLS, ...remoteCalls(host.url('project')), ['git_list_repositories', {}]] as const;
    for (const [tool, input] of calls) {
      await session.call(tool, input);
      expect(existsSync(marker), `${tool} ${JSON.stringify(input)}`).toBe(false);
    }
    expect(new Set([...calls.map(([tool]) => tool), ...IN_CONFLICTS])).toEqual(new Set(await session.toolNames()));
  });

  it('goes off under plain git', async () => {
    const { top, marker } = await plantedRepository();
    git(top, ['diff']);
    expect(existsSync(marker)).toBe(true);
  });

  it('looks as if nothing had been configured', async () => {
    const { top } = await plantedRepository();
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.text('git_status')).toBe('On branch main\nunstaged modified: a.txt');
    expect(await session.text('git_diff_unstaged')).toBe(
      'diff --git a/a.txt b/a.txt\nindex 814f4a4..4cb29ea 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n two\n+three\n',
    );
    expect(await session.text('git_log', { max_count: 1 })).toMatch(
      /^[0-9a-f]{40} 2026-01-01T00:01:00\+00:00 Ann <ann@example.com>\n    Extend\n/,
    );
    expect(await session.text('git_branch')).toMatch(/^\* main [0-9a-f]{12} Extend\n {2}other [0-9a-f]{12} Begin$/);
  });
});

const UNTRUSTED: readonly (readonly [string, string, string])[] = [
  ['a clean filter', 'filter.planted.clean', 'touch x'],
  ['a smudge filter', 'filter.planted.smudge', 'touch x'],
  ['a filter process', 'filter.planted.process', 'touch x'],
  ['a filter that calls itself lfs', 'filter.lfs.clean', 'git-lfs clean -- %f; touch x'],
  ['a merge driver', 'merge.planted.driver', 'touch x'],
  ['an upload pack', 'remote.origin.uploadpack', 'touch x'],
  ['a receive pack', 'remote.origin.receivepack', 'touch x'],
  ['a remote helper', 'remote.origin.vcs', 'ext'],
  ['a promisor remote', 'remote.origin.promisor', 'true'],
  ['a partial clone', 'extensions.partialClone', 'origin'],
  ['a rewritten scheme', 'url.ext::sh -c x.insteadOf', 'https://example.com/'],
  ['a git proxy', 'core.gitProxy', 'touch x'],
  ['a merge strategy', 'pull.twohead', 'planted'],
  ['one of several merge strategies', 'pull.octopus', 'octopus planted'],
  ['a submodule update command', 'submodule.sub.update', '!touch x'],
  ['a configured hook', 'hook.planted.command', 'touch x'],
  ['an include from outside', 'include.path', '/etc/passwd'],
  ['a conditional include from outside', 'includeIf.gitdir:/nowhere.path', '../../../outside'],
  ['an include that depends on the branch', 'includeIf.onbranch:evil.path', 'inside.config'],
  ['a file of ignored revisions outside', 'blame.ignoreRevsFile', '/etc/passwd'],
];

describe('a repository whose configuration names programs', () => {
  it.each(UNTRUSTED)('is refused by every tool: %s', async (_, key, value) => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    git(top, ['config', key, value], { env: { GIT_CONFIG_NOSYSTEM: '1' } });
    await using session = await connectGit({ directories: [top] });
    for (const [tool, input] of CALLS) expect(await session.fails(tool, input), tool).toMatch(/^REPO_UNTRUSTED: /);
  });

  it.each(['listed', 'all'] as const)('is used where --trust says %s', async (trust) => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x', '.gitattributes': '*.txt filter=upper\n' }]]);
    git(top, ['config', 'filter.upper.clean', 'tr a-z A-Z']);
    await writeIn(top, 'a.txt', 'words');
    await using session = await connectGit({ directories: [top], trust });
    expect(await session.text('git_diff_unstaged')).toContain('+WORDS');
  });

  it('is trusted only by its own name where --trust says listed', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    git(top, ['config', 'filter.upper.clean', 'tr a-z A-Z']);
    await using session = await connectGit({ directories: [path.dirname(top)], trust: 'listed' });
    expect(await session.fails('git_status')).toMatch(/^REPO_UNTRUSTED/);
  });

  it('is noticed when that changes between two calls', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    await using session = await connectGit({ directories: [top] });
    await session.call('git_status');
    git(top, ['config', 'filter.planted.clean', 'touch x']);
    expect(await session.fails('git_status')).toMatch(/^REPO_UNTRUSTED/);
    git(top, ['config', '--unset', 'filter.planted.clean']);
    expect(await session.text('git_status')).toContain('On branch main');
  });

  it.each([
    ['an included file', 'shared.config', ''],
    ['an included file that was not there', 'later.config', ''],
    ['a file that an included one includes', 'nested.config', ''],
    ['what an included link leads to', 'target.config', ''],
    ['the configuration of the work tree', '.git/config.worktree', '[core]\n'],
  ])('is noticed when it is in %s', async (_, file, before) => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    await writeIn(top, 'shared.config', '[include]\n\tpath = nested.config\n');
    await writeIn(top, 'nested.config', '[user]\n\tname = Nested\n');
    await writeIn(top, 'target.config', '[user]\n\tname = Target\n');
    await symlink(path.join(top, 'target.config'), path.join(top, 'link.config'));
    for (const name of ['shared', 'later', 'link']) git(top, ['config', '--add', 'include.path', `../${name}.config`]);
    git(top, ['config', 'extensions.worktreeConfig', 'true']);
    await using session = await connectGit({ directories: [top] });
    await session.call('git_log');
    await writeIn(top, file, `${before}[filter "planted"]\n\tclean = touch x\n`);
    expect(await session.fails('git_log')).toMatch(/^REPO_UNTRUSTED: .*filter\.planted\.clean/);
  });

  it('is used if it is what git-lfs installs, or an include inside', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x', 'shared.config': '[user]\n\tname = Shared\n' }]]);
    git(top, ['config', 'filter.lfs.clean', 'git-lfs clean -- %f']);
    git(top, ['config', 'filter.lfs.process', 'git-lfs filter-process']);
    git(top, ['config', 'include.path', '../shared.config']);
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_status')).toBe('On branch main\nNothing has changed');
  });
});

describe('a submodule', () => {
  it('with traps of its own is not entered', async () => {
    const { top: inner, marker } = await plantedRepository();
    const outer = path.dirname(inner);
    git(inner, ['config', 'filter.planted.clean', path.join(outer, 'program')]);
    await writeIn(inner, '.git/info/attributes', '* filter=planted\n');
    git(outer, ['init', '--quiet', '--initial-branch=main']);
    git(outer, ['config', 'user.name', 'Ada']);
    git(outer, ['config', 'user.email', 'ada@example.org']);
    git(outer, ['-c', 'core.fsmonitor=false', 'add', 'project']);
    git(outer, ['commit', '--quiet', '--message=with submodule']);
    await writeFile(
      path.join(outer, '.gitmodules'),
      '[submodule "project"]\n\tpath = project\n\turl = ./project\n\tignore = none\n',
    );
    git(outer, ['config', 'submodule.project.ignore', 'none']);
    git(outer, ['config', 'diff.submodule', 'log']);
    await writeIn(outer, 'plain.txt', 'plain\n');
    git(outer, ['add', 'plain.txt']);
    git(outer, ['commit', '--quiet', '--message=with a file']);
    // Of the length that is committed, so that git has to read it, and to run the filter for that.
    const touch = (): Promise<string> => writeIn(inner, 'a.txt', `${Math.random().toString(36).slice(2, 9)}\n`);
    await touch();
    await writeIn(outer, 'plain.txt', 'changed\n');
    git(outer, ['-c', 'core.fsmonitor=false', 'stash', 'create']);
    expect(existsSync(marker)).toBe(true);
    await rm(marker);
    await using session = await connectGit({ directories: [outer] }, 'modern', CONFIRMS);
    for (const [tool, input] of [
      ['git_status', {}],
      ['git_diff_unstaged', {}],
      ['git_diff', { target: 'HEAD' }],
      ['git_stash_push', { untracked: true }],
      ['git_stash_apply', { index: true }],
      ['git_add', { files: ['.'] }],
      ['git_diff_staged', {}],
      ['git_commit', { message: 'x' }],
      ['git_show', { revision: 'HEAD' }],
      ['git_create_branch', { branch_name: 'before', base_branch: 'HEAD~1' }],
      ['git_checkout', { branch_name: 'before' }],
      ['git_commit', { message: 'x', paths: ['plain.txt'], allow_empty: true }],
      ['git_restore', { paths: ['.'], staged: true, worktree: true }],
      ['git_reset', { mode: 'keep', target: 'HEAD~1' }],
      ['git_reset', { mode: 'hard', target: 'main' }],
      ['git_clean', { directories: true }],
    ] as const) {
      await touch();
      await session.call(tool, input);
      expect(existsSync(marker), tool).toBe(false);
    }
  });
});

describe('the environment of the server', () => {
  const outside = async (): Promise<Readonly<Record<string, string>>> => {
    const other = await repositoryOf([['Elsewhere', { 'secret.txt': 'SECRET' }]]);
    return {
      GIT_DIR: path.join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: path.join(other, '.git/index'),
      GIT_OBJECT_DIRECTORY: path.join(other, '.git/objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: path.join(other, '.git/objects'),
      GIT_CONFIG_PARAMETERS: "'core.fsmonitor=touch x'",
      GIT_EXTERNAL_DIFF: `touch ${path.join(other, 'marker')}`,
      GIT_TRACE: path.join(other, 'trace'),
      GIT_EXEC_PATH: other,
      GIT_NAMESPACE: 'x',
    };
  };

  it('does not lead git elsewhere', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    const ambient = await outside();
    for (const [name, value] of Object.entries(ambient)) vi.stubEnv(name, value);
    try {
      await using session = await connectGit({ directories: [top] });
      expect(await session.text('git_log')).toContain('Begin');
      expect(await session.text('git_status')).toBe('On branch main\nNothing has changed');
      expect(existsSync(ambient['GIT_TRACE'] ?? '')).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
