import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { CONFIRMS, tokenOf } from '../fixtures/confirming.ts';
import { gitHost } from '../fixtures/git-host.ts';
import { connectGit, git, idOf, repositoryOf, writeIn } from '../fixtures/temporary.ts';
import { CALLS } from '../fixtures/attacks/calls.ts';
import { plantedRepository } from '../fixtures/attacks/planted.ts';

const RESOURCES = [
  'status',
  'head',
  'refs',
  'log',
  'commit/HEAD',
  'tree/HEAD/.',
  'blob/HEAD/a.txt',
  'diff/staged',
  'diff/unstaged',
  'diff/HEAD~1..HEAD',
];

const PROMPTS: readonly (readonly [string, Record<string, string>])[] = [
  ['commit_message', {}],
  ['review_changes', {}],
  ['pr_description', { base: 'other' }],
  ['release_notes', { from: 'other' }],
  ['explain_commit', { commit: 'HEAD' }],
  ['split_commit', { commit: 'HEAD' }],
  ['bisect', { good: 'other' }],
];

/** Tools that succeed only while an operation is stopped, or with ids of an earlier result. Other tests cover these tools. */
const DEPENDENT = ['git_skip', 'git_stage_hunks', 'git_unstage_hunks', 'git_discard_hunks'];
/** Returns calls of the tools that create repositories or concern remotes. The remote with this URL is empty at first. */
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
    ['git_submodule_update', {}],
    ['git_init', { repo_path: 'fresh' }],
  ];
}

describe.each(ERAS)('a repository that configures programs wherever git accepts them, on a %s connection', (era) => {
  it('is served by every tool without starting any of its programs', async () => {
    const { top, marker } = await plantedRepository();
    const host = await gitHost();
    await host.add('project');
    await using session = await connectGit({ directories: [top], remoteHosts: [host.origin] }, era, CONFIRMS);
    const calls = [...CALLS, ...remoteCalls(host.url('project')), ['git_list_repositories', {}]] as const;
    for (const [tool, input] of calls) {
      await session.call(tool, input);
      expect(existsSync(marker), `${tool} ${JSON.stringify(input)}`).toBe(false);
    }
    expect(new Set([...calls.map(([tool]) => tool), ...DEPENDENT])).toEqual(new Set(await session.toolNames()));
  });

  it('is read, completed, queried and watched without starting any of its programs', async () => {
    const { top, marker } = await plantedRepository();
    await using session = await connectGit({ directories: [top] }, era);
    const repo = await idOf(session);
    const quiet = (what: string): void => expect(existsSync(marker), what).toBe(false);
    for (const resource of RESOURCES) {
      await session.client.readResource({ uri: `git://${repo}/${resource}` });
      quiet(resource);
    }
    await session.call('git_add', { all: true });
    for (const [name, args] of PROMPTS) {
      await session.client.getPrompt({ name, arguments: args });
      quiet(name);
    }
    for (const { uriTemplate: uri } of (await session.client.listResourceTemplates()).resourceTemplates)
      for (const [, name = ''] of uri.matchAll(/[{?+,](\w+)/g)) {
        const context = { arguments: { repo, rev: 'HEAD' } };
        await session.client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value: '' }, context });
        quiet(`${uri} ${name}`);
      }
    const updates = await session.subscribe(`git://${repo}/status`);
    await writeIn(top, 'new.txt', 'x');
    await updates.next();
    quiet('a subscribed status');
  });

  it('stages, unstages and discards hunks without starting any of its programs', async () => {
    const { top, marker } = await plantedRepository();
    await using session = await connectGit({ directories: [top] }, era);
    for (const staged of [false, true]) {
      const { _meta } = await session.call('git_hunks', { staged });
      const { hunks } = _meta as { hunks: { id: string }[] };
      expect(hunks.length).toBeGreaterThan(0);
      await session.call(staged ? 'git_unstage_hunks' : 'git_stage_hunks', { hunks: hunks.map(({ id }) => id) });
    }
    const { _meta } = await session.call('git_hunks');
    const hunks = (_meta as { hunks: { id: string }[] }).hunks.map(({ id }) => id);
    const preview = await session.call('git_discard_hunks', { hunks, dry_run: true });
    await session.call('git_discard_hunks', { hunks, confirm_token: tokenOf(preview) });
    expect(existsSync(marker)).toBe(false);
  });

  it('starts its programs under plain git', async () => {
    const { top, marker } = await plantedRepository();
    git(top, ['diff']);
    expect(existsSync(marker)).toBe(true);
  });

  it('is shown like a repository that configures nothing', async () => {
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

describe('a submodule', () => {
  it('is not entered if it configures programs', async () => {
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
    // The file has the committed length, so that git must read the content and run the filter.
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

  it('does not redirect git to another repository', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    const ambient = await outside();
    for (const [name, value] of Object.entries(ambient)) vi.stubEnv(name, value);
    try {
      await using session = await connectGit({ directories: [top] });
      expect(await session.text('git_log')).toContain('Begin');
      expect(await session.text('git_status')).toBe('On branch main\nNo changes');
      expect(existsSync(ambient['GIT_TRACE'] ?? '')).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
