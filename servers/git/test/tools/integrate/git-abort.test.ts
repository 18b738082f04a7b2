import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { failure, forkedRepository, oidOf, statusOf } from '../../fixtures/branches.ts';
import { recover, tokenOf } from '../../fixtures/confirming.ts';
import { connectGit, git, writeIn } from '../../fixtures/temporary.ts';

describe('git_abort', () => {
  it('fails if no operation is in progress', async () => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    for (const tool of ['git_continue', 'git_abort', 'git_skip']) expect(await session.fails(tool)).toMatch(/^NO_OPERATION: /);
    git(top, ['bisect', 'start']);
    for (const tool of ['git_continue', 'git_abort', 'git_skip'])
      expect(await session.fails(tool)).toMatch(/git_bisect with action: reset/);
  });

  it('needs no confirmation if nothing was resolved, and keeps earlier changes', async () => {
    const top = await forkedRepository();
    git(top, ['merge', '--quiet', 'ahead']);
    await writeIn(top, 'd.txt', 'mine\n');
    await using session = await connectGit({ directories: [top] });
    await session.fails('git_merge', { revision: 'topic' });
    expect(await session.text('git_abort')).toMatch(/^Aborted/);
    expect(statusOf(top)).toBe(' M d.txt\n');
  });

  it.each([
    ['edited', false],
    ['staged', true],
  ])('requires confirmation before it discards resolved files: %s', async (_, isStaged) => {
    const top = await forkedRepository();
    const before = oidOf(top, 'main');
    await using silent = await connectGit({ directories: [top] });
    await silent.fails('git_merge', { revision: 'topic' });
    await writeIn(top, 'a.txt', 'both\n');
    if (isStaged) await silent.call('git_add', { files: ['a.txt'] });
    expect(await silent.fails('git_abort')).toMatch(/^CONFIRMATION_REQUIRED: /);
    const { structuredContent } = await silent.call('git_abort', { dry_run: true });
    expect(structuredContent).toMatchObject({ lost: ['a.txt'], confirm_token: expect.any(String) });
    const { confirm_token } = Object(structuredContent);
    expect(await readFile(path.join(top, 'a.txt'), 'utf8')).toBe('both\n');
    await writeIn(top, 'a.txt', 'better\n');
    expect(await silent.fails('git_abort', { confirm_token })).toMatch(/^PRECONDITION_FAILED: /);
    await using asking = await connectGit({ directories: [top] }, 'modern', { answers: { elicitation: { confirm: true } } });
    const aborted = await asking.call('git_abort');
    expect(aborted.structuredContent).toMatchObject({ outcome: 'aborted' });
    expect(asking.elicited.all).toHaveLength(1);
    expect(statusOf(top)).toBe('');
    expect(oidOf(top, 'main')).toBe(before);
    await recover(asking, aborted);
    expect(await readFile(path.join(top, 'a.txt'), 'utf8')).toBe('better\n');
  });

  it.each(['git_abort', 'git_skip'])('keeps resolved files of a rebase in a backup: %s', async (tool) => {
    const top = await forkedRepository();
    git(top, ['switch', '--quiet', 'topic']);
    await using session = await connectGit({ directories: [top] });
    await session.fails('git_rebase', { upstream: 'main' });
    await writeIn(top, 'a.txt', 'both\n');
    await session.call('git_add', { files: ['a.txt'] });
    const confirm_token = tokenOf(await session.call(tool, { dry_run: true }));
    const ended = await session.call(tool, { confirm_token });
    expect(statusOf(top)).toBe('');
    await recover(session, ended);
    expect(statusOf(top)).toBe(' M a.txt\n');
    expect(await readFile(path.join(top, 'a.txt'), 'utf8')).toBe('both\n');
  });

  it('keeps a backup ref of the commits that a rebase created', async () => {
    const top = await forkedRepository();
    git(top, ['switch', '--quiet', '--create', 'both', 'other']);
    git(top, ['cherry-pick', 'topic~1']);
    await using session = await connectGit({ directories: [top] });
    expect(await failure(session, 'git_rebase', { upstream: 'main' })).toMatchObject({ code: 'CONFLICT' });
    const made = oidOf(top, 'HEAD');
    expect((await session.call('git_abort')).structuredContent).toMatchObject({
      recover_with: `git_reset {"mode":"keep","target":"${made}"}`,
    });
    expect(git(top, ['for-each-ref', '--format=%(objectname)', 'refs/mcp-backup']).trim()).toBe(made);
  });

  it('discards the conflicts of a squash', async () => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_merge', { revision: 'topic', squash: true })).toContain('git_commit commits the result');
    expect(await session.fails('git_continue')).toMatch(/^NO_OPERATION: [^]*git_commit/);
    await session.call('git_abort');
    expect(statusOf(top)).toBe('');
  });
});
