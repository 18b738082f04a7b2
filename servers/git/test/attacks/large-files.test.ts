import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { CONFIRMS } from '../fixtures/confirming.ts';
import { connectGit, emptyRepository, git, repositoryOf, temporaryDirectory, writeIn } from '../fixtures/temporary.ts';

/**
 * Creates a repository with filters of git-lfs whose contents are missing, and puts a program `git-lfs` on the search path. The
 * program records each command with its environment. Then it runs the real git-lfs if that is installed, and otherwise `cat`.
 */
async function largeFiles(): Promise<{ readonly top: string; readonly recorded: string }> {
  const base = await temporaryDirectory();
  const bin = path.join(base, 'bin');
  const recorded = path.join(base, 'recorded');
  const real = spawnSync('sh', ['-c', 'command -v git-lfs'], { encoding: 'utf8' }).stdout.trim();
  const record = `echo "$1 skip=$GIT_LFS_SKIP_SMUDGE" >> ${recorded}`;
  await writeIn(bin, 'git-lfs', `#!/bin/sh\n${record}\nexec ${real === '' ? 'cat' : `${real} "$@"`}\n`);
  await chmod(path.join(bin, 'git-lfs'), 0o755);
  vi.stubEnv('PATH', `${bin}${path.delimiter}${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const top = await emptyRepository(path.join(base, 'projects/project'));
  git(top, ['config', 'filter.lfs.clean', 'git-lfs clean -- %f']);
  git(top, ['config', 'filter.lfs.smudge', 'git-lfs smudge -- %f']);
  const files = {
    'a.bin': 'one\n',
    '.gitattributes': '*.bin filter=lfs\n',
    '.lfsconfig': '[lfs]\n\turl = http://127.0.0.1:9/\n',
  };
  await repositoryOf(
    [
      ['Begin', files],
      ['Extend', { 'a.bin': 'two\n' }],
    ],
    top,
  );
  git(top, ['branch', 'other', 'HEAD~1']);
  await rm(path.join(top, '.git/lfs/objects'), { recursive: true, force: true });
  await rm(recorded, { force: true });
  return { top, recorded };
}

/** Returns the git-lfs commands that ran since the last call. */
async function runsIn(recorded: string): Promise<readonly string[]> {
  const runs = existsSync(recorded) ? (await readFile(recorded, 'utf8')).split('\n').slice(0, -1) : [];
  await rm(recorded, { force: true });
  return runs;
}

const WRITES = /^(?:smudge|filter-process) /;

describe('large files of git-lfs', () => {
  it.each([
    ['git_checkout', { branch_name: 'other' }],
    ['git_reset', { mode: 'hard', target: 'HEAD~1' }],
    ['git_restore', { paths: ['a.bin'], source: 'HEAD~1' }],
    ['git_revert', { revisions: ['HEAD'] }],
  ])('are not downloaded by %s', async (tool, input) => {
    const { top, recorded } = await largeFiles();
    await using session = await connectGit({ directories: [top], protectedBranches: [] }, 'modern', CONFIRMS);
    await session.call(tool, input);
    const runs = await runsIn(recorded);
    expect(runs.filter((run) => WRITES.test(run))).not.toEqual([]);
    expect(runs.filter((run) => !run.endsWith(' skip=1'))).toEqual([]);
  });

  it('are not downloaded into a linked work tree', async () => {
    const { top, recorded } = await largeFiles();
    await using session = await connectGit({ directories: [path.dirname(top)] });
    await session.call('git_worktree_add', { repo_path: top, path: path.join(path.dirname(top), 'linked'), revision: 'other' });
    expect(await runsIn(recorded)).toEqual([expect.stringMatching(/^(?:smudge|filter-process) skip=1$/)]);
  });
});
