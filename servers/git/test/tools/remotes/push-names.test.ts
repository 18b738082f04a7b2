import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectTo, extend, oidOf, scene } from '../../fixtures/remote-scene.ts';
import { git } from '../../fixtures/temporary.ts';

describe.each(ERAS)('git_push, on a %s connection,', (era) => {
  it('pushes one tag and nothing else', async () => {
    const place = await scene();
    extend(place.top, 'Not pushed');
    git(place.top, ['tag', '--annotate', '--message=First', 'v7']);
    git(place.top, ['tag', 'v8']);
    const main = oidOf(place.bare, 'main');
    await using session = await connectTo(place, {}, era);
    expect((await session.call('git_push', { tag: 'v7' })).structuredContent).toMatchObject({
      refs: [{ ref: 'refs/tags/v7', outcome: 'new' }],
    });
    expect(oidOf(place.bare, 'v7')).toBe(oidOf(place.top, 'v7'));
    expect(oidOf(place.bare, 'main')).toBe(main);
    expect(() => oidOf(place.bare, 'v8')).toThrow();
  });

  it('pushes a tag from a detached HEAD, and does not move a tag of the remote', async () => {
    const place = await scene();
    git(place.top, ['tag', 'v7']);
    git(place.top, ['switch', '--quiet', '--detach']);
    await using session = await connectTo(place, {}, era);
    await session.call('git_push', { tag: 'v7' });
    const there = oidOf(place.bare, 'v7');
    extend(place.top, 'Later');
    git(place.top, ['tag', '--force', 'v7']);
    expect(await session.fails('git_push', { tag: 'v7' })).toMatch(
      /^REMOTE_REJECTED: .*refs\/tags\/v7 .*already exists.*\n.*never moves a tag/,
    );
    expect(oidOf(place.bare, 'v7')).toBe(there);
  });

  it('pushes a branch to another name, sets it as upstream, and deletes it there', async () => {
    const place = await scene();
    git(place.top, ['switch', '--quiet', '--create', 'mine']);
    const oid = extend(place.top, 'Mine');
    await using session = await connectTo(place, { answers: { elicitation: { confirm: true } } }, era);
    const { structuredContent } = await session.call('git_push', { remote_branch: 'review/mine', set_upstream: true });
    expect(structuredContent).toMatchObject({
      refs: [{ ref: 'refs/heads/review/mine', outcome: 'new' }],
      upstream: 'origin/review/mine',
    });
    expect(oidOf(place.bare, 'review/mine')).toBe(oid);
    expect(() => oidOf(place.bare, 'mine')).toThrow();
    expect(git(place.top, ['rev-parse', '--abbrev-ref', 'mine@{upstream}']).trim()).toBe('origin/review/mine');
    await session.call('git_push', { remote_branch: 'review/mine', delete: true });
    expect((await session.elicited.next()).message).toContain('Delete the branch review/mine at origin');
    expect(() => oidOf(place.bare, 'review/mine')).toThrow();
  });

  it('protects the branch at the remote, not the local branch', async () => {
    const place = await scene();
    git(place.top, ['switch', '--quiet', '--create', 'mine', 'HEAD~0']);
    git(place.top, ['commit', '--quiet', '--amend', '--message=Other']);
    await using session = await connectTo(place, {}, era);
    expect(await session.fails('git_push', { remote_branch: 'main', force: true })).toMatch(/^PROTECTED_BRANCH/);
    expect(await session.fails('git_push', { remote_branch: 'main', delete: true })).toMatch(/^PROTECTED_BRANCH/);
  });

  it.each([
    [{ tag: 'none' }, /^INVALID_REVISION: the tag "none" does not exist/],
    [{ tag: '--all' }, /^INVALID_REVISION/],
    [{ tag: 'v7', force: true }, /^INVALID_ARGUMENTS: tag pushes one tag/],
    [{ tag: 'v7', branch: 'main' }, /^INVALID_ARGUMENTS: tag pushes one tag/],
    [{ remote_branch: 'a b' }, /^INVALID_REF_NAME/],
    [{ remote_branch: 'x:refs/heads/main' }, /^INVALID_REF_NAME/],
    [{ remote_branch: '--mirror' }, /^INVALID_REF_NAME/],
  ])('rejects %j', async (input, message) => {
    const place = await scene();
    git(place.top, ['tag', 'v7']);
    await using session = await connectTo(place, {}, era);
    expect(await session.fails('git_push', input)).toMatch(message);
  });
});
