import { existsSync } from 'node:fs';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { CONFIRMS } from '../confirming.ts';
import { connectGit, emptyRepository, git, repositoryOf, temporaryDirectory, writeIn } from '../temporary.ts';

/** A repository with filters of git-lfs, and a `git-lfs` on the search path that records its environment. */
async function largeFiles(): Promise<{ readonly top: string; readonly recorded: string }> {
  const base = await temporaryDirectory();
  const bin = path.join(base, 'bin');
  const recorded = path.join(base, 'recorded');
  await writeIn(bin, 'git-lfs', `#!/bin/sh\necho "$1 skip=$GIT_LFS_SKIP_SMUDGE" >> ${recorded}\ncat\n`);
  await chmod(path.join(bin, 'git-lfs'), 0o755);
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const top = await emptyRepository(path.join(base, 'project'));
  // A git-lfs that is installed may have a process that filters for all users.
  git(top, ['config', 'filter.lfs.process', '']);
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
  return { top, recorded };
}

describe('large files of git-lfs', () => {
  it('are not downloaded by any tool that writes files', async () => {
    const { top, recorded } = await largeFiles();
    await using session = await connectGit({ directories: [top], protectedBranches: [] }, 'modern', CONFIRMS);
    for (const [tool, input] of [
      ['git_checkout', { branch_name: 'other' }],
      ['git_merge', { revision: 'main' }],
      ['git_reset', { mode: 'hard', target: 'HEAD~1' }],
      ['git_cherry_pick', { revisions: ['main'] }],
      ['git_restore', { paths: ['a.bin'], source: 'HEAD~1' }],
      ['git_stash_push', {}],
      ['git_stash_apply', {}],
    ] as const) {
      await rm(recorded, { force: true });
      await session.call(tool, input);
      const runs = existsSync(recorded) ? (await readFile(recorded, 'utf8')).split('\n').slice(0, -1) : [];
      expect(
        runs.filter((run) => run.startsWith('smudge')),
        tool,
      ).not.toEqual([]);
      expect(
        runs.filter((run) => !run.endsWith('skip=1')),
        tool,
      ).toEqual([]);
    }
  });

  it('are not downloaded into a linked work tree', async () => {
    const { top, recorded } = await largeFiles();
    await writeFile(recorded, '');
    await using session = await connectGit({ directories: [path.dirname(top)] });
    await session.call('git_worktree_add', { repo_path: top, path: path.join(path.dirname(top), 'linked'), revision: 'other' });
    expect(await readFile(recorded, 'utf8')).toBe('smudge skip=1\n');
  });
});
