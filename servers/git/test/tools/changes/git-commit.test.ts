import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { CONFIRMS } from '../../fixtures/confirming.ts';
import { GONE_MS, processesIn, until } from '../../fixtures/processes.ts';
import { connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

async function stagedProject(): Promise<string> {
  const top = await repositoryOf([['Begin', { 'a.txt': 'one\n', 'b.txt': 'b\n' }]]);
  await writeIn(top, 'a.txt', 'two\n');
  git(top, ['add', '.']);
  return top;
}

function oidOf(top: string, revision: string): string {
  return git(top, ['rev-parse', revision]).trim();
}

async function hook(top: string, name: string, script: string): Promise<void> {
  await mkdir(path.join(top, '.git/hooks'), { recursive: true });
  await writeFile(path.join(top, '.git/hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

describe('git_commit', () => {
  it('accepts an author and trailers', async () => {
    const top = await stagedProject();
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_commit', {
      message: 'Change\n\nBody.\n\nCloses: #1',
      author: 'Ada L <ada@example.org>',
      trailers: ['Reviewed-by: Ann <ann@example.com>'],
    });
    expect(structuredContent).toEqual({
      oid: oidOf(top, 'HEAD'),
      branch: 'main',
      subject: 'Change',
      files: 1,
      hooks: false,
      signed: false,
    });
    expect(git(top, ['log', '-1', '--format=%an <%ae>, %cn%n%B']).trim()).toBe(
      'Ada L <ada@example.org>, Ann\nChange\n\nBody.\n\nCloses: #1\nReviewed-by: Ann <ann@example.com>',
    );
    await session.call('git_commit', { message: 'Note: it', allow_empty: true, trailers: ['A: b'] });
    expect(git(top, ['log', '-1', '--format=%B']).trim()).toBe('Note: it\n\nA: b');
  });

  it('rejects an invalid author or trailer', async () => {
    const top = await stagedProject();
    const before = oidOf(top, 'HEAD');
    await using session = await connectGit({ directories: [top] });
    for (const author of [
      'Ann',
      'ann@example.com',
      '<ann@example.com>',
      'Ann <>',
      'Ann <a b>',
      'Ann <a@b>\nEve <e@e>',
      'Ann\n <a@b>',
      'Ann <a@b> x',
      '--amend',
      'Ann\0 <a@b>',
      '',
    ])
      expect(await session.fails('git_commit', { message: 'x', author }), author).toMatch(/^INVALID_ARGUMENTS/);
    for (const trailer of ['no trailer', 'Key: a\nKey: b', '-F: /etc/passwd', ': x', 'Key:', '# x'])
      expect(await session.fails('git_commit', { message: 'x', trailers: [trailer] }), trailer).toMatch(/^INVALID_ARGUMENTS/);
    expect(oidOf(top, 'HEAD')).toBe(before);
  });

  it('commits only the given files, as they are in the work tree, and leaves other files staged', async () => {
    const top = await stagedProject();
    await writeIn(top, 'b.txt', 'changed\n');
    await writeIn(top, 'new.txt', 'x');
    await using session = await connectGit({ directories: [top] });
    await session.call('git_commit', { message: 'Only b', paths: ['b.txt'] });
    expect(git(top, ['show', '--format=', '--name-only'])).toBe('b.txt\n');
    expect(git(top, ['status', '--porcelain'])).toBe('M  a.txt\n?? new.txt\n');
    expect(await session.fails('git_commit', { message: 'x', paths: ['b.txt'] })).toMatch(/^NOTHING_TO_COMMIT/);
    expect(await session.fails('git_commit', { message: 'x', paths: ['new.txt'] })).toMatch(/^PATH_NOT_FOUND/);
    expect(await session.fails('git_commit', { message: 'x', paths: ['../x'] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it('amends the last commit, with the old message by default, and keeps the replaced commit', async () => {
    const top = await stagedProject();
    const before = oidOf(top, 'HEAD');
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_commit', { amend: true, trailers: ['Closes: #1'] });
    expect(structuredContent).toMatchObject({ subject: 'Begin', recover_with: `git_reset {"mode":"soft","target":"${before}"}` });
    expect(git(top, ['log', '--format=%B']).trim()).toBe('Begin\n\nCloses: #1');
    expect(git(top, ['show', 'HEAD:a.txt'])).toBe('two\n');
    expect(git(top, ['for-each-ref', '--format=%(objectname)', 'refs/mcp-backup']).trim()).toBe(before);
    expect(await session.fails('git_commit', {})).toMatch(/^INVALID_ARGUMENTS: the message is missing/);
  });

  it.each(ERAS)('requests confirmation before it amends a commit of a remote branch, on a %s connection', async (era) => {
    const top = await stagedProject();
    const before = oidOf(top, 'HEAD');
    git(top, ['update-ref', 'refs/remotes/origin/main', before]);
    const declining = await connectGit({ directories: [top] }, era);
    expect(await declining.fails('git_commit', { amend: true })).toMatch(
      /^CONFIRMATION_REQUIRED[^]*- origin\/main contains the commit and will diverge\nTo undo it: git_reset \{"mode":"soft"/,
    );
    await declining[Symbol.asyncDispose]();
    expect(oidOf(top, 'HEAD')).toBe(before);
    await using session = await connectGit({ directories: [top] }, era, CONFIRMS);
    await session.call('git_commit', { amend: true, message: 'Better' });
    expect(git(top, ['log', '--format=%s'])).toBe('Better\n');
  });

  it('does not replace the last commit in the middle of a merge', async () => {
    const top = await stagedProject();
    git(top, ['commit', '--quiet', '--message=Second']);
    git(top, ['switch', '--quiet', '--create', 'other', 'HEAD~1']);
    git(top, ['commit', '--quiet', '--allow-empty', '--message=Other']);
    git(top, ['merge', '--quiet', '--no-commit', 'main']);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_commit', { amend: true })).toMatch(/^CONFLICT: You are in the middle of a merge/);
    expect(await session.fails('git_commit', { message: 'x', paths: ['b.txt'], allow_empty: true })).toMatch(/^CONFLICT/);
    expect(await session.text('git_commit', { message: 'Merge' })).toContain('Merge');
    expect(git(top, ['log', '-1', '--format=%P']).trim().split(' ')).toHaveLength(2);
  });
});

describe('a hook', () => {
  it('runs only if the operator allows it, and its output is returned to the caller', async () => {
    const top = await stagedProject();
    await hook(top, 'pre-commit', 'echo "line 3 is too long" >&2; printf "\\033[31mred" >&2; exit 1');
    const strict = await connectGit({ directories: [top] });
    const { structuredContent, content } = await strict.call('git_commit', { message: 'Without' });
    expect(structuredContent).toMatchObject({ hooks: false, skipped_hooks: ['pre-commit'] });
    expect(content).toMatchObject([
      { text: expect.stringMatching(/\nNot run, because the operator allows no hooks: pre-commit$/) },
    ]);
    await strict[Symbol.asyncDispose]();
    await using session = await connectGit({ directories: [top], allowHooks: true });
    expect(await session.fails('git_commit', { message: 'x', allow_empty: true })).toBe(
      'HOOK_FAILED: a hook failed: line 3 is too long\n\\u{1b}[31mred',
    );
    expect(git(top, ['log', '--format=%s'])).toBe('Without\nBegin\n');
  });

  it('is also reported as not run if core.hooksPath names its directory', async () => {
    const top = await stagedProject();
    await mkdir(path.join(top, '.husky'));
    await writeFile(path.join(top, '.husky/commit-msg'), '#!/bin/sh\n', { mode: 0o755 });
    await writeFile(path.join(top, '.husky/pre-commit'), 'not executable');
    git(top, ['config', 'core.hooksPath', '.husky']);
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_commit', { message: 'Without' });
    expect(structuredContent).toMatchObject({ skipped_hooks: ['commit-msg'] });
  });

  it.each([
    ['moves', 'refs/heads/main $(git commit-tree -p HEAD -m Other HEAD^{tree})', 'Other\nBegin\n'],
    ['deletes', '-d refs/heads/main', ''],
  ])('that %s the branch, as another process may, leaves the branch unchanged', async (_, update, subjects) => {
    const top = await stagedProject();
    await hook(top, 'pre-commit', `git update-ref ${update}`);
    await using session = await connectGit({ directories: [top], allowHooks: true });
    expect(await session.fails('git_commit', { message: 'x' })).toMatch(
      /^CONFLICT: another git process moved the branch during the call/,
    );
    expect(git(top, ['for-each-ref', '--format=%(refname)']) === '' ? '' : git(top, ['log', '--format=%s'])).toBe(subjects);
    expect(git(top, ['diff', '--name-only'])).toBe('');
  });

  it.each(['commit-msg', 'prepare-commit-msg', 'reference-transaction'])(
    'leaves no commit and no lock if it fails: %s',
    async (name) => {
      const top = await stagedProject();
      await hook(top, name, 'exit 1');
      await using session = await connectGit({ directories: [top], allowHooks: true });
      expect(await session.fails('git_commit', { message: 'x' })).toMatch(/^HOOK_FAILED/);
      expect(git(top, ['log', '--format=%s'])).toBe('Begin\n');
      expect(existsSync(path.join(top, '.git/index.lock'))).toBe(false);
    },
  );

  it('may change the message', async () => {
    const top = await stagedProject();
    await hook(top, 'commit-msg', 'echo "Changed by a hook" > "$1"');
    await using session = await connectGit({ directories: [top], allowHooks: true });
    expect((await session.call('git_commit', { message: 'x' })).structuredContent).toMatchObject({
      subject: 'Changed by a hook',
      hooks: true,
    });
  });

  it.runIf(platform() === 'linux').each(ERAS)(
    'ends with its call if it is slow: no commit, no lock, no process, on a %s connection',
    async (era) => {
      const top = await stagedProject();
      await hook(top, 'pre-commit', `trap '' TERM INT HUP; sleep 600 & sleep 600; wait`);
      await using session = await connectGit({ directories: [top], allowHooks: true }, era);
      const controller = new AbortController();
      const ended = session.call('git_commit', { message: 'x', paths: ['a.txt'] }, { signal: controller.signal }).catch(String);
      const sleeping = async (): Promise<boolean> =>
        (await processesIn(top)).filter((each) => each.startsWith('sleep')).length === 2;
      await until(sleeping, 10_000, 'the hook starts');
      controller.abort('enough');
      expect(await ended).toContain('enough');
      await until(async () => (await processesIn(top)).length === 0, GONE_MS, 'all of them end');
      expect(git(top, ['log', '--format=%s'])).toBe('Begin\n');
      expect(git(top, ['status', '--porcelain'])).toBe('M  a.txt\n');
      await hook(top, 'pre-commit', 'exit 0');
      expect(await session.text('git_commit', { message: 'Now' })).toContain('Now');
    },
  );
});
