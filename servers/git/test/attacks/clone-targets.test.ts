import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { gitHost, sourceRepository } from '../fixtures/git-host.ts';
import { connectGit, git, repositoryOf, temporaryDirectory } from '../fixtures/temporary.ts';

const TARGETS: readonly (readonly [string, (outside: string) => string])[] = [
  ['a directory outside', (outside) => path.join(outside, 'new')],
  ['a path above the root', () => '../outside/new'],
  ['a link to a directory outside', () => 'link'],
  ['a path below a link to a directory outside', () => 'link/new'],
  ['a link whose target does not exist', () => 'dangling'],
  ['a link to an empty directory inside', () => 'inner'],
  ['a .git directory', () => 'project/.git/new'],
  ['the hooks of a repository', () => 'project/.git/hooks'],
  ['a .git', () => 'project/sub/.git'],
  ['the hooks of a bare repository', () => 'bare.git/hooks'],
  ['a directory in a bare repository', () => 'bare.git/new'],
  ['an allowed directory', () => '.'],
  ['an empty name', () => ''],
  ['a name with a NUL', () => 'a\0b'],
];

const BECOME_ONE = new Set(['an allowed directory', 'a link to an empty directory inside']);

describe('the target directory of a new repository', () => {
  it.each(TARGETS)('cannot be %s', async (what, pathOf) => {
    const base = await temporaryDirectory();
    const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
    for (const directory of ['root/empty', 'outside']) await mkdir(path.join(base, directory), { recursive: true });
    const top = await repositoryOf([['Begin', { 'sub/a': 'x' }]], path.join(root, 'project'));
    await mkdir(path.join(top, '.git/hooks'), { recursive: true });
    git(root, ['init', '--quiet', '--bare', '--template=', 'bare.git']);
    await symlink(outside, path.join(root, 'link'));
    await symlink(path.join(outside, 'new'), path.join(root, 'dangling'));
    await symlink(path.join(root, 'empty'), path.join(root, 'inner'));
    const before = await allIn(base);
    const host = await gitHost();
    await host.add('project', await sourceRepository());
    await using session = await connectGit({ directories: [root], remoteHosts: [host.origin] });
    const target = pathOf(outside);
    const refusal = /^(?:PATH_OUTSIDE_ROOTS|INVALID_PATH|ALREADY_EXISTS|DENIED_BY_POLICY|NOT_FOUND|REPO_EXISTS)/;
    expect(await session.fails('git_clone', { url: host.url('project'), path: target })).toMatch(refusal);
    expect(await session.fails('git_init', { repo_path: target, bare: true })).toMatch(refusal);
    // git_init can create a repository with a work tree in an existing directory, so it does not reject the targets in
    // `BECOME_ONE`.
    const others = BECOME_ONE.has(what) ? [] : [await session.fails('git_init', { repo_path: target })];
    for (const text of others) expect(text).toMatch(refusal);
    expect(host.requests).toEqual([]);
    expect(await allIn(base)).toEqual(before);
  });

  it('is not followed if it contains a .git that is a link', async () => {
    const base = await temporaryDirectory();
    await mkdir(path.join(base, 'root'));
    await mkdir(path.join(base, 'outside'));
    await symlink(path.join(base, 'outside'), path.join(base, 'root/.git'));
    await using session = await connectGit({ directories: [path.join(base, 'root')] });
    expect(await session.fails('git_init', { repo_path: '.' })).toMatch(/^REPO_EXISTS/);
    expect(await readdir(path.join(base, 'outside'))).toEqual([]);
  });
});

async function allIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory, { recursive: true })).sort();
}
