import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { gitThatFirst } from '../../fixtures/attacks/hostile-configuration.ts';
import { CONFIRMS } from '../../fixtures/confirming.ts';
import { sourceRepository } from '../../fixtures/git-host.ts';
import { extend, extendThere, oidOf } from '../../fixtures/remote-scene.ts';
import { connectGit, git, repositoryOf, temporaryDirectory, writeIn } from '../../fixtures/temporary.ts';

interface Scene {
  readonly root: string;
  /** A bare repository inside the root. */
  readonly bare: string;
  /** A clone of the bare repository, in `project`. */
  readonly top: string;
}

async function scene(): Promise<Scene> {
  const root = await temporaryDirectory();
  const bare = path.join(root, 'team.git');
  git(root, ['clone', '--quiet', '--bare', await sourceRepository(), bare]);
  const top = path.join(root, 'project');
  git(root, ['clone', '--quiet', bare, top]);
  for (const [key, value] of [
    ['user.name', 'Ann'],
    ['user.email', 'ann@example.com'],
  ] as const)
    git(top, ['config', key, value]);
  return { root, bare, top };
}

const REPO = { repo_path: 'project' };

describe.each(ERAS)('a remote that is a directory inside the roots, on a %s connection,', (era) => {
  it('is cloned, fetched, pulled and pushed', async () => {
    const { root, bare, top } = await scene();
    await using session = await connectGit({ directories: [root] }, era);
    const cloned = await session.call('git_clone', { url: bare, path: 'copy' });
    expect(cloned.structuredContent).toMatchObject({ url: bare, branch: 'main', oid: oidOf(bare, 'main') });
    expect(git(path.join(root, 'copy'), ['config', 'remote.origin.url']).trim()).toBe(bare);
    const next = await extendThere(bare, 'main', 'Next');
    expect(await session.text('git_fetch', REPO)).toContain(`updated refs/remotes/origin/main`);
    expect(oidOf(top, 'origin/main')).toBe(next);
    await session.call('git_pull', REPO);
    expect(oidOf(top, 'main')).toBe(next);
    const own = extend(top, 'Own');
    expect(await session.text('git_push', REPO)).toContain(`Pushed to origin (${bare})`);
    expect(oidOf(bare, 'main')).toBe(own);
    git(top, ['tag', 'v9']);
    await session.call('git_push', { ...REPO, tag: 'v9' });
    expect(oidOf(bare, 'v9')).toBe(own);
  });
});

describe('a remote that is a directory inside the roots', () => {
  it('may be force-pushed to and pruned after a confirmation, which names what is lost', async () => {
    const { root, bare, top } = await scene();
    await using session = await connectGit({ directories: [root], protectedBranches: [] }, undefined, CONFIRMS);
    git(top, ['branch', 'own', 'origin/topic']);
    git(top, ['fetch', '--quiet']);
    git(top, ['checkout', '--quiet', 'own']);
    git(top, ['push', '--quiet', 'origin', 'own']);
    const lost = oidOf(top, 'own');
    git(top, ['commit', '--quiet', '--amend', '--allow-empty', '--message=Other']);
    await session.call('git_push', { ...REPO, force: true });
    expect(oidOf(bare, 'own')).toBe(oidOf(top, 'own'));
    expect(git(top, ['for-each-ref', '--contains', lost])).toContain('refs/mcp-backup/');
    await session.call('git_push', { ...REPO, branch: 'own', delete: true });
    expect(git(bare, ['branch', '--list', 'own'])).toBe('');
  });

  it('is added and changed by its absolute path', async () => {
    const { root, bare, top } = await scene();
    await using session = await connectGit({ directories: [root] }, undefined, CONFIRMS);
    await session.call('git_remote_add', { ...REPO, name: 'backup', url: bare });
    expect(await session.text('git_fetch', { ...REPO, remote: 'backup' })).toContain('refs/remotes/backup/main');
    const other = await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'other'));
    await session.call('git_remote_set_url', { ...REPO, name: 'backup', url: other });
    expect(git(top, ['remote', 'get-url', 'backup']).trim()).toBe(other);
  });

  it('is not pushed to if one of its work trees has the branch checked out', async () => {
    const { root, top } = await scene();
    const other = await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'other'));
    git(other, ['config', 'receive.denyCurrentBranch', 'updateInstead']);
    git(other, ['worktree', 'add', '--quiet', '-b', 'linked', path.join(root, 'linked')]);
    git(top, ['remote', 'add', 'other', other]);
    git(top, ['fetch', '--quiet', 'other']);
    git(top, ['checkout', '--quiet', '-b', 'work', 'other/main']);
    const own = extend(top, 'Own');
    await using session = await connectGit({ directories: [root] });
    for (const remote_branch of ['main', 'linked'])
      expect(await session.fails('git_push', { ...REPO, remote: 'other', remote_branch })).toMatch(
        /^REMOTE_REJECTED: .* is checked out in a work tree of the remote/,
      );
    await session.call('git_push', { ...REPO, remote: 'other', remote_branch: 'offered' });
    expect(oidOf(other, 'offered')).toBe(own);
    expect(git(other, ['status', '--porcelain'])).toBe('');
    expect(await readFile(path.join(other, 'a'), 'utf8')).toBe('x');
  });

  it('serves as the remote of a submodule with a relative URL', async () => {
    const { root, bare, top } = await scene();
    const oid = oidOf(bare, 'main');
    await writeIn(top, '.gitmodules', '[submodule "lib"]\n\tpath = lib\n\turl = ../library.git\n');
    git(root, ['clone', '--quiet', '--bare', bare, 'library.git']);
    git(top, ['add', '.gitmodules']);
    git(top, ['update-index', '--add', '--cacheinfo', `160000,${oid},lib`]);
    git(top, ['commit', '--quiet', '--message=Lib']);
    await using session = await connectGit({ directories: [root] });
    expect(await session.text('git_submodule_update', REPO)).toContain('cloned lib');
    expect(oidOf(path.join(top, 'lib'), 'HEAD')).toBe(oid);
    expect(git(path.join(top, 'lib'), ['config', 'remote.origin.url']).trim()).toBe(path.join(root, 'library.git'));
  });

  it('is rejected beside other URLs, if it is not the top of a repository, and if it is not a repository', async () => {
    const { root, bare, top } = await scene();
    git(top, ['remote', 'set-url', '--add', 'origin', 'https://example.com/x']);
    await mkdir(path.join(root, 'empty'));
    await mkdir(path.join(top, 'inner'));
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_push', REPO)).toMatch(/^INVALID_URL: a remote with several URLs cannot contain a directory/);
    const cloning = (url: string): Promise<string> => session.fails('git_clone', { url, path: 'copy' });
    expect(await cloning(path.join(top, 'inner'))).toMatch(/^INVALID_URL: .* is not the top directory of a repository/);
    expect(await cloning(path.join(root, 'empty'))).toMatch(/^NOT_A_REPO/);
    expect(await cloning(path.join(root, 'missing'))).toMatch(/^NOT_FOUND/);
    expect(await cloning(`${bare}\n--upload-pack=x`)).toMatch(/^INVALID_URL/);
    expect(existsSync(path.join(root, 'copy'))).toBe(false);
  });
});

/** Calls the tools that transfer from or to the remote `origin`, and returns their errors. */
async function transfer(session: Session): Promise<readonly string[]> {
  const calls = ['git_fetch', 'git_pull', 'git_push'].map((tool) => session.fails(tool, REPO).catch((error) => String(error)));
  return Promise.all(calls);
}

describe('a prepared directory as a remote', () => {
  it('runs no hook and no other program that it configures', async () => {
    const { root, bare, top } = await scene();
    const executed = path.join(root, 'executed');
    for (const name of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction', 'proc-receive']) {
      await writeFile(path.join(bare, 'hooks', name), `#!/bin/sh\ntouch ${executed}\n`);
      await chmod(path.join(bare, 'hooks', name), 0o755);
    }
    for (const [key, value] of [
      ['core.hooksPath', path.join(bare, 'hooks')],
      ['core.alternateRefsCommand', `touch ${executed}`],
      ['uploadpack.packObjectsHook', `touch ${executed}; git pack-objects`],
      ['receive.procReceiveRefs', 'refs'],
    ] as const)
      git(bare, ['config', key, value]);
    await using session = await connectGit({ directories: [root] });
    await extendThere(bare, 'topic', 'Next').catch(() => undefined);
    await rm(executed, { force: true });
    await session.call('git_fetch', REPO);
    const own = extend(top, 'Own');
    await session.fails('git_push', REPO).catch(() => undefined);
    git(bare, ['config', '--unset', 'receive.procReceiveRefs']);
    await session.call('git_push', REPO);
    expect(git(bare, ['-c', 'core.hooksPath=/dev/null', 'rev-parse', 'main']).trim()).toBe(own);
    expect(existsSync(executed)).toBe(false);
  });

  it('is used with the configuration that was checked', async () => {
    const { root, bare, top } = await scene();
    // git would fail if it read this invalid configuration.
    const breaks = `case "$*" in *' fetch '*|*' push '*) echo '[broken' > ${bare}/config ;; esac`;
    await gitThatFirst(await temporaryDirectory(), breaks, '*--version*');
    await using session = await connectGit({ directories: [root] });
    const before = await readFile(path.join(bare, 'config'), 'utf8');
    for (const tool of ['git_fetch', 'git_push']) {
      await session.call(tool, REPO);
      expect(await readFile(path.join(bare, 'config'), 'utf8')).toBe('[broken\n');
      await writeFile(path.join(bare, 'config'), before);
      extend(top, 'Own');
    }
  });

  it.each([
    ['a filter', 'filter.x.clean'],
    ['a program of a remote', 'remote.x.uploadpack'],
  ])('is rejected if its configuration contains %s', async (_, key) => {
    const { root, bare } = await scene();
    git(bare, ['config', key, 'touch executed']);
    await using session = await connectGit({ directories: [root] });
    for (const text of await transfer(session)) expect(text).toMatch(/^REPO_UNTRUSTED/);
    expect(await session.fails('git_clone', { url: bare, path: 'copy' })).toMatch(/^REPO_UNTRUSTED/);
  });

  it.each([
    ['the directory', (outside: string, { bare }: Scene) => symlink(outside, bare)],
    [
      'its objects',
      async (outside: string, { bare }: Scene) => {
        git(path.dirname(bare), ['init', '--quiet', '--bare', bare]);
        await rm(path.join(bare, 'objects'), { recursive: true });
        await symlink(path.join(outside, 'objects'), path.join(bare, 'objects'));
      },
    ],
    [
      'its alternates',
      async (outside: string, { bare }: Scene) => {
        git(path.dirname(bare), ['init', '--quiet', '--bare', bare]);
        await writeIn(bare, 'objects/info/alternates', `${path.join(outside, 'objects')}\n`);
      },
    ],
  ])('is rejected if it leads outside the roots by %s', async (_, prepare) => {
    const place = await scene();
    const outside = path.join(await temporaryDirectory(), 'secret.git');
    await rename(place.bare, outside);
    await prepare(outside, place);
    await using session = await connectGit({ directories: [place.root] });
    for (const text of await transfer(session)) expect(text).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(await session.fails('git_clone', { url: place.bare, path: 'copy' })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it('is rejected if it is outside the roots', async () => {
    const { root, top } = await scene();
    const outside = await sourceRepository();
    git(top, ['remote', 'set-url', 'origin', outside]);
    await using session = await connectGit({ directories: [root] });
    for (const text of await transfer(session)) expect(text).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });
});
