import { existsSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { oidOf } from '../../fixtures/branches.ts';
import { connectGit, git, repositoryOf } from '../../fixtures/temporary.ts';

async function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n' }],
    ['More', { 'a.txt': 'two\n' }],
  ]);
}

/** Returns the arguments of the call that undoes a change. */
function undoOf(result: { readonly structuredContent?: unknown }): Record<string, unknown> {
  const { recover_with } = result.structuredContent as { readonly recover_with: string };
  return JSON.parse(recover_with.replace(/^git_notes /, '')) as Record<string, unknown>;
}

describe.each(ERAS)('git_notes, on a %s connection,', (era) => {
  it('adds, shows, lists, replaces and removes notes, and undoes each change', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.text('git_notes', { action: 'list' })).toBe('No notes found');
    const added = await session.call('git_notes', { action: 'add', message: '-m\n--ref=x\n' });
    expect(git(top, ['notes', 'show', 'HEAD'])).toBe('-m\n--ref=x\n');
    expect(await session.text('git_notes', { action: 'show' })).toMatch(/^Note [0-9a-f]{12} about [0-9a-f]{12}:\n-m\n--ref=x\n$/);
    const object = oidOf(top, 'HEAD');
    const list = await session.call('git_notes', { action: 'list' });
    expect(list.structuredContent).toEqual({ notes: [{ object, note: expect.any(String) }], total: 1 });
    const replaced = await session.call('git_notes', { action: 'add', message: 'Other', replace: true });
    expect(git(top, ['notes', 'show', 'HEAD'])).toBe('Other\n');
    await session.call('git_notes', undoOf(replaced));
    expect(git(top, ['notes', 'show', 'HEAD'])).toBe('-m\n--ref=x\n');
    const removed = await session.call('git_notes', { action: 'remove' });
    expect(git(top, ['notes', 'list'])).toBe('');
    await session.call('git_notes', undoOf(removed));
    expect(git(top, ['notes', 'show', 'HEAD'])).toBe('-m\n--ref=x\n');
    await session.call('git_notes', undoOf(added));
    expect(git(top, ['notes', 'list'])).toBe('');
    expect(oidOf(top, 'HEAD')).toBe(object);
  });
});

describe('git_notes', () => {
  it.each([
    ['an existing note without replace', { action: 'add', message: 'x' }, /^ALREADY_EXISTS: .*\n?.*replace/],
    ['a commit without a note', { action: 'show', revision: 'HEAD~1' }, /^NOT_FOUND/],
    ['the removal of no note', { action: 'remove', revision: 'HEAD~1' }, /^NOT_FOUND/],
    ['neither message nor note', { action: 'add' }, /^INVALID_ARGUMENTS/],
    ['both message and note', { action: 'add', message: 'x', note: 'y' }, /^INVALID_ARGUMENTS/],
    ['a blank message', { action: 'add', message: ' \n', replace: true }, /^INVALID_ARGUMENTS/],
    ['a commit in place of a note', { action: 'add', note: 'HEAD', replace: true }, /^INVALID_ARGUMENTS/],
    ['a message for remove', { action: 'remove', message: 'x' }, /^INVALID_ARGUMENTS/],
    ['a revision for list', { action: 'list', revision: 'HEAD' }, /^INVALID_ARGUMENTS/],
    ['an unknown revision', { action: 'show', revision: 'nope' }, /^INVALID_REVISION/],
  ])('rejects %s', async (_, args, message) => {
    const top = await project();
    git(top, ['notes', 'add', '--message=Kept']);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_notes', args)).toMatch(message);
    expect(git(top, ['notes', 'show', 'HEAD'])).toBe('Kept\n');
  });

  it('does not move the branch that a symbolic ref in place of the notes names', async () => {
    const top = await project();
    const before = oidOf(top, 'main');
    git(top, ['symbolic-ref', 'refs/notes/commits', 'refs/heads/main']);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_notes', { action: 'add', message: 'x' })).toMatch(/^REPO_UNTRUSTED/);
    expect(oidOf(top, 'main')).toBe(before);
  });

  it('ignores the ref of notes, the editor and the hooks that a repository configures', async () => {
    const top = await project();
    const marker = path.join(top, 'marker');
    await appendFile(path.join(top, '.git/config'), `[core]\n\tnotesRef = refs/notes/other\n\teditor = touch ${marker}\n`);
    await writeFile(path.join(top, '.git/hooks/reference-transaction'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    await using session = await connectGit({ directories: [top] });
    await session.call('git_notes', { action: 'add', message: 'x' });
    expect(existsSync(marker)).toBe(false);
    expect(git(top, ['for-each-ref', '--format=%(refname)', 'refs/notes']).trim()).toBe('refs/notes/commits');
  });
});
