import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { CONFIRMS } from './fixtures/confirming.ts';
import { extendThere, scene } from './fixtures/remote-scene.ts';
import { commitAt, git, repositoryOf, writeIn } from './fixtures/temporary.ts';

const BIN = fileURLToPath(new URL('../bin/mcp-git.js', import.meta.url));

/** Starts the program for a directory, with all tools, for a client that confirms each question. */
function serve(directory: string, ...options: readonly string[]): Promise<Session> {
  return connectProcess({ command: process.execPath, args: [BIN, directory, '--tools', 'all', ...options] }, CONFIRMS);
}

/** Runs git and returns its output without the line break at the end. */
function see(top: string, ...args: readonly string[]): string {
  return git(top, args).trimEnd();
}

async function project(): Promise<string> {
  const top = await repositoryOf([
    ['Begin', { 'src/app.ts': 'export const port = 80;\nexport const host = "localhost";\n', 'README.md': '# App\n' }],
    ['Add a test', { 'test/app.test.ts': 'test("port", () => {});\n' }],
    ['Use another port', { 'src/app.ts': 'export const port = 8080;\nexport const host = "localhost";\n' }],
  ]);
  return top;
}

/** An everyday task: the calls of a model, and the check of their effects with plain git. */
type Task = readonly [what: string, run: (session: Session, top: string) => Promise<void>];

const TASKS: readonly Task[] = [
  [
    'review what is not committed',
    async (session, top) => {
      await writeIn(top, 'src/app.ts', 'export const port = 9090;\n');
      await writeIn(top, 'new.txt', 'x\n');
      const status = await session.text('git_status');
      expect(status).toContain('unstaged modified: src/app.ts');
      expect(status).toContain('untracked: new.txt');
      expect(await session.text('git_diff_unstaged')).toContain(see(top, 'diff').split('\n').at(-1));
    },
  ],
  [
    'stage two files and commit them',
    async (session, top) => {
      for (const name of ['one.txt', 'two.txt', 'three.txt']) await writeIn(top, name, 'x\n');
      await session.call('git_add', { files: ['one.txt', 'two.txt'] });
      await session.call('git_commit', { message: 'Add one and two' });
      expect(see(top, 'show', '--name-only', '--format=%s')).toBe('Add one and two\n\none.txt\ntwo.txt');
      expect(see(top, 'status', '--porcelain')).toBe('?? three.txt');
    },
  ],
  [
    'commit only a part of a file',
    async (session, top) => {
      const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`);
      await writeIn(top, 'long.txt', `${lines.join('\n')}\n`);
      git(top, ['add', '--all']);
      commitAt(top, 'Long', 6);
      await writeIn(top, 'long.txt', `${lines.with(2, 'fixed').with(17, 'unfinished').join('\n')}\n`);
      const { _meta } = await session.call('git_hunks');
      const { hunks } = _meta as { hunks: { id: string }[] };
      await session.call('git_stage_hunks', { hunks: [hunks[0]?.id ?? ''] });
      await session.call('git_commit', { message: 'Fix a line' });
      expect(see(top, 'show', 'HEAD:long.txt')).toBe(lines.with(2, 'fixed').join('\n'));
      expect(see(top, 'diff')).toContain('+unfinished');
    },
  ],
  [
    'correct the message of the last commit',
    async (session, top) => {
      await session.call('git_commit', { amend: true, message: 'Listen on port 8080' });
      expect(see(top, 'log', '-2', '--format=%s')).toBe('Listen on port 8080\nAdd a test');
    },
  ],
  [
    'work on a branch and merge it back',
    async (session, top) => {
      await session.call('git_create_branch', { branch_name: 'feature' });
      await session.call('git_checkout', { branch_name: 'feature' });
      await writeIn(top, 'feature.txt', 'x\n');
      await session.call('git_add', { files: ['feature.txt'] });
      await session.call('git_commit', { message: 'Feature' });
      await session.call('git_checkout', { branch_name: 'main' });
      await session.call('git_merge', { revision: 'feature', ff: 'never', message: 'Merge the feature' });
      expect(see(top, 'log', '-1', '--format=%s')).toBe('Merge the feature');
    },
  ],
  [
    'resolve a conflict of a merge',
    async (session, top) => {
      git(top, ['switch', '--quiet', '--create', 'other', 'HEAD~1']);
      await writeIn(top, 'src/app.ts', 'export const port = 443;\nexport const host = "localhost";\n');
      git(top, ['add', '--all']);
      commitAt(top, 'Use TLS', 9);
      git(top, ['switch', '--quiet', 'main']);
      expect(await session.fails('git_merge', { revision: 'other' })).toMatch(/^CONFLICT: merge.*src\/app\.ts/);
      expect(await session.text('git_conflicts')).toContain('src/app.ts');
      await writeIn(top, 'src/app.ts', 'export const port = 8443;\nexport const host = "localhost";\n');
      await session.call('git_add', { files: ['src/app.ts'] });
      await session.call('git_continue');
      expect(see(top, 'show', 'HEAD:src/app.ts')).toContain('8443');
      expect(see(top, 'rev-list', '--parents', '-1', 'HEAD').split(' ')).toHaveLength(3);
    },
  ],
  [
    'find out who wrote a line, and why',
    async (session, top) => {
      const blame = await session.text('git_blame', { path: 'src/app.ts', start_line: 1, end_line: 1 });
      const [oid = ''] = /^[0-9a-f]{12}/.exec(blame) ?? [];
      expect(see(top, 'rev-parse', oid)).toBe(see(top, 'rev-parse', 'HEAD'));
      expect(await session.text('git_show', { revision: oid })).toContain('+export const port = 8080;');
    },
  ],
  [
    'discard the last commit, and take that back',
    async (session, top) => {
      const before = see(top, 'rev-parse', 'HEAD');
      await session.call('git_reset', { mode: 'hard', target: 'HEAD~1' });
      expect(see(top, 'rev-parse', 'HEAD~0')).not.toBe(before);
      await session.call('git_reset', { mode: 'hard', target: before });
      expect(see(top, 'rev-parse', 'HEAD')).toBe(before);
    },
  ],
  [
    'find the commit that introduced a text',
    async (session, top) => {
      const { structuredContent } = await session.call('git_log', { pickaxe: '8080' });
      expect(structuredContent).toMatchObject({ commits: [{ oid: see(top, 'log', '-S8080', '--format=%H') }] });
    },
  ],
  [
    'put changes aside, and take them up again',
    async (session, top) => {
      await writeIn(top, 'README.md', '# App\n\nHalf a sent\n');
      await session.call('git_stash_push', { message: 'half a sentence' });
      expect(see(top, 'status', '--porcelain')).toBe('');
      expect(await session.text('git_stash_list')).toContain('half a sentence');
      await session.call('git_stash_apply', { pop: true });
      expect(await readFile(path.join(top, 'README.md'), 'utf8')).toContain('Half a sent');
      expect(see(top, 'stash', 'list')).toBe('');
    },
  ],
  [
    'rebase a branch onto main',
    async (session, top) => {
      git(top, ['switch', '--quiet', '--create', 'topic', 'HEAD~1']);
      await writeIn(top, 'topic.txt', 'x\n');
      git(top, ['add', '--all']);
      commitAt(top, 'Topic', 7);
      await session.call('git_rebase', { upstream: 'main' });
      expect(see(top, 'log', '-2', '--format=%s')).toBe('Topic\nUse another port');
      expect(see(top, 'merge-base', 'main', 'topic')).toBe(see(top, 'rev-parse', 'main'));
    },
  ],
  [
    'apply a fix to a release branch',
    async (session, top) => {
      git(top, ['branch', 'release', 'HEAD~1']);
      const fix = see(top, 'rev-parse', 'HEAD');
      await session.call('git_checkout', { branch_name: 'release' });
      await session.call('git_cherry_pick', { revisions: [fix] });
      expect(see(top, 'show', 'release:src/app.ts')).toContain('8080');
    },
  ],
  [
    'take back a commit with a new commit',
    async (session, top) => {
      await session.call('git_revert', { revisions: ['HEAD'] });
      expect(see(top, 'diff', 'HEAD~2', 'HEAD')).toBe('');
      expect(see(top, 'log', '-1', '--format=%s')).toMatch(/^Revert/);
    },
  ],
  [
    'recover a deleted branch',
    async (session, top) => {
      git(top, ['switch', '--quiet', '--create', 'lost']);
      commitAt(top, 'Valuable', 8);
      const oid = see(top, 'rev-parse', 'HEAD');
      git(top, ['switch', '--quiet', 'main']);
      git(top, ['branch', '--delete', '--force', 'lost']);
      expect(await session.text('git_reflog')).toContain('Valuable');
      await session.call('git_create_branch', { branch_name: 'lost', base_branch: 'HEAD@{1}' });
      expect(see(top, 'rev-parse', 'lost')).toBe(oid);
    },
  ],
  [
    'fix something in a second work tree',
    async (session, top) => {
      await session.call('git_worktree_add', { path: 'hotfix', branch: 'hotfix', create: true });
      const linked = see(top, 'worktree', 'list', '--porcelain').match(/^worktree (.*hotfix)$/m)?.[1] ?? '';
      await writeFile(path.join(linked, 'fix.txt'), 'x\n');
      await session.call('git_add', { repo_path: linked, files: ['fix.txt'] });
      await session.call('git_commit', { repo_path: linked, message: 'Fix' });
      await session.call('git_worktree_remove', { path: linked });
      expect(see(top, 'log', '-1', '--format=%s', 'hotfix')).toBe('Fix');
      expect(see(top, 'worktree', 'list').split('\n')).toHaveLength(1);
    },
  ],
  [
    'delete the files that git does not track',
    async (session, top) => {
      await writeIn(top, 'build/out.js', 'x\n');
      const { structuredContent } = await session.call('git_clean', { directories: true, dry_run: true });
      expect(structuredContent).toMatchObject({ lost: [expect.stringContaining('build')] });
      await session.call('git_clean', { directories: true });
      expect(see(top, 'status', '--porcelain')).toBe('');
    },
  ],
  [
    'see the history at a glance: graph, lines and authors',
    async (session, top) => {
      expect(await session.text('git_graph')).toContain('(HEAD -> main)');
      expect(await session.text('git_line_history', { path: 'src/app.ts', start_line: 1, end_line: 1 })).toContain(
        '-export const port = 80;\n+export const port = 8080;',
      );
      expect(await session.text('git_shortlog')).toBe(`${see(top, 'rev-list', '--count', 'HEAD')} commits Ann <ann@example.com>`);
    },
  ],
];

describe('an everyday task with git', () => {
  it.each(TASKS)('%s', async (_, run) => {
    const top = await project();
    await using session = await serve(top);
    await run(session, top);
  });

  it('compare a branch with its upstream, and take in the commits of the others', async () => {
    const place = await scene();
    await extendThere(place.bare, 'main', 'There');
    await using session = await serve(place.root, '--remote-hosts', place.host.origin);
    await session.call('git_fetch');
    expect(await session.text('git_status')).toMatch(/0 ahead, \d+ behind/);
    await session.call('git_pull');
    expect(see(place.top, 'rev-parse', 'main')).toBe(see(place.bare, 'rev-parse', 'main'));
  });

  it('publish a branch', async () => {
    const place = await scene();
    git(place.top, ['switch', '--quiet', '--create', 'mine']);
    await using session = await serve(place.root, '--remote-hosts', place.host.origin);
    await writeIn(place.top, 'mine.txt', 'x\n');
    await session.call('git_add', { files: ['mine.txt'] });
    await session.call('git_commit', { message: 'Mine' });
    await session.call('git_push', { set_upstream: true });
    expect(see(place.bare, 'log', '-1', '--format=%s', 'mine')).toBe('Mine');
    expect(see(place.top, 'rev-parse', '--abbrev-ref', 'mine@{upstream}')).toBe('origin/mine');
  });

  it('tag a release, and push only this tag', async () => {
    const place = await scene();
    await using session = await serve(place.root, '--remote-hosts', place.host.origin);
    await session.call('git_tag_create', { name: 'v9.0', message: 'Version 9' });
    await session.call('git_tag_create', { name: 'local' });
    await session.call('git_push', { tag: 'v9.0' });
    expect(see(place.bare, 'cat-file', '-t', 'v9.0')).toBe('tag');
    expect(see(place.bare, 'tag', '--list', 'local')).toBe('');
  });
});
