import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { extend, extendThere, oidOf, scene } from '../../fixtures/remote-scene.ts';
import { connectGit, git, repositoryOf, temporaryDirectory } from '../../fixtures/temporary.ts';

describe.each(ERAS)('a remote, on a %s connection', (era) => {
  it('is cloned, with its branch, without hooks', async () => {
    const { host, root, bare } = await scene();
    await using session = await connectGit({ directories: [root], remoteHosts: [host.origin] }, era);
    const { structuredContent, content } = await session.call('git_clone', { url: host.url('project'), path: 'copy' });
    expect(structuredContent).toMatchObject({
      repository: expect.stringMatching(/^copy-/),
      path: path.join(root, 'copy'),
      url: host.url('project'),
      branch: 'main',
      oid: oidOf(bare, 'main'),
    });
    expect(content).toEqual([
      {
        type: 'text',
        text: `Cloned ${host.url('project')} into ${path.join(root, 'copy')}, at ${oidOf(bare, 'main').slice(0, 12)} on main`,
      },
    ]);
    expect(await readFile(path.join(root, 'copy/a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(existsSync(path.join(root, 'copy/.git/hooks'))).toBe(false);
    expect((await readdir(root)).sort()).toEqual(['copy', 'project']);
  });

  it('is fetched, pulled and pushed to, with progress', async () => {
    const place = await scene();
    const { bare, top, root, host } = place;
    await using session = await connectGit({ directories: [root], remoteHosts: [host.origin] }, era);
    const oid = await extendThere(bare, 'main', 'There');
    const fetching = session.start('git_fetch');
    expect((await fetching.result).structuredContent).toEqual({
      remote: 'origin',
      url: host.url('project'),
      updated: [{ ref: 'refs/remotes/origin/main', outcome: 'updated', before: oidOf(top, 'main'), after: oid }],
      truncated: false,
    });
    const { progress, total, message } = await fetching.progress.next();
    expect({ total, message }).toEqual({ total: 100, message: expect.stringMatching(/objects: \d+ of \d+$/) });
    expect(progress).toBeLessThanOrEqual(100);
    expect(await session.text('git_fetch')).toBe(`No new commits from origin (${host.url('project')})`);
    expect((await session.call('git_pull')).structuredContent).toMatchObject({ branch: 'main', after: oid, commits: 1 });
    expect(await readFile(path.join(top, 'There.txt'), 'utf8')).toBe('x\n');
    expect(await session.text('git_pull')).toBe('main is up to date with origin');
    const mine = extend(top, 'Mine');
    expect((await session.call('git_push')).structuredContent).toEqual({
      remote: 'origin',
      url: host.url('project'),
      refs: [{ ref: 'refs/heads/main', outcome: 'updated', before: oid, after: mine }],
      messages: [],
    });
    expect(oidOf(bare, 'main')).toBe(mine);
  });
});

describe('the remotes of a repository', () => {
  it('are added, listed, changed and removed', async () => {
    const root = await temporaryDirectory();
    const top = await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'project'));
    await using session = await connectGit({ directories: [root] }, undefined, {
      answers: { elicitation: { confirm: true } },
    });
    expect(await session.text('git_remote_list')).toBe('No remotes');
    expect(await session.text('git_remote_add', { name: 'origin', url: 'git@example.com:team/x.git' })).toBe(
      'Added origin git@example.com:team/x.git',
    );
    expect(await session.fails('git_remote_add', { name: 'origin', url: 'https://example.com/x' })).toMatch(/^REMOTE_EXISTS/);
    const replaced = await session.call('git_remote_set_url', { name: 'origin', url: 'https://example.com/y.git' });
    expect(replaced.structuredContent).toEqual({ name: 'origin', url: 'https://example.com/y.git' });
    expect((await session.elicited.next()).message).toContain('- git@example.com:team/x.git');
    await session.call('git_remote_set_url', { name: 'origin', url: 'ssh://git@example.com:2222/y.git', push: true });
    expect((await session.call('git_remote_list')).structuredContent).toEqual({
      remotes: [{ name: 'origin', url: 'https://example.com/y.git', push_url: 'ssh://git@example.com:2222/y.git' }],
      total: 1,
    });
    git(top, ['update-ref', 'refs/remotes/origin/main', 'HEAD']);
    await session.call('git_remote_remove', { name: 'origin' });
    expect((await session.elicited.next()).message).toMatch(/its URL https:\/\/example.com\/y.git\n- origin\/main at /);
    expect(git(top, ['for-each-ref', 'refs/remotes'])).toBe('');
    expect(await session.text('git_remote_list')).toBe('No remotes');
  });
});
