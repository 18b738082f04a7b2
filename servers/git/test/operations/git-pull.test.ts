import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectTo, extend, extendThere, oidOf, scene } from '../remote-scene.ts';
import { git, writeIn } from '../temporary.ts';

describe('git_pull', () => {
  it('leaves a branch that has commits of its own, and says how many', async () => {
    const place = await scene();
    await extendThere(place.bare, 'main', 'There');
    const mine = extend(place.top, 'Mine');
    await using session = await connectTo(place);
    expect(await session.fails('git_pull')).toMatch(/^NON_FAST_FORWARD: the branch has 1 commit that the remote has not, and/);
    expect(oidOf(place.top, 'main')).toBe(mine);
  });

  it('leaves local changes that are in the way', async () => {
    const place = await scene();
    await extendThere(place.bare, 'main', 'There');
    await writeIn(place.top, 'There.txt', 'mine\n');
    await using session = await connectTo(place);
    expect(await session.fails('git_pull')).toMatch(/^CONFLICT/);
    expect(await readFile(path.join(place.top, 'There.txt'), 'utf8')).toBe('mine\n');
  });

  it('needs a branch, and one that it follows', async () => {
    const place = await scene();
    git(place.top, ['switch', '--quiet', '--create', 'alone']);
    await using session = await connectTo(place);
    expect(await session.fails('git_pull')).toMatch(/^NO_UPSTREAM/);
    expect(await session.text('git_pull', { branch: 'main' })).toBe('alone has all that origin has');
    git(place.top, ['switch', '--quiet', '--detach']);
    expect(await session.fails('git_pull')).toMatch(/^DETACHED_HEAD/);
  });
});
