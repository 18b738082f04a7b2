import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { gitHost, sourceRepository, type GitHost, type HostOptions } from '../../fixtures/git-host.ts';
import { connectTo, extend, oidOf } from '../../fixtures/remote-scene.ts';
import { connectGit, git, repositoryOf, temporaryDirectory, writeIn } from '../../fixtures/temporary.ts';

interface Scene {
  readonly host: GitHost;
  readonly root: string;
  /** A repository with the submodules `libs/one` and `two`, neither of which is initialized. */
  readonly top: string;
  /** The commit that the submodules record: the main branch of both. */
  readonly oid: string;
  /** The repository that the host's repositories `one` and `two` were copied from. */
  readonly source: string;
  /** The bare repository that the host serves as `two`. */
  readonly bare: string;
}

async function scene(options: HostOptions = {}, urls: { readonly one?: string; readonly two?: string } = {}): Promise<Scene> {
  const host = await gitHost(options);
  const source = await sourceRepository();
  await host.add('one', source);
  const bare = await host.add('two', source);
  const root = await temporaryDirectory();
  const top = await repositoryOf([['Begin', { 'a.txt': 'a\n' }]], path.join(root, 'project'));
  git(top, ['remote', 'add', 'origin', host.url('project')]);
  const { one = '../one.git', two = host.url('two') } = urls;
  const modules = [`[submodule "first"]\n\tpath = libs/one\n\turl = ${one}\n`];
  await writeIn(top, '.gitmodules', `${modules.join('')}[submodule "two"]\n\tpath = two\n\turl = ${two}\n`);
  const oid = oidOf(source, 'main');
  git(top, ['add', '.gitmodules']);
  for (const place of ['libs/one', 'two']) record(top, place, oid);
  git(top, ['commit', '--quiet', '--message=Submodules']);
  for (const place of ['libs/one', 'two']) await mkdir(path.join(top, place), { recursive: true });
  return { host, root, top, oid, source, bare };
}

function record(top: string, place: string, oid: string): void {
  git(top, ['update-index', '--add', '--cacheinfo', `160000,${oid},${place}`]);
}

/** Adds a commit to the main branch of the host's repository `two`, and returns the commit. */
function publish({ source, bare }: Scene): string {
  const oid = extend(source, 'Next');
  git(source, ['push', '--quiet', bare, 'main']);
  return oid;
}

const REPO = { repo_path: 'project' };

describe.each(ERAS)('git_submodule_update, on a %s connection,', (era) => {
  it('clones submodules with relative and absolute URLs, and then changes nothing', async () => {
    const place = await scene();
    const { top, oid, host } = place;
    await using session = await connectTo(place, {}, era);
    const { structuredContent } = await session.call('git_submodule_update', REPO);
    const cloned = ['libs/one', 'two'].map((each) => ({ path: each, oid, outcome: 'cloned' }));
    expect(structuredContent).toEqual({ submodules: cloned, truncated: false });
    // A space in the first column means that the submodules are initialized and at the recorded commits.
    const lines = git(top, ['submodule', 'status']).split('\n');
    expect(lines.map((line) => line.replace(/ \(.*/, ''))).toEqual([` ${oid} libs/one`, ` ${oid} two`, '']);
    expect(git(top, ['config', 'submodule.first.url']).trim()).toBe(host.url('one'));
    expect(git(top, ['status', '--porcelain'])).toBe('');
    expect(await readFile(path.join(top, 'two/a.txt'), 'utf8')).toBe('one\ntwo\n');
    const text = await session.text('git_submodule_update', { ...REPO, paths: ['two'] });
    expect(text).toBe(`unchanged two ${oid.slice(0, 12)}`);
  });
});

describe('git_submodule_update', () => {
  it('fetches a new commit, detaches HEAD there, and keeps commits that only HEAD contained', async () => {
    const place = await scene();
    const { top, oid } = place;
    await using session = await connectTo(place);
    await session.call('git_submodule_update', REPO);
    const two = path.join(top, 'two');
    git(two, ['config', 'user.name', 'Ann']);
    const own = extend(two, 'Own');
    const next = publish(place);
    record(top, 'two', next);
    const { structuredContent } = await session.call('git_submodule_update', { ...REPO, paths: [two] });
    expect(structuredContent).toEqual({
      submodules: [{ path: 'two', oid: next, outcome: 'updated', before: own }],
      truncated: false,
    });
    expect(oidOf(two, 'HEAD')).toBe(next);
    expect(git(two, ['for-each-ref', '--contains', own])).toContain('refs/mcp-backup/');
    expect(oidOf(path.join(top, 'libs/one'), 'HEAD')).toBe(oid);
  });

  it('fetches a commit that no branch of the remote contains', async () => {
    const place = await scene();
    const { top, bare } = place;
    const hidden = publish(place);
    git(bare, ['update-ref', 'refs/heads/main', `${hidden}~1`]);
    record(top, 'two', hidden);
    await using session = await connectTo(place);
    expect(await session.text('git_submodule_update', { ...REPO, paths: ['two'] })).toContain(
      `cloned two ${hidden.slice(0, 12)}`,
    );
    expect(oidOf(path.join(top, 'two'), 'HEAD')).toBe(hidden);
  });

  it('leaves nothing behind if the remote does not have the recorded commit', async () => {
    const place = await scene();
    const { top } = place;
    record(top, 'two', extend(top, 'Elsewhere'));
    await using session = await connectTo(place);
    expect(await session.fails('git_submodule_update', { ...REPO, paths: ['two'] })).toBe(
      'INVALID_REVISION: two: the remote does not have the commit\nthe commit was probably not pushed',
    );
    expect(await readdir(path.join(top, 'two'))).toEqual([]);
    expect((await readdir(top)).filter((name) => name.startsWith('.mcp-'))).toEqual([]);
  });

  it('does not overwrite local changes, and updates the other submodules', async () => {
    const place = await scene();
    const { top, oid } = place;
    await using session = await connectTo(place);
    await session.call('git_submodule_update', REPO);
    for (const each of ['libs/one', 'two']) git(path.join(top, each), ['checkout', '--quiet', '--detach', 'HEAD~1']);
    await writeIn(top, 'two/a.txt', 'mine\n');
    const { structuredContent } = await session.call('git_submodule_update', REPO);
    const before = oidOf(path.join(top, 'two'), 'HEAD');
    expect(structuredContent).toMatchObject({
      submodules: [
        { path: 'two', oid, outcome: 'failed', error: expect.stringMatching(/^CONFLICT: /) as string },
        { path: 'libs/one', oid, outcome: 'updated', before },
      ],
    });
    expect(await readFile(path.join(top, 'two/a.txt'), 'utf8')).toBe('mine\n');
    expect(await session.fails('git_submodule_update', { ...REPO, paths: ['two'] })).toMatch(/^CONFLICT: two: /);
  });

  it('uses the URL in the configuration of the repository instead of .gitmodules', async () => {
    const place = await scene({}, { two: 'https://unreachable.example/two.git' });
    git(place.top, ['config', 'submodule.two.url', place.host.url('two')]);
    await using session = await connectTo(place);
    expect(await session.text('git_submodule_update', { ...REPO, paths: ['two'] })).toContain('cloned two');
    expect(git(place.top, ['config', 'submodule.two.url']).trim()).toBe(place.host.url('two'));
  });

  it('rejects paths that are not submodules, a bare repository, and a submodule without a URL', async () => {
    const place = await scene();
    git(place.root, ['clone', '--quiet', '--bare', place.top, 'bare.git']);
    record(place.top, 'three', place.oid);
    await using session = await connectTo(place);
    const failing = (args: object): Promise<string> => session.fails('git_submodule_update', { ...REPO, ...args });
    expect(await failing({ paths: ['a.txt'] })).toMatch(/^PATH_NOT_FOUND: a\.txt is not a submodule\ngit_submodules lists/);
    expect(await failing({ paths: ['../x'] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(await failing({ repo_path: 'bare.git' })).toMatch(/^NO_WORK_TREE/);
    expect(await failing({ paths: ['three'] })).toMatch(/^REMOTE_NOT_FOUND: three: \.gitmodules contains no URL/);
  });

  it('finds nothing in a repository without submodules', async () => {
    const place = await scene();
    await repositoryOf([['Begin', { 'a.txt': 'a\n' }]], path.join(place.root, 'plain'));
    await using session = await connectTo(place);
    expect(await session.text('git_submodule_update', { repo_path: 'plain' })).toBe('No submodules found');
  });

  it('lists failures first if the result is cut', async () => {
    const place = await scene();
    await using session = await connectGit({ directories: [place.root], remoteHosts: [place.host.origin], maxEntries: 1 });
    await writeIn(place.top, 'two/file', 'mine\n');
    const result = await session.call('git_submodule_update', REPO);
    expect(result.structuredContent).toMatchObject({ submodules: [{ path: 'two', outcome: 'failed' }], truncated: true });
    expect(JSON.stringify(result.content)).toContain('… and 1 more submodule');
    expect(await readFile(path.join(place.top, 'two/file'), 'utf8')).toBe('mine\n');
  });
});

describe('a URL of a submodule', () => {
  it.each([
    ['ext::sh -c "touch executed"', 'INVALID_URL'],
    ['--upload-pack=touch executed', 'INVALID_URL'],
    ['file:///etc', 'INVALID_URL'],
    ['/etc', 'PATH_OUTSIDE_ROOTS'],
    ['../../../../etc', 'INVALID_URL'],
    ['https://ann:hunter2@127.0.0.1/x.git', 'INVALID_URL'],
    ['https://example.com/x.git', 'HOST_NOT_ALLOWED'],
  ])('is rejected if it is %s', async (url, code) => {
    const place = await scene({}, { one: url });
    await using session = await connectTo(place);
    const failed = await session.fails('git_submodule_update', { ...REPO, paths: ['libs/one'] });
    expect(failed).toMatch(new RegExp(`^${code}`));
    expect(failed).not.toContain('hunter2');
    expect(git(place.top, ['config', '--list'])).not.toContain('submodule.first');
    expect(place.host.requests).toEqual([]);
    expect(existsSync(path.join(place.top, 'executed'))).toBe(false);
  });

  it.each([
    ['ssh://git@127.0.0.1:1/team/project.git', 'ssh://git@127.0.0.1:1/team/one.git'],
    ['git@127.0.0.1:team/project.git', 'git@127.0.0.1:team/one.git'],
    ['git@127.0.0.1:/team/project.git', 'git@127.0.0.1:/team/one.git'],
    ['git@127.0.0.1:project.git', 'git@127.0.0.1:one.git'],
    ['https://127.0.0.1:1/project.git/', 'https://127.0.0.1:1/one.git'],
  ])('is relative to the remote %s as in git', async (remote, expected) => {
    const { root, top } = await scene();
    git(top, ['remote', 'set-url', 'origin', remote]);
    await using session = await connectGit({ directories: [root] });
    await session.fails('git_submodule_update', { ...REPO, paths: ['libs/one'] });
    const ours = git(top, ['config', 'submodule.first.url']).trim();
    expect(ours).toBe(expected);
    git(top, ['config', '--remove-section', 'submodule.first']);
    git(top, ['submodule', 'init', 'libs/one']);
    expect(git(top, ['config', 'submodule.first.url']).trim()).toBe(ours);
  });
});

describe('a prepared directory of a submodule', () => {
  it('runs no command that .gitmodules or the configuration names as the way to update', async () => {
    const place = await scene();
    const executed = path.join(place.root, 'executed');
    git(place.top, ['config', '--file=.gitmodules', 'submodule.two.update', `!touch ${executed}`]);
    await using session = await connectTo(place);
    expect(await session.text('git_submodule_update', { ...REPO, paths: ['two'] })).toContain('cloned two');
    git(path.join(place.top, 'two'), ['checkout', '--quiet', '--detach', 'HEAD~1']);
    git(place.top, ['config', 'submodule.two.update', `!touch ${executed}`]);
    expect(await session.fails('git_submodule_update', { ...REPO, paths: ['two'] })).toMatch(/^REPO_UNTRUSTED/);
    expect(existsSync(executed)).toBe(false);
  });

  it('is not written through a link in place of its parent', async () => {
    const place = await scene();
    const other = path.join(place.root, 'other');
    await mkdir(path.join(other, 'one'), { recursive: true });
    await rm(path.join(place.top, 'libs'), { recursive: true });
    await symlink(other, path.join(place.top, 'libs'));
    await using session = await connectTo(place);
    expect(await session.fails('git_submodule_update', { ...REPO, paths: ['libs/one'] })).toMatch(/^(?:INVALID_PATH|PATH_)/);
    expect(await readdir(path.join(other, 'one'))).toEqual([]);
  });

  it('is not opened if its git directory is outside the roots, or its configuration starts a program', async () => {
    const place = await scene();
    await using session = await connectTo(place);
    await session.call('git_submodule_update', REPO);
    for (const each of ['libs/one', 'two']) git(path.join(place.top, each), ['checkout', '--quiet', '--detach', 'HEAD~1']);
    git(path.join(place.top, 'libs/one'), ['config', 'filter.planted.smudge', `touch ${place.root}/executed`]);
    await writeIn(place.top, 'libs/one/.gitattributes', '* filter=planted\n');
    const outside = path.join(await temporaryDirectory(), 'outside');
    await rename(path.join(place.top, 'two/.git'), outside);
    await writeIn(place.top, 'two/.git', `gitdir: ${outside}\n`);
    expect(await session.fails('git_submodule_update', { ...REPO, paths: ['libs/one'] })).toMatch(/^REPO_UNTRUSTED/);
    expect(await session.fails('git_submodule_update', { ...REPO, paths: ['two'] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(existsSync(path.join(place.root, 'executed'))).toBe(false);
  });
});

describe('a cancelled git_submodule_update', () => {
  it('leaves no directory of the unfinished clone', async () => {
    const place = await scene({ stallAfter: 10 });
    await using session = await connectTo(place);
    const updating = session.start('git_submodule_update', REPO);
    await place.host.stalled;
    updating.cancel();
    await expect(updating.result).rejects.toThrow();
    await expect.poll(() => readdir(path.join(place.top, 'libs'))).toEqual(['one']);
    expect(await readdir(path.join(place.top, 'libs/one'))).toEqual([]);
  });
});
