import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectTo, oidOf, scene } from '../../fixtures/remote-scene.ts';
import { git } from '../../fixtures/temporary.ts';

describe('git_clone', () => {
  it('accepts a branch, a depth, and an empty directory', async () => {
    const place = await scene();
    await using session = await connectTo(place);
    git(place.root, ['init', '--quiet', path.join(place.root, 'x')]);
    const { structuredContent } = await session.call('git_clone', {
      url: place.host.url('project'),
      path: 'copy',
      branch: 'topic',
      depth: 1,
    });
    expect(structuredContent).toMatchObject({ branch: 'topic', oid: oidOf(place.bare, 'topic') });
    expect(await session.text('git_log', { repo_path: 'copy' })).toContain('Begin');
    expect(await session.fails('git_clone', { url: place.host.url('project'), path: 'other', branch: 'nowhere' })).toMatch(
      /^INVALID_REVISION/,
    );
    expect((await readdir(place.root)).sort()).toEqual(['copy', 'project', 'x']);
  });

  it('clones an empty repository', async () => {
    const place = await scene();
    await place.host.add('empty');
    await using session = await connectTo(place);
    expect(await session.text('git_clone', { url: place.host.url('empty'), path: 'copy' })).toContain('without commits');
  });

  it('reports the reason why a clone is impossible', async () => {
    const place = await scene();
    await using session = await connectTo(place);
    const url = place.host.url('project');
    expect(await session.fails('git_clone', { url, path: 'project' })).toMatch(/^ALREADY_EXISTS/);
    expect(await session.fails('git_clone', { url, path: 'no/where' })).toMatch(/^NOT_FOUND/);
    expect(await session.fails('git_clone', { url: place.host.url('nothing'), path: 'copy' })).toMatch(/^REMOTE_NOT_FOUND/);
    expect(await readdir(place.root)).toEqual(['project']);
  });

  it('creates a bare clone, which can fetch and push', async () => {
    const place = await scene();
    await using session = await connectTo(place);
    const { structuredContent } = await session.call('git_clone', {
      url: place.host.url('project'),
      path: 'copy.git',
      bare: true,
    });
    expect(structuredContent).toMatchObject({ bare: true, branch: 'main', oid: oidOf(place.bare, 'main') });
    git(place.bare, ['branch', 'more', 'main']);
    const repo_path = 'copy.git';
    expect(await session.text('git_fetch', { repo_path })).toContain('new refs/remotes/origin/more');
    expect(await session.text('git_push', { repo_path })).toContain('up to date refs/heads/main');
    expect(await session.fails('git_pull', { repo_path })).toMatch(/^NO_WORK_TREE/);
  });
});
