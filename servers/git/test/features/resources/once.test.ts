import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, writeIn } from '../../fixtures/temporary.ts';
import { watchedRepository, WatchedStatus } from './watched.ts';

type Change = readonly [name: string, change: (top: string) => unknown];

/** Changes that a status shows, made one after the other. */
const CHANGES: readonly Change[] = [
  ['an edit', (top) => writeIn(top, 'a.txt', 'changed')],
  ['staging', (top) => git(top, ['add', 'a.txt'])],
  ['a commit', (top) => commitAt(top, 'Another', 5)],
  ['a commit of an edit', (top) => writeIn(top, 'a.txt', 'again').then(() => git(top, ['commit', '-qm', 'Edit', 'a.txt']))],
  ['a new branch', (top) => git(top, ['switch', '--quiet', '--create', 'other'])],
  ['an untracked file', (top) => writeIn(top, 'new.txt', 'x')],
  ['a file in a new directory', (top) => writeIn(top, 'new/deep/c.txt', 'x')],
  ['a rename', (top) => git(top, ['mv', 'a.txt', 'renamed.txt'])],
  ['a deleted file', (top) => rm(path.join(top, 'deep/er/b.txt'))],
  ['an edited .gitignore', (top) => writeIn(top, '.gitignore', '*.log\n')],
];

/** Changes that a status does not show. */
const SILENT: readonly Change[] = [
  ['a status of another process', (top) => git(top, ['status'])],
  ['gc', (top) => git(top, ['gc', '--quiet', '--prune=now'])],
  ['pack-refs', (top) => git(top, ['pack-refs', '--all'])],
  ['a touch', (top) => writeFile(path.join(top, 'a.txt'), 'x')],
  ['an ignored file', (top) => writeIn(top, 'some.log', 'x')],
  ['files in an ignored directory', (top) => writeIn(top, 'ignored/one', 'x')],
  ['files in an ignored directory below one that came later', (top) => writeIn(top, 'deep/later/ignored/one.txt', 'x')],
  ['an empty directory', (top) => mkdir(path.join(top, 'deep/empty'))],
  ['a tag', (top) => git(top, ['tag', 'v1'])],
  ['a lock', (top) => writeFile(path.join(top, '.git/index.lock'), '').then(() => rm(path.join(top, '.git/index.lock')))],
  ['a fetch of nothing', (top) => git(top, ['fetch', '--quiet', '.'])],
];

describe('a subscribed status', () => {
  it('is reported once per change', async () => {
    const top = await watchedRepository();
    await using session = await connectGit({ directories: [top] });
    await using status = await WatchedStatus.of(session, top);
    for (const [position, [name, change]] of CHANGES.entries()) {
      await change(top);
      await status.next();
      await status.rest();
      expect(status.count, name).toBe(position + 1);
    }
  });

  it('is not reported without a change', async () => {
    const top = await watchedRepository();
    await using session = await connectGit({ directories: [top] });
    await using status = await WatchedStatus.of(session, top);
    for (const [name, change] of SILENT) {
      await change(top);
      await status.rest(1);
      expect(status.count, name).toBe(0);
    }
    await session.client.readResource({ uri: status.uri });
    await session.call('git_status');
    await session.call('git_diff_unstaged');
    await status.rest();
    expect(status.count).toBe(0);
  });
});
