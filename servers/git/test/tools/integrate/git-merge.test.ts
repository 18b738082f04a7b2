import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { failure, forkedRepository, grow, oidOf, statusOf } from '../../fixtures/branches.ts';
import { connectGit, git, writeIn } from '../../fixtures/temporary.ts';

describe('git_merge', () => {
  it('merges a branch, fast-forwards, or is already up to date', async () => {
    const top = await forkedRepository();
    const main = oidOf(top, 'main');
    await using session = await connectGit({ directories: [top] });
    const merged = await session.call('git_merge', { revision: 'other' });
    const tip = oidOf(top, 'main');
    expect(merged.structuredContent).toEqual({
      outcome: 'merged',
      branch: 'main',
      before: main,
      after: tip,
      recover_with: `git_reset {"mode":"keep","target":"${main}"}`,
    });
    expect(git(top, ['log', '--format=%s', '-1']).trim()).toBe("Merge branch 'other' into main");
    expect(await session.text('git_merge', { revision: 'other' })).toMatch(/^Already up to date; main is at [0-9a-f]{12}$/);
    git(top, ['reset', '--quiet', '--hard', main]);
    expect((await session.call('git_merge', { revision: 'ahead' })).structuredContent).toMatchObject({
      outcome: 'fast_forward',
      after: oidOf(top, 'ahead'),
    });
  });

  it('creates a merge commit with ff: never, and none with ff: only', async () => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_merge', { revision: 'other', ff: 'only' })).toMatch(/^NON_FAST_FORWARD: /);
    await session.call('git_merge', { revision: 'ahead', ff: 'never', message: 'Both' });
    expect(git(top, ['log', '--format=%s %P', '-1']).trim()).toMatch(/^Both [0-9a-f]{40} [0-9a-f]{40}$/);
    expect(await session.text('git_merge', { revision: 'ahead', ff: 'only' })).toMatch(/^Already up to date/);
  });

  it('stages the result as a merge or as a squash', async () => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    const main = oidOf(top, 'main');
    expect((await session.call('git_merge', { revision: 'other', no_commit: true })).structuredContent).toMatchObject({
      outcome: 'staged',
      after: main,
    });
    expect(await session.text('git_status')).toContain('In progress: merge');
    expect(await session.fails('git_merge', { revision: 'ahead' })).toMatch(/^CONFLICT: a merge is in progress\n/);
    expect((await session.call('git_continue', { message: '#1 by hand' })).structuredContent).toMatchObject({
      outcome: 'finished',
    });
    expect(git(top, ['log', '--format=%s %P', '-1']).trim()).toMatch(/^#1 by hand [0-9a-f]{40} [0-9a-f]{40}$/);
    git(top, ['reset', '--quiet', '--hard', main]);
    await session.call('git_merge', { revision: 'other', squash: true });
    expect(statusOf(top)).toBe('A  b.txt\n');
    expect(await session.fails('git_merge', { revision: 'other', squash: true, message: 'x' })).toMatch(/^INVALID_ARGUMENTS/);
  });

  it('reports conflicts as an error with files, operation and next steps', async () => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_merge', { revision: 'topic' })).toBe(
      `CONFLICT: merge, at commit ${git(top, ['rev-parse', 'MERGE_HEAD']).slice(0, 12)}: conflicts in a.txt\n` +
        'git_conflicts shows the conflicts; edit the files, then stage them with git_add; git_continue continues the operation; git_abort restores the state before the operation.',
    );
    expect(await failure(session, 'git_merge', { revision: 'topic' })).toMatchObject({
      code: 'CONFLICT',
      text: expect.stringMatching(/merge.*a\.txt\n.*git_abort/),
    });
    expect(await session.fails('git_continue')).toMatch(/^CONFLICT: merge, at commit [0-9a-f]{12}: conflicts in a\.txt\n/);
    await writeIn(top, 'a.txt', 'both\n');
    await session.call('git_add', { files: ['a.txt'] });
    expect((await session.call('git_continue')).structuredContent).toMatchObject({ outcome: 'finished', branch: 'main' });
    expect(git(top, ['log', '--format=%B', '-1']).trim()).toBe("Merge branch 'topic' into main");
    expect(statusOf(top)).toBe('');
  });

  it.each(['ours', 'theirs'])('lets a side win: %s', async (favour) => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    await session.call('git_merge', { revision: 'topic', favour });
    expect(await readFile(path.join(top, 'a.txt'), 'utf8')).toBe(favour === 'ours' ? 'main\n' : 'topic\n');
  });

  it('uses a message literally, even after a conflict', async () => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    const main = oidOf(top, 'main');
    for (const message of ['--abort', '-F/etc/passwd', '#1 is done', "$(touch x)'`touch x`", 'Two\n\n# lines']) {
      await session.call('git_merge', { revision: 'other', message });
      expect(git(top, ['log', '--format=%B', '-1']).trim()).toBe(message);
      git(top, ['reset', '--quiet', '--hard', main]);
      await session.fails('git_merge', { revision: 'topic', message });
      await writeIn(top, 'a.txt', 'both\n');
      await session.call('git_add', { files: ['a.txt'] });
      await session.call('git_continue');
      expect(git(top, ['log', '--format=%B', '-1']).trim()).toBe(message);
      git(top, ['reset', '--quiet', '--hard', main]);
    }
    for (const message of ['', ' \n', 'a\0b'])
      expect(await session.fails('git_merge', { revision: 'other', message })).toMatch(/^INVALID_ARGUMENTS/);
  });

  it('keeps local changes, or names the files that would be overwritten', async () => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    await writeIn(top, 'b.txt', 'mine\n');
    expect(await failure(session, 'git_merge', { revision: 'other' })).toMatchObject({
      code: 'CONFLICT',
      text: expect.stringMatching(/b\.txt/),
    });
    git(top, ['clean', '--quiet', '--force']);
    await writeIn(top, 'a.txt', 'mine\n');
    expect(await failure(session, 'git_merge', { revision: 'topic' })).toMatchObject({
      code: 'CONFLICT',
      text: expect.stringMatching(/a\.txt/),
    });
    await session.call('git_merge', { revision: 'other' });
    expect(statusOf(top)).toBe(' M a.txt\n');
    git(top, ['add', 'a.txt']);
    expect(await failure(session, 'git_merge', { revision: 'topic' })).toMatchObject({
      code: 'CONFLICT',
      text: expect.stringMatching(/a\.txt/),
    });
  });

  it('merges into a detached HEAD, but not into a branch without commits', async () => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    git(top, ['switch', '--quiet', '--detach', 'main']);
    const { structuredContent } = await session.call('git_merge', { revision: oidOf(top, 'other') });
    expect(structuredContent).toMatchObject({ outcome: 'merged', after: oidOf(top, 'HEAD') });
    expect(structuredContent).not.toHaveProperty('branch');
    expect(git(top, ['log', '--format=%s', '-1']).trim()).toBe(`Merge commit '${oidOf(top, 'other').slice(0, 12)}'`);
    git(top, ['switch', '--quiet', '--orphan', 'unborn']);
    expect(await session.fails('git_merge', { revision: 'other' })).toMatch(/^EMPTY_REPO/);
    expect(git(top, ['symbolic-ref', 'HEAD']).trim()).toBe('refs/heads/unborn');
  });

  it('fails in a bare repository', async () => {
    const top = await forkedRepository();
    git(path.dirname(top), ['clone', '--quiet', '--bare', top, 'bare.git']);
    await using session = await connectGit({ directories: [path.dirname(top)] });
    // The server rejects every use of a bare repository, or only the merge, which needs a work tree.
    expect(await session.fails('git_merge', { repo_path: 'bare.git', revision: 'other' })).toMatch(
      /^(?:NO_WORK_TREE|REPO_UNTRUSTED|NOT_A_REPO)/,
    );
  });

  it('runs concurrent merges one after the other', async () => {
    const top = await forkedRepository();
    grow(top, ['third', 'main', { Third: { 'e.txt': 'e\n' } }]);
    await using session = await connectGit({ directories: [top] });
    await Promise.all(['other', 'third'].map((revision) => session.call('git_merge', { revision, ff: 'never' })));
    expect(git(top, ['log', '--merges', '--format=%s']).trim().split('\n').sort()).toEqual([
      "Merge branch 'other' into main",
      "Merge branch 'third' into main",
    ]);
    expect(statusOf(top)).toBe('');
  });

  it('runs hooks only if the operator allows them, and can be continued after a hook failed', async () => {
    const top = await forkedRepository();
    const hook = path.join(top, '.git/hooks/pre-merge-commit');
    await mkdir(path.dirname(hook), { recursive: true });
    await writeFile(hook, `#!/bin/sh\ntouch "${top}/.git/ran"\nexit 1\n`);
    await chmod(hook, 0o755);
    const before = oidOf(top, 'main');
    await using allowing = await connectGit({ directories: [top], allowHooks: true });
    expect(await allowing.fails('git_merge', { revision: 'other' })).toMatch(/^HOOK_FAILED: [^]*\ntry again with git_continue/);
    expect(existsSync(path.join(top, '.git/ran'))).toBe(true);
    expect(await allowing.text('git_abort')).toBe(`Aborted; main is at ${before.slice(0, 12)}`);
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_merge', { revision: 'other' })).toContain('Merged');
  });
});
