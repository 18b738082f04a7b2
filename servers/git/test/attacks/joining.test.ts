import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { forkedRepository, oidOf } from '../fixtures/branches.ts';
import { connectGit, git, temporaryDirectory, writeIn } from '../fixtures/temporary.ts';

interface Trap {
  readonly top: string;
  readonly marker: string;
}

const HOOKS = [
  'commit-msg',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'pre-commit',
  'pre-merge-commit',
  'pre-rebase',
  'prepare-commit-msg',
  'reference-transaction',
];

/** Creates a forked repository with every program that a merge or a rebase could start. */
async function plantedFork(): Promise<Trap> {
  const base = await temporaryDirectory();
  const marker = path.join(base, 'executed');
  const program = path.join(base, 'program');
  await writeFile(program, `#!/bin/sh\necho "$0 $*" >> ${marker}\nexit 0\n`);
  await chmod(program, 0o755);
  const top = await forkedRepository(path.join(base, 'project'));
  await mkdir(path.join(top, '.git/hooks'), { recursive: true });
  for (const hook of HOOKS)
    await writeFile(path.join(top, '.git/hooks', hook), `#!/bin/sh\n${program} ${hook}\n`, { mode: 0o755 });
  await writeIn(top, '.git/info/attributes', '* merge=planted diff=planted\n');
  for (const [key, value] of [
    ['core.fsmonitor', program],
    ['core.hooksPath', path.join(top, '.git/hooks')],
    ['core.editor', program],
    ['core.pager', program],
    ['sequence.editor', program],
    ['diff.planted.textconv', program],
    ['diff.planted.command', program],
    ['gpg.program', program],
    ['commit.gpgSign', 'true'],
    ['merge.verifySignatures', 'true'],
    ['merge.tool', 'planted'],
    ['mergetool.planted.cmd', program],
    ['merge.log', 'true'],
    ['merge.ff', 'only'],
    ['branch.main.mergeOptions', '--gpg-sign --verify-signatures --squash'],
    ['rebase.instructionFormat', `%s%nexec ${program} instruction`],
    ['rebase.autoStash', 'true'],
    ['rebase.updateRefs', 'true'],
    ['rerere.enabled', 'true'],
    ['rerere.autoUpdate', 'true'],
    ['revert.reference', 'true'],
    ['commit.template', '/etc/passwd'],
    ['commit.cleanup', 'verbatim'],
    ['alias.merge-planted', `!${program}`],
    ['alias.commit', `!${program}`],
  ] as const)
    git(top, ['config', key, value]);
  return { top, marker };
}

describe('a repository that configures programs for merges', () => {
  it('supports merge, rebase, cherry-pick and revert without starting any of its programs', async () => {
    const { top, marker } = await plantedFork();
    const answers = { elicitation: { confirm: true } };
    await using session = await connectGit({ directories: [path.dirname(top)], protectedBranches: [] }, 'modern', {
      answers,
    });
    const run = async (tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<void> => {
      await session.call(tool, { repo_path: top, ...args });
      expect(existsSync(marker), `${tool} ${JSON.stringify(args)}`).toBe(false);
    };
    const stops = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<void> => {
      expect(await session.fails(tool, { repo_path: top, ...args })).toMatch(/^CONFLICT/);
      expect(existsSync(marker), `${tool} ${JSON.stringify(args)}`).toBe(false);
      await run('git_conflicts');
    };
    const resolve = async (): Promise<void> => {
      await writeIn(top, 'a.txt', `${Math.random()}\n`);
      await run('git_add', { files: ['a.txt'] });
    };
    const refs = git(top, ['for-each-ref', 'refs/heads/topic', 'refs/heads/other', 'refs/heads/ahead']);
    await run('git_merge', { revision: 'other', ff: 'never' });
    expect(git(top, ['log', '-1', '--format=%B']).trim()).toBe("Merge branch 'other' into main");
    await run('git_merge', { revision: 'ahead', no_commit: true });
    await run('git_abort');
    await stops('git_merge', { revision: 'topic' });
    await resolve();
    await run('git_continue');
    await run('git_cherry_pick', { revisions: ['ahead'] });
    await run('git_revert', { revisions: ['HEAD'] });
    expect(git(top, ['log', '-1', '--format=%B'])).toMatch(/^Revert "Ahead"\n\nThis reverts commit [0-9a-f]+\.\n/);
    await stops('git_revert', { revisions: ['ahead~2'] });
    await run('git_abort');
    git(top, ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', 'reset', '--quiet', '--hard', 'ahead']);
    await rm(marker, { force: true });
    await stops('git_cherry_pick', { revisions: ['topic~1', 'topic'] });
    await run('git_skip');
    await run('git_rebase', { upstream: 'other' });
    await stops('git_rebase', { upstream: 'topic' });
    await resolve();
    await run('git_continue', { message: 'Manual' });
    expect(git(top, ['for-each-ref', 'refs/heads/topic', 'refs/heads/other', 'refs/heads/ahead'])).toBe(refs);
    await run('git_worktree_add', { path: 'linked', branch: 'other' });
    await run('git_worktree_list');
    await run('git_worktree_remove', { path: 'linked' });
    await run('git_worktree_prune');
  });

  it('starts its programs under plain git', async () => {
    const { top, marker } = await plantedFork();
    git(top, ['config', '--unset', 'branch.main.mergeOptions']);
    expect(() => git(top, ['merge', 'other'])).toThrow();
    expect(existsSync(marker)).toBe(true);
  });

  it('is rejected if it names a strategy that is a program', async () => {
    const { top, marker } = await plantedFork();
    git(top, ['config', 'pull.twohead', 'planted']);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_cherry_pick', { revisions: ['other'] })).toMatch(/^REPO_UNTRUSTED: .*pull\.twohead/);
    expect(await session.fails('git_status')).toMatch(/^REPO_UNTRUSTED/);
    git(top, ['config', 'pull.twohead', 'ort']);
    await session.call('git_cherry_pick', { revisions: ['other'] });
    expect(existsSync(marker)).toBe(false);
  });
});

type Plant = (top: string, marker: string) => Promise<void>;

/** Each function makes the operation in progress start a program, sign, or read a file outside when it is continued. */
const PLANTED: readonly (readonly [string, 'git_rebase' | 'git_cherry_pick', Plant])[] = [
  [
    'a step',
    'git_rebase',
    (top, marker) => writeFile(path.join(top, '.git/rebase-merge/git-rebase-todo'), `exec touch ${marker}\n`),
  ],
  [
    'a short step',
    'git_rebase',
    (top, marker) => writeFile(path.join(top, '.git/rebase-merge/git-rebase-todo'), `\t x touch ${marker}\n`),
  ],
  ['a strategy', 'git_rebase', (top) => writeFile(path.join(top, '.git/rebase-merge/strategy'), 'planted\n')],
  ['a signature', 'git_rebase', (top) => writeFile(path.join(top, '.git/rebase-merge/gpg_sign_opt'), '-S\n')],
  [
    'a message from outside',
    'git_rebase',
    async (top) => {
      await rm(path.join(top, '.git/rebase-merge/message'), { force: true });
      await symlink('/etc/passwd', path.join(top, '.git/rebase-merge/message'));
    },
  ],
  [
    'patches',
    'git_rebase',
    async (top) => {
      await rm(path.join(top, '.git/rebase-merge'), { recursive: true });
      await mkdir(path.join(top, '.git/rebase-apply'));
      await writeFile(path.join(top, '.git/rebase-apply/apply-opt'), '--unsafe-paths');
    },
  ],
  [
    'a strategy of a sequence',
    'git_cherry_pick',
    (top) => writeFile(path.join(top, '.git/sequencer/opts'), '[options]\n\tstrategy = planted\n'),
  ],
  [
    'a strategy in options that are too long to check',
    'git_cherry_pick',
    (top) => writeFile(path.join(top, '.git/sequencer/opts'), `[options]\n\tstrategy = planted\n${'#'.repeat(4_194_304)}\n`),
  ],
  [
    'a signature of a sequence',
    'git_cherry_pick',
    (top) => writeFile(path.join(top, '.git/sequencer/opts'), '[options]\n\tgpg-sign = x\n'),
  ],
  [
    'steps from outside',
    'git_cherry_pick',
    async (top) => {
      await rm(path.join(top, '.git/sequencer/todo'));
      await symlink('/etc/passwd', path.join(top, '.git/sequencer/todo'));
    },
  ],
];

describe('an operation that another process left unfinished', () => {
  it.each(PLANTED)('cannot be continued or skipped: %s', async (_, tool, plant) => {
    const top = await forkedRepository();
    const marker = path.join(path.dirname(top), 'executed');
    git(top, ['config', 'alias.merge-planted', `!touch ${marker}`]);
    git(top, ['config', 'gpg.program', path.join(top, 'program')]);
    git(top, ['switch', '--quiet', 'topic']);
    const topic = oidOf(top, 'topic');
    await using session = await connectGit({ directories: [top] });
    const args = tool === 'git_rebase' ? { upstream: 'main' } : { revisions: ['main', 'other'] };
    expect(await session.fails(tool, args)).toMatch(/^CONFLICT/);
    git(top, ['checkout', '--quiet', '--theirs', 'a.txt']);
    git(top, ['add', 'a.txt']);
    await plant(top, marker);
    for (const next of ['git_continue', 'git_skip']) expect(await session.fails(next), next).toMatch(/^REPO_UNTRUSTED: /);
    expect(existsSync(marker)).toBe(false);
    expect(oidOf(top, 'topic')).toBe(topic);
  });
});

describe('conflict markers', () => {
  it('are not read through a link', async () => {
    const top = await forkedRepository();
    const outside = path.join(await temporaryDirectory(), 'secret');
    await writeFile(outside, '<<<<<<< a\n=======\n>>>>>>> b\n');
    await using session = await connectGit({ directories: [top] });
    await session.fails('git_merge', { revision: 'topic' });
    await rm(path.join(top, 'a.txt'));
    await symlink(outside, path.join(top, 'a.txt'));
    expect((await session.call('git_conflicts')).structuredContent).toMatchObject({ files: [{ path: 'a.txt', markers: [] }] });
  });
});
