import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Feature, McpServer } from '@org/mcp-decorators';
import { FilesystemOptions, FilesystemServer, type RewindCompanion } from '@org/mcp-fs';
import { GitOptions, GitServer } from '@org/mcp-git';
import { connect, ERAS, type Era, type Session } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Serves files whose checkpoints include the repositories of a git server. */
class RewindingFiles extends FilesystemServer {
  readonly #git: GitServer;

  constructor(options: FilesystemOptions, git: GitServer) {
    super(options);
    this.#git = git;
  }

  protected override get rewindCompanion(): RewindCompanion {
    return this.#git.repositoryStates;
  }
}

@McpServer({ name: 'workspace', version: '1.0.0' })
class Workspace {
  readonly toolSelection = { tools: ['all'] };
  @Feature() readonly git: GitServer;
  @Feature() readonly files: RewindingFiles;

  constructor(directory: string, stateDir: string) {
    this.git = new GitServer(Object.assign(new GitOptions(), { directories: [directory], tools: ['all'] }));
    this.files = new RewindingFiles(
      Object.assign(new FilesystemOptions(), { directories: [directory], tools: ['all'], stateDir }),
      this.git,
    );
  }
}

interface Scene {
  readonly top: string;
  readonly session: Session;
  readonly git: (...args: readonly string[]) => string;
  readonly write: (name: string, content: string) => Promise<void>;
  readonly read: (name: string) => Promise<string>;
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
};

/** Creates a repository with the file a.txt, and connects a client to a server for its files and for git. */
async function scene(era: Era = 'modern'): Promise<Scene> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-rewind-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const top = path.join(directory, 'project');
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', top, ...args], { encoding: 'utf8', env: { ...process.env, ...IDENTITY } });
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', top]);
  for (const [key, value] of [
    ['user.name', 'Ann'],
    ['user.email', 'ann@example.com'],
  ] as const)
    git('config', key, value);
  const write = (name: string, content: string): Promise<void> => writeFile(path.join(top, name), content);
  await write('a.txt', 'one\n');
  git('add', '.');
  git('commit', '--quiet', '--message=Begin');
  const server = new Workspace(top, path.join(directory, 'state'));
  await server.git.open();
  await server.files.open();
  const session = await connect(server, { era });
  onTestFinished(async () => {
    await session[Symbol.asyncDispose]();
    await server.files[Symbol.asyncDispose]();
    await server.git[Symbol.asyncDispose]();
  });
  return { top, session, git, write, read: (name) => readFile(path.join(top, name), 'utf8') };
}

/** Returns the current branch, all branches, the status and the index, which a rewind restores. */
function stateOf({ git }: Scene): string {
  return [
    git('symbolic-ref', 'HEAD'),
    git('for-each-ref', 'refs/heads/'),
    git('status', '--porcelain'),
    git('ls-files', '--stage'),
  ].join('\n');
}

describe.each(ERAS)('a rewind over files and repositories, on a %s connection,', (era) => {
  it('takes back writes, commits, new branches and merges, and can be taken back itself', async () => {
    const at = await scene(era);
    const { session, git, write, read } = at;
    await write('staged.txt', 'staged\n');
    git('add', 'staged.txt');
    await write('draft.txt', 'mine\n');
    await write('a.txt', 'one\nmine\n');
    const before = stateOf(at);
    await session.call('checkpoint', { name: 'start' });
    await session.call('write_file', { path: 'a.txt', content: 'two\n', mode: 'overwrite' });
    await session.call('git_add', { files: ['.'] });
    await session.call('git_commit', { message: 'Everything' });
    await session.call('git_checkout', { branch_name: 'topic', create: true });
    await session.call('write_file', { path: 'topic.txt', content: 'topic\n' });
    await session.call('git_add', { files: ['topic.txt'] });
    await session.call('git_commit', { message: 'Topic' });
    const after = stateOf(at);
    const plan = await session.call('rewind', { to: 'start' });
    expect(plan.structuredContent).toMatchObject({
      applied: false,
      conflicts: [],
      others: [
        expect.stringMatching(/: main moves from [0-9a-f]{12} to [0-9a-f]{12}$/),
        expect.stringMatching(/: HEAD moves from topic to main$/),
      ],
    });
    expect(stateOf(at)).toBe(after);
    const { structuredContent } = await session.call('rewind', { to: 'start', apply: true });
    expect(stateOf(at)).toContain(before.split('\n')[0]);
    expect(git('status', '--porcelain')).toBe(' M a.txt\nA  staged.txt\n?? draft.txt\n');
    expect([await read('a.txt'), await read('draft.txt'), await read('staged.txt')]).toEqual([
      'one\nmine\n',
      'mine\n',
      'staged\n',
    ]);
    expect(existsSync(path.join(at.top, 'topic.txt'))).toBe(false);
    const { checkpoint } = structuredContent as { readonly checkpoint: string };
    await session.call('rewind', { to: checkpoint, apply: true });
    expect(stateOf(at)).toBe(after);
    expect([await read('a.txt'), await read('topic.txt')]).toEqual(['two\n', 'topic\n']);
  });
});

describe('a rewind over files and repositories', () => {
  it('leaves files as they are that were edited after the last commit', async () => {
    const { session, git, write, read } = await scene();
    await session.call('checkpoint', { name: 'start' });
    await write('b.txt', 'b\n');
    await session.call('git_add', { files: ['b.txt'] });
    await session.call('git_commit', { message: 'B' });
    await write('b.txt', 'edited\n');
    await write('new.txt', 'new\n');
    const { structuredContent } = await session.call('rewind', { to: 'start', apply: true });
    expect(structuredContent).toMatchObject({
      conflicts: [
        { path: expect.stringMatching(/b\.txt$/), reason: expect.stringMatching(/stays as it is/) },
        { path: expect.stringMatching(/new\.txt$/) },
      ],
    });
    expect([await read('b.txt'), await read('new.txt')]).toEqual(['edited\n', 'new\n']);
    expect(git('log', '--format=%s')).toBe('Begin\n');
  });

  it.each(['true', 'false'])('keeps files that people wrote and a tool only committed, with a reflog: %s', async (isLogged) => {
    const at = await scene();
    const { session, git, write, read, top } = at;
    git('config', 'core.logAllRefUpdates', isLogged);
    if (isLogged === 'false') await rm(path.join(top, '.git/logs'), { recursive: true });
    await session.call('checkpoint', { name: 'start' });
    await write('theirs.txt', 'theirs\n');
    await write('a.txt', 'one\ntheirs\n');
    await session.call('git_add', { files: ['.'] });
    await session.call('git_commit', { message: 'Theirs' });
    await session.call('rewind', { to: 'start', apply: true });
    expect(git('status', '--porcelain')).toBe(' M a.txt\n?? theirs.txt\n');
    expect([await read('a.txt'), await read('theirs.txt')]).toEqual(['one\ntheirs\n', 'theirs\n']);
  });

  it('restores files that a merge changed, and changes that a tool discarded', async () => {
    const at = await scene();
    const { session, git, write, read, top } = at;
    git('checkout', '--quiet', '-b', 'topic');
    await write('topic.txt', 'topic\n');
    git('add', '.');
    git('commit', '--quiet', '--message=Topic');
    git('checkout', '--quiet', 'main');
    await write('a.txt', 'one\nmine\n');
    await session.call('checkpoint', { name: 'start' });
    await session.call('git_stash_push', {});
    await session.call('git_merge', { revision: 'topic' });
    expect(existsSync(path.join(top, 'topic.txt'))).toBe(true);
    const { structuredContent } = await session.call('rewind', { to: 'start', apply: true });
    expect(structuredContent).toMatchObject({ conflicts: [] });
    expect(existsSync(path.join(top, 'topic.txt'))).toBe(false);
    expect(await read('a.txt')).toBe('one\nmine\n');
    expect(git('status', '--porcelain')).toBe(' M a.txt\n');
  });

  it('names the way back if git fails after the files were rewound', async () => {
    const { session, git, write, read, top } = await scene();
    await session.call('checkpoint', { name: 'start' });
    await session.call('write_file', { path: 'a.txt', content: 'two\n', mode: 'overwrite' });
    await session.call('git_add', { files: ['a.txt'] });
    await session.call('git_commit', { message: 'Two' });
    await write('.git/index.lock', '');
    const failure = await session.fails('rewind', { to: 'start', apply: true });
    const [, checkpoint] = /the files were rewound already; rewind to (\S+) takes that back/.exec(failure) ?? [];
    await rm(path.join(top, '.git/index.lock'));
    await session.call('rewind', { to: checkpoint, apply: true });
    expect([await read('a.txt'), git('log', '-1', '--format=%s'), git('status', '--porcelain')]).toEqual(['two\n', 'Two\n', '']);
  });

  it('restores a deleted branch, and keeps replaced commits reachable', async () => {
    const { session, git } = await scene();
    git('branch', 'topic');
    await session.call('checkpoint', { name: 'start' });
    await session.call('git_commit', { message: 'Empty', allow_empty: true });
    const lost = git('rev-parse', 'HEAD').trim();
    await session.call('git_delete_branch', { branch_name: 'topic' });
    await session.call('rewind', { to: 'start', apply: true });
    expect(git('branch', '--format=%(refname:short)')).toBe('main\ntopic\n');
    expect(git('for-each-ref', `--points-at=${lost}`)).toContain('refs/mcp-backup/');
  });

  it.each([
    ['a merge is in progress', ['merge', '--no-commit', '--no-ff', 'topic'], /has an operation in progress: merge/],
    [
      'another work tree has the branch',
      ['worktree', 'add', '--quiet', '../other', 'topic'],
      /has the branch topic checked out in another work tree/,
    ],
  ])('changes nothing if %s', async (_, command, reason) => {
    const at = await scene();
    const { session, git, top } = at;
    git('branch', 'topic');
    await session.call('checkpoint', { name: 'start' });
    git('checkout', '--quiet', 'topic');
    git('commit', '--quiet', '--allow-empty', '--message=Topic');
    git('checkout', '--quiet', 'main');
    onTestFinished(() => rm(path.join(top, '../other'), { recursive: true, force: true }));
    git(...command);
    const before = stateOf(at);
    expect(await session.fails('rewind', { to: 'start', apply: true })).toMatch(reason);
    expect(stateOf(at)).toBe(before);
  });
});
