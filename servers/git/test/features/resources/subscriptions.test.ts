import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

async function statusUri(session: Session): Promise<string> {
  const { structuredContent } = await session.call('git_status');
  return `git://${(structuredContent as { readonly repository: string }).repository}/status`;
}

const CHANGES: readonly (readonly [string, (top: string) => unknown])[] = [
  ['an edit', (top) => writeFile(path.join(top, 'a.txt'), 'changed')],
  ['an edit in a directory', (top) => writeFile(path.join(top, 'deep/er/b.txt'), 'changed')],
  ['a new file in a new directory', (top) => writeIn(top, 'new/c.txt', 'x')],
  ['a deleted file', (top) => rm(path.join(top, 'a.txt'))],
  ['another branch', (top) => git(top, ['switch', '--quiet', '--create', 'other'])],
  ['a commit', (top) => commitAt(top, 'Another', 5)],
];

describe.each(ERAS)('a subscription to the status on a %s connection', (era) => {
  it.each(CHANGES)('is notified once about %s', async (_, change) => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x', 'deep/er/b.txt': 'x' }]]);
    await using session = await connectGit({ directories: [top] }, era);
    await using updates = await session.subscribe(await statusUri(session));
    await change(top);
    await updates.next();
    expect(updates.count).toBe(1);
  });

  it('is notified about staging after an edit, and only about changes', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x', '.gitignore': 'ignored/\n', 'ignored.txt': 'x' }]]);
    await writeIn(top, 'ignored/one', 'x');
    await using session = await connectGit({ directories: [top] }, era);
    const uri = await statusUri(session);
    await using updates = await session.subscribe(uri);
    await writeIn(top, 'ignored/two', 'x');
    git(top, ['pack-refs', '--all']);
    await writeIn(top, 'a.txt', 'changed');
    await updates.next();
    // Neither reading the resource nor git_status may cause a notification.
    await session.client.readResource({ uri });
    await session.call('git_status');
    git(top, ['add', 'a.txt']);
    await updates.next();
    expect(updates.count).toBe(2);
  });

  it('is rejected for a resource that cannot be watched', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    await using session = await connectGit({ directories: [top] }, era);
    const uri = await statusUri(session);
    await expect(session.subscribe(uri.replace('project', 'other'))).rejects.toThrow();
    await expect(session.subscribe(uri.replace('/status', '/nothing'))).rejects.toThrow();
    await expect(session.subscribe('git://%/status')).rejects.toThrow();
  });
});
