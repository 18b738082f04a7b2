import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { forkedRepository, oidOf, statusOf } from '../../fixtures/branches.ts';
import { tokenOf } from '../../fixtures/confirming.ts';
import { GONE_MS, processesIn, until } from '../../fixtures/processes.ts';
import { connectGit, git, writeIn } from '../../fixtures/temporary.ts';

/** A program that ignores SIGTERM, with a child that ignores SIGTERM too. */
const STUBBORN = `trap '' TERM INT HUP; sleep 600 & sleep 600; wait`;

type Slow = (top: string) => Promise<void>;

const inFilter: Slow = async (top) => {
  await writeIn(top, '.git/info/attributes', 'b.txt filter=slow\nc.txt filter=slow\n');
  git(top, ['config', 'filter.slow.smudge', STUBBORN]);
};

function inHook(name: string): Slow {
  return async (top) => {
    await mkdir(path.join(top, '.git/hooks'), { recursive: true });
    await writeFile(path.join(top, '.git/hooks', name), `#!/bin/sh\n${STUBBORN}\n`);
    await chmod(path.join(top, '.git/hooks', name), 0o755);
  };
}

const CASES: readonly (readonly [string, string, Readonly<Record<string, unknown>>, Slow])[] = [
  ['a merge that writes files', 'git_merge', { revision: 'many' }, inFilter],
  ['a merge in a hook', 'git_merge', { revision: 'other' }, inHook('pre-merge-commit')],
  ['a merge in a late hook', 'git_merge', { revision: 'other' }, inHook('prepare-commit-msg')],
  ['a pick that writes files', 'git_cherry_pick', { revisions: ['many'] }, inFilter],
  ['several picks', 'git_cherry_pick', { revisions: ['ahead', 'many'] }, inFilter],
  ['a revert in a hook', 'git_revert', { revisions: ['main'] }, inHook('prepare-commit-msg')],
  ['a rebase', 'git_rebase', { upstream: 'many' }, inFilter],
  ['a rebase in a hook', 'git_rebase', { upstream: 'many' }, inHook('post-checkout')],
];

describe.runIf(platform() === 'linux')('cancelling', () => {
  it.each(CASES)(
    '%s leaves no process and no lock, and the state is as before or can be aborted',
    async (_, tool, args, slow) => {
      const top = await forkedRepository();
      git(top, ['switch', '--quiet', '--create', 'many', 'main~1']);
      await writeIn(top, 'aa.txt', 'new\n');
      await writeIn(top, 'b.txt', 'b\n');
      git(top, ['add', '--all']);
      git(top, ['commit', '--quiet', '--message=Many']);
      git(top, ['switch', '--quiet', 'main']);
      await slow(top);
      await writeIn(top, 'mine.txt', 'mine\n');
      const before = oidOf(top, 'main');
      await using session = await connectGit({
        directories: [top],
        trust: 'all',
        allowHooks: true,
        protectedBranches: [],
      });
      await cancelled(session, top, tool, args);
      for (const quick of ['.git/info/attributes', '.git/hooks'])
        await rm(path.join(top, quick), { recursive: true, force: true });
      // This call runs only after the cancelled call has finished its cleanup.
      await session.fails('git_merge', { revision: 'nothing' });
      expect(existsSync(path.join(top, '.git/index.lock'))).toBe(false);
      if ((await session.text('git_status')).includes('In progress')) await session.call('git_abort');
      expect(statusOf(top)).toBe('?? mine.txt\n');
      expect(oidOf(top, 'HEAD')).toBe(before);
      expect(git(top, ['symbolic-ref', 'HEAD']).trim()).toBe('refs/heads/main');
      expect(await readFile(path.join(top, 'mine.txt'), 'utf8')).toBe('mine\n');
    },
  );

  it.each([
    ['merge', 'git_merge', { revision: 'topic' }, 'prepare-commit-msg'],
    ['pick', 'git_cherry_pick', { revisions: ['topic~1', 'topic'] }, 'prepare-commit-msg'],
    ['rebase', 'git_rebase', { upstream: 'topic' }, 'prepare-commit-msg'],
  ])('git_continue of a %s leaves an operation that git_abort can end', async (_, tool, args, hook) => {
    const top = await forkedRepository();
    const before = oidOf(top, 'main');
    await using session = await connectGit({ directories: [top], allowHooks: true, protectedBranches: [] });
    expect(await session.fails(tool, args)).toMatch(/^CONFLICT/);
    await writeIn(top, 'a.txt', 'both\n');
    await session.call('git_add', { files: ['a.txt'] });
    await inHook(hook)(top);
    await cancelled(session, top, 'git_continue', {});
    await rm(path.join(top, '.git/hooks'), { recursive: true });
    const confirm_token = tokenOf(await session.call('git_abort', { dry_run: true }));
    expect((await session.call('git_abort', { confirm_token })).structuredContent).toMatchObject({ outcome: 'aborted' });
    expect(statusOf(top)).toBe('');
    expect(oidOf(top, 'HEAD')).toBe(before);
    expect(git(top, ['symbolic-ref', 'HEAD']).trim()).toBe('refs/heads/main');
  });
});

/** Calls a tool and cancels the call as soon as the slow program runs. Resolves when the slow program has ended. */
async function cancelled(session: Session, top: string, tool: string, args: Readonly<Record<string, unknown>>): Promise<void> {
  const controller = new AbortController();
  const ended = session.call(tool, args, { signal: controller.signal }).catch(String);
  const sleeping = async (): Promise<number> => (await processesIn(top)).filter((command) => command.startsWith('sleep')).length;
  await until(async () => (await sleeping()) === 2, 10_000, 'the slow program starts');
  controller.abort('enough');
  expect(await ended).toContain('enough');
  await until(async () => (await sleeping()) === 0, GONE_MS, 'the slow program ends');
}
