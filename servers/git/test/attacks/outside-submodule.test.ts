import { rename, rm } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectGit, git, repositoryOf, temporaryDirectory, writeIn } from '../fixtures/temporary.ts';

interface Scene {
  /** The only allowed directory. */
  readonly root: string;
  readonly top: string;
  /** The commit of the submodule that the repository records. */
  readonly recorded: string;
}

/** Creates a repository with a submodule in `sub`. */
async function withSubmodule(): Promise<Scene> {
  const root = path.join(await temporaryDirectory(), 'safe');
  const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]], path.join(root, 'project'));
  await repositoryOf([['Inner', { x: 'x\n' }]], path.join(top, 'sub'));
  git(top, ['add', '--all']);
  git(top, ['commit', '--quiet', '--message=Submodule']);
  return { root, top, recorded: git(path.join(top, 'sub'), ['rev-parse', 'HEAD']).trim() };
}

/** Creates another repository and makes the `.git` file of `sub` point to it. Returns the commit of the other repository. */
async function lead(top: string, elsewhere: string): Promise<string> {
  const other = await repositoryOf([['Secret', { secret: 'SECRET' }]], elsewhere);
  await rm(path.join(top, 'sub/.git'), { recursive: true });
  await writeIn(top, 'sub/.git', `gitdir: ${path.join(other, '.git')}\n`);
  return git(other, ['rev-parse', 'HEAD']).trim();
}

describe('a submodule whose .git file names a directory outside', () => {
  it('is shown without its commit', async () => {
    const { root, top } = await withSubmodule();
    const secret = await lead(top, path.join(path.dirname(root), 'outside'));
    expect(git(top, ['diff'])).toContain(secret);
    await writeIn(top, 'a.txt', 'two\n');
    await using session = await connectGit({ directories: [root] });
    for (const [tool, input] of [
      ['git_status', {}],
      ['git_diff_unstaged', {}],
      ['git_diff_unstaged', { mode: 'names' }],
      ['git_diff', { target: 'HEAD' }],
    ] as const) {
      const result = await session.call(tool, input);
      expect(JSON.stringify(result), tool).toContain('a.txt');
      expect(JSON.stringify(result), tool).not.toMatch(new RegExp(`${secret.slice(0, 7)}|"sub"|sub\\b.*modified`));
    }
  });

  it('is not staged', async () => {
    const { root, top, recorded } = await withSubmodule();
    await lead(top, path.join(path.dirname(root), 'outside'));
    await using session = await connectGit({ directories: [root] });
    expect((await session.call('git_add', { files: ['sub'] })).structuredContent).toMatchObject({
      staged: [],
      skipped: [{ path: 'sub', reason: 'submodule whose commit is outside the allowed directories' }],
    });
    expect(git(top, ['ls-files', '--stage', 'sub'])).toContain(recorded);
  });

  it('is not staged in place of a tracked file', async () => {
    const { root, top } = await withSubmodule();
    const other = await repositoryOf([['Secret', { secret: 'SECRET' }]], path.join(path.dirname(root), 'outside'));
    await rm(path.join(top, 'a.txt'));
    await writeIn(top, 'a.txt/.git', `gitdir: ${path.join(other, '.git')}\n`);
    await using session = await connectGit({ directories: [root] });
    await session.call('git_add', { all: true });
    expect(git(top, ['ls-files', '--stage', 'a.txt'])).not.toContain('160000');
  });

  it('is not committed', async () => {
    const { root, top, recorded } = await withSubmodule();
    await lead(top, path.join(path.dirname(root), 'outside'));
    await writeIn(top, 'a.txt', 'two\n');
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_commit', { message: 'x', paths: ['.'] })).toMatch(/^INVALID_PATH: .*"sub" is not inside/);
    await session.call('git_commit', { message: 'x', paths: ['a.txt'] });
    expect(git(top, ['ls-tree', 'HEAD', 'sub'])).toContain(recorded);
  });
});

describe('a submodule inside the allowed directories', () => {
  it.each([
    ['in its own directory', async () => undefined],
    ['absorbed by the repository', async ({ top }: Scene) => void git(top, ['submodule', 'absorbgitdirs', 'sub'])],
    ['with packed references', async ({ top }: Scene) => void git(path.join(top, 'sub'), ['pack-refs', '--all'])],
    [
      'as a linked work tree',
      async ({ root, top }: Scene) => {
        await rename(path.join(top, 'sub'), path.join(root, 'inner'));
        git(path.join(root, 'inner'), ['worktree', 'add', '--quiet', '-b', 'linked', path.join(top, 'sub')]);
      },
    ],
  ])('is shown, staged and committed with its new commit: %s', async (name, prepare) => {
    const scene = await withSubmodule();
    const { root, top } = scene;
    await writeIn(top, '.gitmodules', '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n');
    git(top, ['add', '.gitmodules']);
    git(top, ['commit', '--quiet', '--message=Modules']);
    await prepare(scene);
    const sub = path.join(top, 'sub');
    git(sub, ['commit', '--quiet', '--allow-empty', '--message=Next']);
    const next = git(sub, ['rev-parse', 'HEAD']).trim();
    await using session = await connectGit({ directories: [root] });
    const repo = { repo_path: top };
    expect(await session.text('git_status', repo), name).toContain('unstaged modified: sub');
    expect(await session.text('git_diff_unstaged', repo)).toContain(`+Subproject commit ${next}`);
    expect((await session.call('git_add', { ...repo, files: ['sub'] })).structuredContent).toMatchObject({ staged: ['sub'] });
    expect(git(top, ['ls-files', '--stage', 'sub'])).toContain(next);
    expect(await session.text('git_status', repo)).not.toContain('unstaged');
    await session.call('git_commit', { ...repo, message: 'x', paths: ['sub'] });
    expect(git(top, ['ls-tree', 'HEAD', 'sub'])).toContain(next);
  });
});
