import { execFileSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectGit, git, repositoryOf, temporaryDirectory, writeIn } from './fixtures/temporary.ts';

const TWO = [
  ['Begin', { 'a.txt': 'one\n', 'd/b.txt': 'x\n' }],
  ['Extend', { 'a.txt': 'one\ntwo\n' }],
] as const;

function oidOf(top: string, revision: string): string {
  return git(top, ['rev-parse', revision]).trim();
}

async function facts(session: Session, tool: string, input: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  const { structuredContent, _meta } = await session.call(tool, input);
  return structuredContent ?? _meta;
}

async function bareOf(top: string, directory: string): Promise<string> {
  git(path.dirname(top), ['clone', '--quiet', '--bare', top, directory]);
  return directory;
}

describe('a bare repository', () => {
  it.each(['as a directory of the operator', 'by its path'])('is read %s', async (how) => {
    const root = await temporaryDirectory();
    const bare = await bareOf(await repositoryOf(TWO), path.join(root, 'project.git'));
    await using session = await connectGit({ directories: [how === 'by its path' ? root : bare] });
    const repo = how === 'by its path' ? { repo_path: 'project.git' } : {};
    expect(await facts(session, 'git_log', repo)).toMatchObject({ commits: [{ message: 'Extend' }, { message: 'Begin' }] });
    expect(await facts(session, 'git_branch', repo)).toMatchObject({ branches: [{ name: 'main', current: true }] });
    expect(await session.text('git_show', { ...repo, revision: 'main' })).toContain('+two\n');
    expect(await session.text('git_diff', { ...repo, target: 'HEAD~1..HEAD' })).toContain('+two\n');
    expect(await facts(session, 'git_blame', { ...repo, path: 'a.txt' })).toMatchObject({ total_lines: 2 });
    await session.call('git_create_branch', { ...repo, branch_name: 'new' });
    expect(oidOf(bare, 'new')).toBe(oidOf(bare, 'main'));
    expect(await session.fails('git_status', repo)).toMatch(/^NO_WORK_TREE/);
    expect(await session.fails('git_diff_unstaged', repo)).toMatch(/^NO_WORK_TREE/);
  });

  it('is served with its linked work trees', async () => {
    const root = await temporaryDirectory();
    const bare = await bareOf(await repositoryOf(TWO), path.join(root, 'project.git'));
    git(bare, ['worktree', 'add', '--quiet', path.join(root, 'side'), '-b', 'side']);
    await using session = await connectGit({ directories: [root] });
    expect(await facts(session, 'git_status', { repo_path: 'side' })).toMatchObject({ branch: 'side', oid: oidOf(bare, 'main') });
  });

  it.each([
    ['inside a work tree', 'project/inner.git'],
    ['deep inside a work tree', 'project/d/e/inner.git'],
    ['that is the git directory of a work tree', 'project/.git'],
    ['by a directory in it', 'outer.git/refs'],
  ])('is rejected: one %s', async (_, repo_path) => {
    const root = await temporaryDirectory();
    const top = await repositoryOf(TWO, path.join(root, 'project'));
    await mkdir(path.join(top, 'd/e'), { recursive: true });
    for (const each of ['project/inner.git', 'project/d/e/inner.git', 'outer.git']) await bareOf(top, path.join(root, each));
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_log', { repo_path })).toMatch(/^REPO_UNTRUSTED/);
  });

  it('is rejected if its work tree is elsewhere', async () => {
    const root = await temporaryDirectory();
    const bare = await bareOf(await repositoryOf(TWO), path.join(root, 'project.git'));
    git(bare, ['config', 'core.bare', 'false']);
    git(bare, ['config', 'core.worktree', '/etc']);
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_status', { repo_path: bare })).toMatch(/^REPO_UNTRUSTED/);
  });
});

describe.runIf(process.getuid?.() === 0)('a repository of another user', () => {
  it.each(['with a work tree', 'that is bare'])('is rejected: one %s', async (kind) => {
    const root = await temporaryDirectory();
    const top = await repositoryOf(TWO, path.join(root, 'project'));
    const repo_path = kind === 'that is bare' ? await bareOf(top, path.join(root, 'project.git')) : top;
    execFileSync('chown', ['-R', '12345', repo_path]);
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_log', { repo_path })).toMatch(/^REPO_UNTRUSTED: .* belongs to another user/);
  });
});

describe('a repository', () => {
  it('shows its commits if it is shallow, and more commits after a fetch', async () => {
    const top = await repositoryOf(TWO);
    const clone = path.join(await temporaryDirectory(), 'clone');
    git(top, ['clone', '--quiet', '--depth=1', `file://${top}`, clone]);
    await using session = await connectGit({ directories: [clone] });
    expect(await facts(session, 'git_log')).toMatchObject({ commits: [{ message: 'Extend' }], truncated: false });
    expect(await session.text('git_show', { revision: 'HEAD' })).toContain('new file');
    expect(await session.fails('git_show', { revision: 'HEAD~1' })).toMatch(/^INVALID_REVISION/);
    git(clone, ['fetch', '--quiet', '--unshallow']);
    expect(await session.text('git_show', { revision: 'HEAD~1' })).toContain('Begin');
  });

  it('is read and changed if it has SHA-256 object names', async () => {
    const top = path.join(await temporaryDirectory(), 'project');
    await mkdir(top);
    git(top, ['init', '--quiet', '--object-format=sha256', '--initial-branch=main']);
    await repositoryOf(TWO, top);
    await using session = await connectGit({ directories: [top] });
    const oid = oidOf(top, 'HEAD');
    expect(oid).toHaveLength(64);
    const { repository } = (await facts(session, 'git_status')) as { readonly repository: string };
    const first = (await facts(session, 'git_log', { max_count: 1 })) as { readonly next_cursor: string };
    expect(first).toMatchObject({ commits: [{ oid }] });
    expect(await facts(session, 'git_log', { cursor: first.next_cursor })).toMatchObject({ commits: [{ message: 'Begin' }] });
    expect(await facts(session, 'git_blame', { path: 'a.txt' })).toMatchObject({
      hunks: [{ oid: oidOf(top, 'HEAD~1') }, { oid }],
    });
    const { contents } = await session.client.readResource({ uri: `git://${repository}/blob/${oid}/a.txt` });
    expect(contents).toMatchObject([{ text: 'one\ntwo\n' }]);
    await writeIn(top, 'c.txt', 'x');
    await session.call('git_add', { files: ['c.txt'] });
    expect(await facts(session, 'git_commit', { message: 'Third' })).toMatchObject({ oid: oidOf(top, 'HEAD'), files: 1 });
  });

  it('is reported as detached if its HEAD is detached, and accepts commits', async () => {
    const top = await repositoryOf(TWO);
    git(top, ['checkout', '--quiet', '--detach', 'HEAD~1']);
    await using session = await connectGit({ directories: [top] });
    expect(await facts(session, 'git_status')).toEqual(expect.not.objectContaining({ branch: expect.anything() as unknown }));
    await writeIn(top, 'c.txt', 'x');
    await session.call('git_add', { files: ['c.txt'] });
    expect(await facts(session, 'git_commit', { message: 'Apart' })).toEqual({
      oid: oidOf(top, 'HEAD'),
      subject: 'Apart',
      files: 1,
      hooks: false,
      signed: false,
    });
    expect((await facts(session, 'git_branch')) as object).toMatchObject({ branches: [{ name: 'main', current: false }] });
  });

  it('lists, resolves and suggests branches if it has 10,000 branches', async () => {
    const top = await repositoryOf(TWO);
    const oid = oidOf(top, 'HEAD');
    const refs = Array.from({ length: 10_000 }, (_, index) => `${oid} refs/heads/topic/${index}\n`).sort();
    await writeIn(top, '.git/packed-refs', `# pack-refs with: peeled fully-peeled sorted \n${refs.join('')}`);
    await using session = await connectGit({ directories: [top], maxEntries: 50 });
    expect(await facts(session, 'git_branch')).toMatchObject({ total: 10_001, truncated: true });
    expect(await session.text('git_show', { revision: 'topic/9999' })).toContain('Extend');
    expect(await session.fails('git_show', { revision: 'topic/x9999' })).toContain('did you mean topic/9999?');
    git(top, ['branch', '--force', 'topic/777', 'HEAD~1']);
    expect(await session.text('git_show', { revision: 'topic/777' })).toContain('Begin');
    git(top, ['pack-refs', '--all']);
    expect(await session.text('git_show', { revision: 'topic/777' })).toContain('Begin');
  });

  it.each([
    ['merge', ['merge', 'other'], 'merge'],
    ['rebase', ['rebase', 'other'], 'rebase'],
    ['cherry-pick', ['cherry-pick', 'other'], 'cherry-pick'],
    ['revert', ['revert', '--no-edit', 'HEAD~1'], 'revert'],
  ] as const)('during a %s reports the conflict and shows the history', async (_, command, operation) => {
    const top = await repositoryOf([...TWO, ['Again', { 'a.txt': 'one\ntwo\nthree\n' }]]);
    git(top, ['switch', '--quiet', '--create', 'other', 'HEAD~2']);
    await writeIn(top, 'a.txt', 'different\n');
    git(top, ['commit', '--quiet', '--all', '--message=Other']);
    git(top, ['switch', '--quiet', 'main']);
    expect(() => git(top, command)).toThrow('Command failed');
    await using session = await connectGit({ directories: [top] });
    expect(await facts(session, 'git_status')).toMatchObject({
      operation: expect.stringMatching(`^${operation}\\b`),
      entries: [{ path: 'a.txt', conflict: true }],
      counts: { conflicts: 1 },
    });
    expect(await session.text('git_log')).toContain('Begin');
    await writeIn(top, 'a.txt', 'resolved\n');
    await session.call('git_add', { files: ['a.txt'] });
    expect(await facts(session, 'git_status')).toMatchObject({ entries: [{ path: 'a.txt', staged: 'modified' }] });
  });

  it('has a separate HEAD and index in a linked work tree', async () => {
    const root = await temporaryDirectory();
    const top = await repositoryOf(TWO, path.join(root, 'main'));
    git(top, ['worktree', 'add', '--quiet', '-b', 'side', path.join(root, 'side'), 'HEAD~1']);
    await writeIn(path.join(root, 'side'), 'a.txt', 'changed\n');
    await using session = await connectGit({ directories: [root] });
    expect(await facts(session, 'git_status', { repo_path: 'side' })).toMatchObject({
      oid: oidOf(top, 'side'),
      entries: [{ path: 'a.txt' }],
    });
    expect(await facts(session, 'git_status', { repo_path: 'main' })).toMatchObject({ branch: 'main', entries: [] });
    expect(await session.text('git_show', { repo_path: 'side', revision: 'HEAD' })).toContain('Begin');
    expect(await session.text('git_show', { repo_path: 'main', revision: 'HEAD' })).toContain('Extend');
  });
});

describe('a submodule', () => {
  const superproject = async (root: string): Promise<string> => {
    const inner = await repositoryOf(TWO, path.join(root, 'library'));
    const top = await repositoryOf([['Outer', { 'o.txt': 'x' }]], path.join(root, 'project'));
    git(top, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'lib']);
    git(top, ['commit', '--quiet', '--message=With library']);
    // The configuration of a clone does not contain the committer's name and address, so the test sets them.
    for (const [key, value] of [
      ['user.name', 'Ann'],
      ['user.email', 'ann@example.com'],
    ] as const)
      git(path.join(top, 'lib'), ['config', key, value]);
    return top;
  };

  it('is a separate repository with its git directory inside the main repository', async () => {
    const top = await superproject(await temporaryDirectory());
    await writeIn(top, 'lib/a.txt', 'changed\n');
    await using session = await connectGit({ directories: [top] });
    expect(await facts(session, 'git_log', { repo_path: 'lib' })).toMatchObject({
      commits: [{ message: 'Extend' }, { message: 'Begin' }],
    });
    expect(await facts(session, 'git_status', { repo_path: 'lib/d' })).toMatchObject({
      entries: [{ path: 'a.txt', unstaged: 'modified' }],
    });
    expect(await session.text('git_status', { repo_path: '.' })).toBe(
      'On branch main\nNo changes\n[Changed files inside submodules are not listed; to list them, pass the directory of the submodule as repo_path.]',
    );
    await session.call('git_add', { repo_path: 'lib', files: ['a.txt'] });
    await session.call('git_commit', { repo_path: 'lib', message: 'Inside' });
    expect(await facts(session, 'git_status', { repo_path: '.' })).toMatchObject({
      entries: [{ path: 'lib', unstaged: 'modified' }],
    });
    const { contents } = await session.client.readResource({
      uri: `git://${((await facts(session, 'git_status', { repo_path: 'lib' })) as { readonly repository: string }).repository}/blob/HEAD/a.txt`,
    });
    expect(contents).toMatchObject([{ text: 'changed\n' }]);
  });

  it('cannot be used alone, because its git directory is outside', async () => {
    const top = await superproject(await temporaryDirectory());
    await using session = await connectGit({ directories: [path.join(top, 'lib')] });
    expect(await session.fails('git_log')).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });
});

describe('an allowed directory that is removed', () => {
  it('is reported as unavailable, not as a directory without a repository', async () => {
    const directory = path.join(await temporaryDirectory(), 'gone');
    await repositoryOf(TWO, directory);
    await using session = await connectGit({ directories: [directory] });
    expect(await session.text('git_status')).toContain('On branch main');
    await rm(directory, { recursive: true });
    expect(await session.fails('git_status')).toMatch(/^ROOT_UNAVAILABLE: the allowed directory .*gone.* is not available/);
    expect(await session.text('git_list_repositories')).toMatch(
      /^No repositories found\nthe allowed directory .*gone.* is not available$/,
    );
  });
});

describe('a repository that appears', () => {
  it('nearer to the directory than the previous one is used instead', async () => {
    const top = await repositoryOf(TWO);
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_log', { repo_path: 'd' })).toContain('Begin');
    await repositoryOf([['Nested', { n: 'x' }]], path.join(top, 'd'));
    expect(await session.text('git_log', { repo_path: 'd' })).toContain('Nested');
    await rm(path.join(top, 'd/.git'), { recursive: true });
    expect(await session.text('git_log', { repo_path: 'd' })).toContain('Begin');
  });
});
