import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { CONFIRMS } from '../fixtures/confirming.ts';
import { grow } from '../fixtures/branches.ts';
import { gitHost } from '../fixtures/git-host.ts';
import { connectGit, git, repositoryOf, temporaryDirectory, writeIn } from '../fixtures/temporary.ts';
import { CALLS } from '../fixtures/attacks/calls.ts';
import { ambush, disarm, gitThatFirst, type Ambush } from '../fixtures/attacks/hostile-configuration.ts';

/** Number of calls for each of four ways to change the configuration; more with `MCP_TEST_RACES=5000`. */
const ATTEMPTS = Number(process.env['MCP_TEST_RACES'] ?? 44);

/** On a busy machine, each call takes up to a second. */
const TIMEOUT_MS = 120_000 + ATTEMPTS * 1000;

const EXCHANGE = fileURLToPath(new URL('../../../../bench/races/exchange.py', import.meta.url));

/** Whether the test can exchange two names atomically: Linux supports it, and the test uses Python for the system call. */
const CAN_EXCHANGE = process.platform === 'linux' && spawnSync('python3', ['--version']).status === 0;

/** Calls that make git read attributes and their drivers, and that can be repeated. */
const RACED: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['git_add', { files: ['.'] }],
  ['git_status', {}],
  ['git_diff_staged', {}],
  ['git_commit', { message: 'Change', allow_empty: true }],
  ['git_diff', { target: 'HEAD~1' }],
  ['git_blame', { path: 'a.txt' }],
  ['git_show', { revision: 'HEAD' }],
  ['git_log', { max_count: 3, pickaxe: 'one' }],
  ['git_grep', { pattern: 'one' }],
  ['git_line_history', { path: 'a.txt', start_line: 1, end_line: 1 }],
  ['git_diff_unstaged', {}],
  ['git_stash_push', {}],
  ['git_stash_apply', { pop: true }],
  ['git_restore', { paths: ['.'] }],
  ['git_checkout', { branch_name: 'other' }],
  ['git_merge', { revision: 'main', ff: 'never' }],
  ['git_reset', { mode: 'hard', target: 'other~1' }],
  ['git_checkout', { branch_name: 'main' }],
  ['git_cherry_pick', { revisions: ['other'] }],
  ['git_rebase', { upstream: 'other' }],
  ['git_abort', {}],
  ['git_worktree_add', { path: 'linked', revision: 'HEAD' }],
  ['git_worktree_remove', { path: 'linked' }],
];

interface Outcome {
  readonly worked: number;
  readonly refused: number;
}

/** Calls the tools in turn until the number of attempts is reached, and checks for the marker after each call. */
async function race(session: Session, { top, marker }: Ambush): Promise<Outcome> {
  let refused = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [tool, input] = RACED[attempt % RACED.length] ?? ['git_status', {}];
    await writeIn(top, 'a.txt', `one\n${attempt}\n`);
    if (!(await works(session, tool, input))) refused += 1;
    expect(existsSync(marker), `${tool}, attempt ${attempt}`).toBe(false);
  }
  return { worked: ATTEMPTS - refused, refused };
}

async function works({ client }: Session, name: string, input: Readonly<Record<string, unknown>>): Promise<boolean> {
  return (await client.callTool({ name, arguments: input })).isError !== true;
}

/** Exchanges a file with a hostile file beside the repository, as fast as possible, until the test ends. */
async function exchange({ base, top }: Ambush, file: string, hostile: string): Promise<void> {
  const other = await writeIn(path.join(base, 'aside'), file.replaceAll('/', '-'), hostile);
  const child = spawn('python3', [EXCHANGE, path.join(top, file), other], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.stdin.end();
    await exited;
  });
  await once(child.stdout, 'data');
}

describe('a configuration that changes after it was checked', () => {
  it('is not used by git, for most local tools', async () => {
    const trap = await ambush();
    const { base, top, marker, exchanged } = trap;
    const aside = path.join(base, 'aside');
    for (const [position, { hostile }] of exchanged.entries()) await writeIn(aside, String(position), hostile);
    const copies = exchanged.map(({ file }, position) => `cp ${aside}/${position} ${top}/${file}`);
    await gitThatFirst(base, copies.join('; '), '--version|*"config --list"*|*rev-parse*--absolute-git-dir*');
    await using session = await connectGit({ directories: [top], protectedBranches: [] }, 'modern', CONFIRMS);
    let worked = 0;
    for (const [tool, input] of [...CALLS, ...RACED]) {
      await disarm(trap);
      await writeIn(top, 'a.txt', `one\n${tool}\n`);
      if (await works(session, tool, input)) worked += 1;
      expect(existsSync(marker), `${tool} ${JSON.stringify(input)}`).toBe(false);
    }
    expect(worked).toBeGreaterThan(CALLS.length / 3);
  }, 120_000);

  it('is used by git without the server', async () => {
    const { top, marker, exchanged } = await ambush();
    for (const { file, hostile } of exchanged.filter((each) => !each.file.endsWith('attributes'))) {
      await writeIn(top, file, hostile);
      await writeIn(top, 'a.txt', `one\n${file}\n`);
      git(top, ['add', 'a.txt']);
      expect(existsSync(marker), file).toBe(true);
      await rm(marker);
    }
  });

  it.runIf(CAN_EXCHANGE).each(['.git/config', '.git/config.worktree', 'shared.config'])(
    'starts nothing while another process exchanges %s',
    async (raced) => {
      const trap = await ambush();
      for (const { file, hostile } of trap.exchanged) {
        if (file === raced) await exchange(trap, file, hostile);
        if (file === '.git/info/attributes') await writeIn(trap.top, file, hostile);
      }
      await using session = await connectGit({ directories: [trap.top], protectedBranches: [] }, 'modern', CONFIRMS);
      const { worked, refused } = await race(session, trap);
      expect(worked).toBeGreaterThan(0);
      expect(refused).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  it(
    'starts nothing while the configuration is rewritten in place',
    async () => {
      const trap = await ambush();
      const { top, exchanged } = trap;
      await using session = await connectGit({ directories: [top], protectedBranches: [] }, 'modern', CONFIRMS);
      const racing = { isOver: false };
      const rewriting = (async () => {
        while (!racing.isOver)
          for (const { file, innocent, hostile } of exchanged) {
            await writeIn(top, file, hostile);
            await writeIn(top, file, innocent);
          }
      })();
      try {
        expect((await race(session, trap)).worked).toBeGreaterThan(0);
      } finally {
        racing.isOver = true;
        await rewriting;
      }
    },
    TIMEOUT_MS,
  );
});

describe('the configuration of a clone that changes while the clone is made', () => {
  it.each([
    ['before it is checked', '*config*--list*'],
    ['before the files are written', '*checkout*'],
  ])('starts nothing: %s', async (_, command) => {
    const { base, marker, exchanged } = await ambush();
    const files = { 'a.txt': 'one\n', '.gitattributes': '* filter=planted\n' };
    const host = await gitHost();
    await host.add('project', await repositoryOf([['Begin', files]], path.join(base, 'source')));
    const root = path.join(base, 'root');
    await mkdir(root);
    const hostile = await writeIn(base, 'aside/hostile', exchanged[0]?.hostile ?? '');
    const add = `for each in ${root}/.mcp-*/.git/config; do cat ${hostile} >> $each; done`;
    const planted = `case "$*" in ${command}) ${add};; esac`;
    await gitThatFirst(base, planted, '--version');
    await using session = await connectGit({ directories: [root], remoteHosts: [host.origin] });
    expect(await session.fails('git_clone', { url: host.url('project'), path: 'copy' })).toMatch(/^REPO_UNTRUSTED/);
    expect(existsSync(marker)).toBe(false);
  });
});

describe('the steps of a rebase that change after they were checked', () => {
  it.each(['git_continue', 'git_skip'])('are not executed by %s', async (tool) => {
    const base = await temporaryDirectory();
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]], path.join(base, 'project'));
    const marker = path.join(base, 'executed');
    grow(
      top,
      ['topic', 'main', { Theirs: { 'a.txt': 'theirs\n' } }],
      ['main', 'main', { Ours: { 'a.txt': 'ours\n' }, Next: { 'b.txt': 'b\n' }, Last: { 'c.txt': 'c\n' } }],
    );
    const steps = `${top}/.git/rebase-merge/git-rebase-todo`;
    const planted = `case "$*" in *"rebase --"[cs]*) echo 'exec touch ${marker}' >> ${steps};; esac`;
    await gitThatFirst(base, planted, '--version');
    await using session = await connectGit({ directories: [top], protectedBranches: [] }, 'modern', CONFIRMS);
    expect(await session.fails('git_rebase', { upstream: 'topic' })).toMatch(/^CONFLICT/);
    await writeIn(top, 'a.txt', 'both\n');
    git(top, ['add', 'a.txt']);
    expect((await session.call(tool)).isError).not.toBe(true);
    expect(existsSync(marker)).toBe(false);
    expect(git(top, ['log', '--format=%s', '--max-count=2'])).toBe('Last\nNext\n');
    expect(git(top, ['status', '--short', '--branch'])).toBe('## main\n');
  });
});

describe('the options of a cherry-pick or revert that change after they were checked', () => {
  it.each([
    ['cherry-pick', 'git_cherry_pick', 'git_continue', ['First', 'Next']],
    ['cherry-pick', 'git_cherry_pick', 'git_skip', ['Next']],
    ['revert', 'git_revert', 'git_continue', ['Revert "First"', 'Revert "Next"']],
    ['revert', 'git_revert', 'git_skip', ['Revert "First"']],
  ] as const)('have no effect on a %s that is continued: %s, %s', async (name, begin, tool, subjects) => {
    const base = await temporaryDirectory();
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]], path.join(base, 'project'));
    const marker = path.join(base, 'executed');
    const program = await writeIn(base, 'program', `#!/bin/sh\ntouch ${marker}\nexit 1\n`);
    await chmod(program, 0o755);
    git(top, ['config', 'gpg.program', program]);
    const topic = { First: { 'a.txt': 'first\n' }, Next: { 'b.txt': 'b\n' } };
    const after = { Ours: { 'a.txt': 'ours\n' } };
    if (name === 'revert') grow(top, ['main', 'main', { First: { 'b.txt': 'b\n' }, Next: { 'a.txt': 'next\n' }, ...after }]);
    else grow(top, ['topic', 'main', topic], ['main', 'main', after]);
    const options = `${top}/.git/sequencer/opts`;
    const planted = `case "$*" in *"${name} --"[cs]*) printf '[options]\\n\\tgpg-sign = x\\n' > ${options};; esac`;
    await gitThatFirst(base, planted, '--version');
    await using session = await connectGit({ directories: [top], protectedBranches: [] }, 'modern', CONFIRMS);
    const revisions = name === 'revert' ? ['main~1', 'main~2'] : ['topic~1', 'topic'];
    expect(await session.fails(begin, { revisions })).toMatch(/^CONFLICT/);
    if (tool === 'git_continue') {
      await writeIn(top, 'a.txt', 'both\n');
      git(top, ['add', 'a.txt']);
    }
    expect((await session.call(tool)).isError).not.toBe(true);
    expect(existsSync(marker)).toBe(false);
    const made = git(top, ['log', '--format=%s', `--max-count=${subjects.length}`]);
    expect(made.trim().split('\n').sort()).toEqual([...subjects].sort());
    expect(git(top, ['status', '--short', '--branch'])).toBe('## main\n');
    expect(existsSync(path.join(top, '.git/sequencer'))).toBe(false);
    expect(git(top, ['reflog', '--format=%gs', '--max-count=1'])).toContain(name);
  });
});

describe('a hook that the configuration defines after it was checked', () => {
  it.each([
    ['git_delete_branch', { branch_name: 'other' }, 'branch*-D'],
    ['git_rename_branch', { branch_name: 'other', new_name: 'another' }, 'branch*--move'],
    ['git_remote_remove', { name: 'origin' }, 'remote*remove'],
  ])('is disabled for changes of references by %s', async (tool, input, command) => {
    const { base, top } = await ambush();
    git(top, ['remote', 'add', 'origin', 'https://example.com/project']);
    // The installed git may be too old to run such hooks, so the test reads the configuration that the server passes to git.
    await gitThatFirst(base, `case "$*" in *${command}*) env > ${base}/environment;; esac`, '--version');
    await using session = await connectGit({ directories: [top], protectedBranches: [] }, 'modern', CONFIRMS);
    await session.call(tool, input);
    const environment = await readFile(path.join(base, 'environment'), 'utf8');
    const position = /^GIT_CONFIG_KEY_(\d+)=hook\.reference-transaction\.enabled$/m.exec(environment)?.[1];
    expect(environment).toContain(`GIT_CONFIG_VALUE_${position}=false\n`);
  });
});
