import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { recover, tokenOf } from '../../fixtures/confirming.ts';
import { connectTo, extend, extendThere, oidOf, scene } from '../../fixtures/remote-scene.ts';
import { git, writeIn } from '../../fixtures/temporary.ts';

describe('git_pull', () => {
  it('does not change a branch that has own commits, and counts them', async () => {
    const place = await scene();
    await extendThere(place.bare, 'main', 'There');
    const mine = extend(place.top, 'Mine');
    await using session = await connectTo(place);
    expect(await session.fails('git_pull')).toMatch(
      /^NON_FAST_FORWARD: the branch has 1 commit that the remote branch does not have, and lacks 1 commit of it/,
    );
    expect(oidOf(place.top, 'main')).toBe(mine);
  });

  it('merges with mode merge, and stops at a conflict like git_merge', async () => {
    const place = await scene();
    const there = await extendThere(place.bare, 'main', 'There');
    const mine = extend(place.top, 'Mine');
    await using session = await connectTo(place);
    const dry = await session.call('git_pull', { mode: 'merge', dry_run: true });
    expect(dry.structuredContent).toMatchObject({ question: 'Nothing would be lost' });
    expect(oidOf(place.top, 'main')).toBe(mine);
    const pulled = await session.call('git_pull', { mode: 'merge' });
    expect(pulled.structuredContent).toMatchObject({ outcome: 'merged', branch: 'main', before: mine, commits: 1 });
    expect(git(place.top, ['log', '-1', '--format=%P %s']).trim()).toBe(
      `${mine} ${there} Merge remote-tracking branch 'origin/main' into main`,
    );
    await recover(session, pulled);
    expect(oidOf(place.top, 'main')).toBe(mine);
    await writeIn(place.top, 'There.txt', 'mine\n');
    git(place.top, ['add', '--all']);
    extend(place.top, 'Other');
    expect(await session.fails('git_pull', { mode: 'merge' })).toMatch(
      /^CONFLICT: merge, at commit [0-9a-f]{12}: conflicts in There\.txt/,
    );
    expect(await session.text('git_abort')).toMatch(/^Aborted/);
  });

  it('rebases with mode rebase, and a protected branch only after confirmation', async () => {
    const place = await scene();
    const there = await extendThere(place.bare, 'main', 'There');
    const mine = extend(place.top, 'Mine');
    await using session = await connectTo(place);
    expect(await session.fails('git_pull', { mode: 'rebase' })).toMatch(/^CONFIRMATION_REQUIRED/);
    const confirm_token = tokenOf(await session.call('git_pull', { mode: 'rebase', dry_run: true }));
    expect(oidOf(place.top, 'main')).toBe(mine);
    const pulled = await session.call('git_pull', { mode: 'rebase', confirm_token });
    expect(pulled.structuredContent).toMatchObject({ outcome: 'rebased', before: mine, commits: 1 });
    expect(git(place.top, ['log', '-1', '--format=%P %s']).trim()).toBe(`${there} Mine`);
  });

  it('fails if local changes would be overwritten', async () => {
    const place = await scene();
    await extendThere(place.bare, 'main', 'There');
    await writeIn(place.top, 'There.txt', 'mine\n');
    await using session = await connectTo(place);
    expect(await session.fails('git_pull')).toMatch(/^CONFLICT/);
    expect(await readFile(path.join(place.top, 'There.txt'), 'utf8')).toBe('mine\n');
  });

  it('requires a current branch with an upstream branch', async () => {
    const place = await scene();
    git(place.top, ['switch', '--quiet', '--create', 'alone']);
    await using session = await connectTo(place);
    expect(await session.fails('git_pull')).toMatch(/^NO_UPSTREAM/);
    expect(await session.text('git_pull', { branch: 'main' })).toBe('alone is up to date with origin');
    git(place.top, ['switch', '--quiet', '--detach']);
    expect(await session.fails('git_pull')).toMatch(/^DETACHED_HEAD/);
  });
});
