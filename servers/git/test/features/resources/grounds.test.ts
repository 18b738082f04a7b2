import { rename, rm } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, temporaryDirectory, writeIn } from '../../fixtures/temporary.ts';
import { watchedRepository, WatchedStatus } from './watched.ts';

async function statusText(session: Session, { uri }: WatchedStatus): Promise<string> {
  return JSON.stringify(await session.client.readResource({ uri }, { cacheMode: 'bypass' }));
}

describe('a subscribed status', () => {
  it('is notified of changes in a directory as soon as the directory is no longer ignored', async () => {
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

  it('of a linked work tree is notified once per change there, and not about other work trees', async () => {
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

  it('is notified about another commit of a submodule', async () => {
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

  it('is notified when the repository disappears and reappears', async () => {
    const root = await temporaryDirectory();
    const top = await watchedRepository(path.join(root, 'project'));
    await using session = await connectGit({ directories: [root] });
    await using status = await WatchedStatus.of(session, top);
    await rm(top, { recursive: true });
    await status.next();
    await watchedRepository(top);
    await status.next();
    // The creation of the repository may cause several notifications, so the test waits until the status shows the edit.
    await writeIn(top, 'a.txt', 'changed');
    while (!(await statusText(session, status)).includes('a.txt')) await status.next();
  });

  it('is notified when the git directory is replaced', async () => {
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
