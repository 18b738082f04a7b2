import { Repositories } from '../../src/repository/repositories.ts';
import { rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Roots } from '@org/mcp-roots';
import { describe, expect, it, onTestFinished } from 'vitest';

import { connectGit, git, repositoryOf } from '../fixtures/temporary.ts';
import { replaceByLink, scene, type Scene } from '../fixtures/attacks/scene.ts';

describe('access outside the roots', () => {
  it.each([
    [
      'objects that become a link',
      async ({ top, outside }: Scene) => {
        await rename(path.join(top, '.git/objects'), path.join(top, '.git/kept'));
        await symlink(path.join(outside, '.git/objects'), path.join(top, '.git/objects'));
      },
    ],
    [
      'a HEAD that becomes a link',
      ({ top, outside }: Scene) => replaceByLink(path.join(top, '.git/HEAD'), path.join(outside, '.git/HEAD')),
    ],
    [
      'a .git that becomes a link',
      ({ top, outside }: Scene) => replaceByLink(path.join(top, '.git'), path.join(outside, '.git')),
    ],
    ['a top that becomes a link', ({ top, outside }: Scene) => replaceByLink(top, outside)],
    [
      'a work tree that the configuration names',
      async ({ top, outside }: Scene) => {
        git(top, ['config', 'core.worktree', outside]);
      },
    ],
    [
      'a work tree that the configuration of the work tree names',
      async ({ top, outside }: Scene) => {
        git(top, ['config', 'extensions.worktreeConfig', 'true']);
        await writeFile(path.join(top, '.git/config.worktree'), `[core]\n\tworktree = ${outside}\n`);
      },
    ],
    [
      'alternates',
      ({ top, outside }: Scene) => writeFile(path.join(top, '.git/objects/info/alternates'), `${outside}/.git/objects\n`),
    ],
    [
      'alternates of alternates',
      async ({ root, outside }: Scene) => {
        await writeFile(path.join(root, 'between/.git/objects/info/alternates'), `${outside}/.git/objects\n`);
      },
    ],
    [
      'an alternate that becomes a link',
      ({ root, outside }: Scene) => replaceByLink(path.join(root, 'between/.git/objects'), path.join(outside, '.git/objects')),
    ],
    ['a common directory', ({ top, outside }: Scene) => writeFile(path.join(top, '.git/commondir'), `${outside}/.git\n`)],
  ])('is rejected if a repository changes between two calls: %s', async (_, change) => {
    const place = await scene();
    const between = await repositoryOf([['Between', { b: 'x' }]], path.join(place.root, 'between'));
    await writeFile(path.join(place.top, '.git/objects/info/alternates'), `${between}/.git/objects\n`);
    await using session = await connectGit({ directories: [place.root] });
    await session.call('git_log', { repo_path: place.top });
    await session.call('git_show', { repo_path: place.top, revision: 'HEAD' });
    await change(place);
    expect(await session.fails('git_log', { repo_path: place.top })).toMatch(/^(?:PATH_OUTSIDE_ROOTS|NOT_A_REPO)/);
    expect(await session.fails('git_show', { repo_path: place.top, revision: 'HEAD' })).toMatch(
      /^(?:PATH_OUTSIDE_ROOTS|NOT_A_REPO)/,
    );
  });

  it('is rejected if the root is replaced with a link during a call', async () => {
    const { root, top, outside } = await scene();
    await using roots = await Roots.open([root]);
    const limits = {
      maxBytes: 100_000,
      maxEntries: 100,
      maxCommits: 100,
      maxPatchBytes: 1024,
      allowHooks: false,
      protectedBranches: [],
    };
    const repositories = new Repositories(limits, () => false);
    onTestFinished(() => repositories.close());
    const repository = await repositories.open(top, { roots, signal: new AbortController().signal });
    const head = git(top, ['rev-parse', 'HEAD']).trim();
    expect(await repository.objectInfo('HEAD')).toMatchObject({ oid: head });
    await rename(root, `${root}_moved`);
    await symlink(outside, root);
    await symlink(outside, path.join(outside, 'project'));
    for (const ask of [
      () => repository.read(['log']),
      () => repository.write(['branch', 'new']),
      () => repository.objectInfo('HEAD'),
      () => repository.object('HEAD'),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'ROOT_CHANGED' });
  });
});
