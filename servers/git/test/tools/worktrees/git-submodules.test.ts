import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { oidOf } from '../../fixtures/branches.ts';
import { connectGit, git, repositoryOf, temporaryDirectory, writeIn } from '../../fixtures/temporary.ts';

const MODULES = `[submodule "first"]
	path = libs/one
	url = https://ann:hunter2@example.com/one.git
[submodule "second"]
	path = two
	url = ../two.git
	update = !touch executed
`;

interface Scene {
  readonly base: string;
  readonly root: string;
  readonly top: string;
}

/** Creates a repository with an initialized submodule in `libs/one`, and a submodule in `two` that is not initialized. */
async function scene(): Promise<Scene> {
  const base = await temporaryDirectory();
  const root = path.join(base, 'safe');
  const top = await repositoryOf([['Begin', { 'a.txt': 'a\n' }]], path.join(root, 'project'));
  await repositoryOf(
    [
      ['Inner', { x: 'x\n' }],
      ['More', { x: 'more\n' }],
    ],
    path.join(top, 'libs/one'),
  );
  await writeIn(top, '.gitmodules', MODULES);
  git(top, ['add', '--all']);
  git(top, ['update-index', '--add', '--cacheinfo', `160000,${oidOf(top, 'HEAD')},two`]);
  git(top, ['commit', '--quiet', '--message=Submodules']);
  return { base, root, top };
}

const REPO = { repo_path: 'project' };

describe.each(ERAS)('git_submodules, on a %s connection,', (era) => {
  it('lists recorded and checked-out commits, URLs without passwords, and counts changes', async () => {
    const { root, top } = await scene();
    const one = path.join(top, 'libs/one');
    const recorded = oidOf(one, 'HEAD');
    await using session = await connectGit({ directories: [root] }, era);
    const first = { path: 'libs/one', name: 'first', recorded, checked_out: recorded, state: 'same', changes: 0 };
    const second = { path: 'two', name: 'second', url: '../two.git', recorded: oidOf(top, 'HEAD~1'), state: 'not initialized' };
    const { structuredContent } = await session.call('git_submodules', REPO);
    expect(structuredContent).toMatchObject({ submodules: [first, second], total: 2 });
    expect(JSON.stringify(structuredContent)).not.toContain('hunter2');
    git(one, ['checkout', '--quiet', '--detach', 'HEAD~1']);
    await writeIn(one, 'x', 'changed\n');
    await writeIn(one, 'new.txt', 'new\n');
    const text = await session.text('git_submodules', REPO);
    expect(text).toContain(
      `libs/one ${recorded.slice(0, 12)} differs, checked out ${oidOf(one, 'HEAD').slice(0, 12)}, uncommitted files: 2`,
    );
    expect(text).toContain('not initialized (../two.git)');
    expect(text).not.toContain('hunter2');
  });
});

describe('git_submodules', () => {
  it('lists nothing without submodules, and rejects a bare repository', async () => {
    const { root, top } = await scene();
    await repositoryOf([['Begin', { 'a.txt': 'a\n' }]], path.join(root, 'plain'));
    git(root, ['clone', '--quiet', '--bare', top, 'bare.git']);
    await using session = await connectGit({ directories: [root] });
    expect(await session.text('git_submodules', { repo_path: 'plain' })).toBe('No submodules found');
    expect(await session.fails('git_submodules', { repo_path: 'bare.git' })).toMatch(/^NO_WORK_TREE/);
    expect(await session.fails('git_submodules', { ...REPO, cursor: '--output=x' })).toMatch(/^INVALID_ARGUMENTS/);
  });

  it('reads neither a commit nor changes of a submodule whose git directory is outside', async () => {
    const { base, root, top } = await scene();
    const outside = path.join(base, 'outside');
    await rename(path.join(top, 'libs/one/.git'), outside);
    const secret = git(outside, ['--git-dir=.', 'rev-parse', 'HEAD~1']).trim();
    git(outside, ['--git-dir=.', 'update-ref', 'refs/heads/main', secret]);
    await writeIn(top, 'libs/one/.git', `gitdir: ${outside}\n`);
    await using session = await connectGit({ directories: [root] });
    const result = await session.call('git_submodules', REPO);
    expect(result.structuredContent).toMatchObject({ submodules: [{ path: 'libs/one', state: 'unreadable' }, {}] });
    expect(JSON.stringify(result)).not.toMatch(new RegExp(`outside"|"changes"|checked_out|${secret}`));
  });

  it('does not count changes in a submodule that starts programs', async () => {
    const { root, top } = await scene();
    git(path.join(top, 'libs/one'), ['config', 'filter.planted.clean', `touch ${root}/executed`]);
    await writeIn(top, 'libs/one/.gitattributes', '* filter=planted\n');
    await writeIn(top, 'libs/one/x', 'less\n');
    await using session = await connectGit({ directories: [root] });
    const { structuredContent } = await session.call('git_submodules', REPO);
    expect(structuredContent).toMatchObject({ submodules: [{ path: 'libs/one', state: 'same' }, {}] });
    expect(JSON.stringify(structuredContent)).not.toContain('"changes"');
    await expect(rm(path.join(root, 'executed'))).rejects.toThrow('ENOENT');
  });

  it('does not follow a link in place of .gitmodules, and rejects one of 1 MiB', async () => {
    const { base, root, top } = await scene();
    await writeFile(path.join(base, 'secret'), MODULES.replace('../two.git', 'https://example.com/secret'));
    await rm(path.join(top, '.gitmodules'));
    await symlink(path.join(base, 'secret'), path.join(top, '.gitmodules'));
    await using session = await connectGit({ directories: [root] });
    expect(JSON.stringify(await session.call('git_submodules', REPO))).not.toContain('secret');
    await rm(path.join(top, '.gitmodules'));
    await writeFile(path.join(top, '.gitmodules'), '#'.repeat(1_048_576));
    expect(await session.fails('git_submodules', REPO)).toBe(
      'TOO_LARGE: .gitmodules has 1048576 bytes or more\nremove unused entries',
    );
  });

  it('ignores files that .gitmodules includes', async () => {
    const { base, root, top } = await scene();
    await writeFile(path.join(base, 'secret'), MODULES.replace('../two.git', 'https://example.com/secret'));
    await writeIn(top, '.gitmodules', `[include]\n\tpath = ${path.join(base, 'secret')}\n`);
    await using session = await connectGit({ directories: [root] });
    expect(JSON.stringify(await session.call('git_submodules', REPO))).not.toMatch(/secret|first/);
  });

  it('stops when it is cancelled', async () => {
    const { root } = await scene();
    await using session = await connectGit({ directories: [root] });
    await expect(
      session.client.callTool({ name: 'git_submodules', arguments: REPO }, { signal: AbortSignal.abort() }),
    ).rejects.toThrow();
  });
});
