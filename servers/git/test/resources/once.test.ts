import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, temporaryDirectory, writeIn } from '../temporary.ts';
import { watchedRepository, WatchedStatus } from './watched.ts';

type Change = readonly [name: string, change: (top: string) => unknown];

/** One after the other. */
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

/** Nothing that a status shows. */
const SILENT: readonly Change[] = [
  ['a status by somebody else', (top) => git(top, ['status'])],
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
  it('is told to have changed once for each change', async () => {
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

  it('is not told to have changed by what is no change', async () => {
    const top = await watchedRepository();
    await using session = await connectGit({ directories: [top] });
    await using status = await WatchedStatus.of(session, top);
    for (const [name, change] of SILENT) {
      await change(top);
      await status.rest();
      expect(status.count, name).toBe(0);
    }
    await session.client.readResource({ uri: status.uri });
    await session.call('git_status');
    await session.call('git_diff_unstaged');
    await status.rest();
    expect(status.count).toBe(0);
  });

  it('hears of a directory from the moment on that it is not ignored any more', async () => {
    const top = await watchedRepository();
    await writeIn(top, 'ignored/deep/one', 'x');
    await writeIn(top, '.gitignore', '*.log\nignored/\nother/\n');
    await using session = await connectGit({ directories: [top] });
    await using status = await WatchedStatus.of(session, top);
    await writeIn(top, '.gitignore', '*.log\n');
    await status.next();
    git(top, ['add', 'ignored/deep/one']);
    await status.next();
    await writeIn(top, 'ignored/deep/one', 'edited');
    await status.next();
    await status.rest();
    expect(status.count).toBe(3);
  });

  it('of a linked worktree is told of what happens there, once, and not of what happens elsewhere', async () => {
    const root = await temporaryDirectory();
    const main = await watchedRepository(path.join(root, 'main'));
    const linked = path.join(root, 'linked');
    git(main, ['worktree', 'add', '--quiet', linked]);
    await writeIn(linked, 'rest.txt', 'edited');
    await using session = await connectGit({ directories: [root] });
    const { structuredContent } = await session.call('git_status', { repo_path: linked });
    const { repository } = structuredContent as { readonly repository: string };
    await using status = await WatchedStatus.of(session, linked, repository);
    git(linked, ['switch', '--quiet', '--create', 'other']);
    await status.next();
    await status.rest();
    expect(status.count).toBe(1);
    git(main, ['switch', '--quiet', '--create', 'third']);
    commitAt(main, 'Elsewhere', 9);
    await status.rest();
    expect(status.count).toBe(1);
    await writeIn(linked, 'new.txt', 'x');
    await status.next();
    commitAt(linked, 'Here', 10);
    await status.next();
    await status.rest();
    expect(status.count).toBe(3);
  });

  it('hears that a submodule is at another commit', async () => {
    const root = await temporaryDirectory();
    const inner = await watchedRepository(path.join(root, 'inner'));
    const top = await watchedRepository(path.join(root, 'top'));
    git(top, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub']);
    git(top, ['commit', '--quiet', '--message=Submodule']);
    await using session = await connectGit({ directories: [top] });
    await using status = await WatchedStatus.of(session, top);
    await writeIn(top, 'sub/inside.txt', 'x');
    await status.rest();
    expect(status.count).toBe(0);
    commitAt(path.join(top, 'sub'), 'Move', 11);
    await status.next();
    await status.rest();
    expect(status.count).toBe(1);
  });

  it('hears that the repository went and came back', async () => {
    const root = await temporaryDirectory();
    const top = await watchedRepository(path.join(root, 'project'));
    await using session = await connectGit({ directories: [root] });
    await using status = await WatchedStatus.of(session, top);
    await rm(top, { recursive: true });
    await status.next();
    await watchedRepository(top);
    await status.next();
    // What came in several steps may be told so.
    await writeIn(top, 'a.txt', 'changed');
    const read = async (): Promise<string> =>
      JSON.stringify(await session.client.readResource({ uri: status.uri }, { cacheMode: 'bypass' }));
    while (!(await read()).includes('a.txt')) await status.next();
  });

  it('hears that the git directory was replaced', async () => {
    const root = await temporaryDirectory();
    const top = await watchedRepository(path.join(root, 'project'));
    const other = await watchedRepository(path.join(root, 'other'));
    await using session = await connectGit({ directories: [top] });
    await using status = await WatchedStatus.of(session, top);
    git(root, ['clone', '--quiet', '--branch=main', other, 'third']);
    git(path.join(root, 'third'), ['switch', '--quiet', '--create', 'replaced']);
    await rm(path.join(top, '.git'), { recursive: true });
    await rename(path.join(root, 'third/.git'), path.join(top, '.git'));
    await status.next();
    git(top, ['switch', '--quiet', '--create', 'again']);
    await status.next();
  });
});
