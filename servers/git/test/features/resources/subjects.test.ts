import { rm } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, emptyRepository, git, idOf, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n', 'b.txt': 'b\n' }],
    ['Extend', { 'a.txt': 'one\ntwo\n' }],
  ]);
}

/**
 * Subscribes to several resources of a repository. The returned function waits for the next notification of a resource, and
 * resolves to the number of notifications so far.
 */
async function subscribeAll(session: Session, uris: readonly string[]): Promise<(uri: string) => Promise<number>> {
  const at = `git://${await idOf(session)}`;
  const updates = new Map(await Promise.all(uris.map(async (uri) => [uri, await session.subscribe(`${at}/${uri}`)] as const)));
  return async (uri) => {
    await updates.get(uri)?.next();
    return updates.get(uri)?.count ?? 0;
  };
}

describe.each(ERAS)('a subscription on a %s connection', (era) => {
  it('is notified about changes of its resource only', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    const next = await subscribeAll(session, [
      'head',
      'refs',
      'log',
      'diff/staged',
      'diff/unstaged',
      'log?rev=side',
      'blob/main/b.txt',
    ]);
    await writeIn(top, 'a.txt', 'one\ntwo\nthree\n');
    expect(await next('diff/unstaged')).toBe(1);
    git(top, ['add', 'a.txt']);
    expect([await next('diff/unstaged'), await next('diff/staged')]).toEqual([2, 1]);
    git(top, ['branch', 'side', 'HEAD~1']);
    expect([await next('refs'), await next('log?rev=side')]).toEqual([1, 1]);
    git(top, ['switch', '--quiet', '--create', 'other']);
    expect([await next('refs'), await next('head')]).toEqual([2, 1]);
    commitAt(top, 'Another', 9);
    expect([await next('log'), await next('head'), await next('refs'), await next('diff/staged')]).toEqual([1, 2, 3, 2]);
    git(top, ['branch', '--force', 'main', 'other']);
    expect(await next('refs')).toBe(4);
    git(top, ['gc', '--quiet']);
    git(top, ['pack-refs', '--all']);
    git(top, ['tag', 'v1']);
    expect(await next('refs')).toBe(5);
    await writeIn(top, 'b.txt', 'changed');
    git(top, ['commit', '--quiet', '--all', '--message=Change b']);
    git(top, ['branch', '--force', 'main', 'HEAD']);
    expect([await next('blob/main/b.txt'), await next('head')]).toEqual([1, 3]);
    git(top, ['switch', '--quiet', '--detach']);
    expect(await next('head')).toBe(4);
  });

  it('to a resource with a full object name is accepted and never notified', async () => {
    const top = await project();
    const [tip, first] = git(top, ['rev-list', 'HEAD']).trim().split('\n');
    await using session = await connectGit({ directories: [top] }, era);
    const at = `git://${await idOf(session)}`;
    const lasting = [`commit/${tip}`, `blob/${tip}/a.txt`, `tree/${tip}/`, `log?rev=${tip}`, `diff/${first}..${tip}`];
    const updates = await Promise.all(lasting.map((uri) => session.subscribe(`${at}/${uri}`)));
    await using refs = await session.subscribe(`${at}/refs`);
    commitAt(top, 'Another', 9);
    await refs.next();
    await rm(path.join(top, '.git/refs/heads/main'));
    await refs.next();
    expect(updates.map(({ count }) => count)).toEqual(updates.map(() => 0));
  });

  it('is notified about the first commit', async () => {
    const top = await emptyRepository();
    await using session = await connectGit({ directories: [top] }, era);
    const next = await subscribeAll(session, ['status', 'head', 'refs', 'log']);
    commitAt(top, 'First', 1);
    expect(await Promise.all(['status', 'head', 'refs', 'log'].map(next))).toEqual([1, 1, 1, 1]);
  });

  it('is notified when a conflict appears and disappears', async () => {
    const top = await project();
    git(top, ['switch', '--quiet', '--create', 'theirs', 'HEAD~1']);
    await writeIn(top, 'a.txt', 'one\nother\n');
    git(top, ['commit', '--quiet', '--all', '--message=Their']);
    git(top, ['switch', '--quiet', 'main']);
    await using session = await connectGit({ directories: [top] }, era);
    const next = await subscribeAll(session, ['conflict/2/a.txt', 'status']);
    expect(() => git(top, ['merge', 'theirs'])).toThrow();
    expect([await next('conflict/2/a.txt'), await next('status')]).toEqual([1, 1]);
    git(top, ['merge', '--abort']);
    expect(await next('conflict/2/a.txt')).toBe(2);
  });
});
