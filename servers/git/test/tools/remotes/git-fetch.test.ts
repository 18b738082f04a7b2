import { existsSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectTo, extendThere, oidOf, scene } from '../../fixtures/remote-scene.ts';
import { git } from '../../fixtures/temporary.ts';

describe('git_fetch', () => {
  it('fetches tags, prunes deleted branches, and reports forced updates', async () => {
    const place = await scene();
    const { bare, top } = place;
    git(bare, ['tag', 'v2', 'topic']);
    git(bare, ['branch', 'new', 'main']);
    git(bare, ['branch', '--delete', '--force', 'topic']);
    const before = oidOf(bare, 'main');
    git(bare, ['update-ref', 'refs/heads/main', 'main~1']);
    await using session = await connectTo(place);
    const { structuredContent } = await session.call('git_fetch', { prune: true, tags: true });
    expect(structuredContent).toMatchObject({
      updated: [
        { ref: 'refs/remotes/origin/main', outcome: 'forced', before, after: oidOf(bare, 'main') },
        { ref: 'refs/remotes/origin/new', outcome: 'new' },
        { ref: 'refs/tags/v2', outcome: 'new' },
        { ref: 'refs/remotes/origin/topic', outcome: 'deleted' },
      ],
    });
    expect(existsSync(path.join(top, '.git/FETCH_HEAD'))).toBe(false);
    expect(oidOf(top, 'main')).toBe(before);
  });

  it('fetches one branch, and reports a missing branch', async () => {
    const place = await scene();
    await extendThere(place.bare, 'main', 'Main');
    const oid = await extendThere(place.bare, 'topic', 'Topic');
    await using session = await connectTo(place);
    expect((await session.call('git_fetch', { branch: 'topic' })).structuredContent).toMatchObject({
      updated: [{ ref: 'refs/remotes/origin/topic', after: oid }],
    });
    expect(await session.fails('git_fetch', { branch: 'nowhere' })).toMatch(/^INVALID_REVISION/);
    expect(await session.fails('git_fetch', { remote: 'orign' })).toMatch(/^REMOTE_NOT_FOUND: .*\n.*did you mean origin\?/);
  });

  it('never overwrites local branches, whatever the configuration is', async () => {
    const place = await scene();
    const before = oidOf(place.top, 'main');
    await extendThere(place.bare, 'main', 'Main');
    git(place.top, ['config', 'remote.origin.fetch', '+refs/heads/*:refs/heads/*']);
    await using session = await connectTo(place);
    expect(await session.fails('git_fetch')).toMatch(/^CONFLICT/);
    await session.call('git_fetch', { branch: 'main' });
    expect(oidOf(place.top, 'main')).toBe(before);
  });
});
