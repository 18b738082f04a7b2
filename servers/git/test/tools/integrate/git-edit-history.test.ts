import { existsSync } from 'node:fs';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { oidOf, statusOf } from '../../fixtures/branches.ts';
import { recover, tokenOf } from '../../fixtures/confirming.ts';
import { commitAt, connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

/** Creates a repository on the branch `topic` with the commits One to Five, each of which adds a file. */
async function project(): Promise<string> {
  const top = await repositoryOf([['One', { one: '1\n' }]]);
  git(top, ['switch', '--quiet', '--create', 'topic']);
  for (const [index, name] of ['Two', 'Three', 'Four', 'Five'].entries()) await commitFile(top, name, index + 1);
  return top;
}

async function commitFile(top: string, message: string, minute: number, content = '1\n'): Promise<void> {
  await writeIn(top, message.split(/[! \n]+/).at(-1) ?? '', content);
  git(top, ['add', '--all']);
  commitAt(top, message, minute);
}

function subjects(top: string): readonly string[] {
  return git(top, ['log', '--reverse', '--format=%s', 'main..HEAD']).trim().split('\n');
}

function planOf(top: string, ...steps: readonly (readonly [action: string, commit: string, message?: string])[]): object {
  const plan = steps.map(([action, commit, message]) => ({ action, commit: oidOf(top, commit), ...(message && { message }) }));
  return { base: 'main', plan };
}

describe.each(ERAS)('git_edit_history, on a %s connection,', (era) => {
  it('rewords, reorders, squashes and fixes up commits, and keeps their authors', async () => {
    const top = await project();
    git(top, ['commit', '--quiet', '--amend', '--no-edit', '--author=Bob <bob@example.com>']);
    const before = oidOf(top, 'HEAD');
    const steps = planOf(
      top,
      ['pick', 'HEAD~2'],
      ['squash', 'HEAD~3'],
      ['reword', 'HEAD', '#1 Neu: ü\n\nBody'],
      ['fixup', 'HEAD~1'],
    );
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.text('git_edit_history', { ...steps, dry_run: true })).toMatch(
      /^Dry run: nothing was done\. The result, oldest first:\nThree \(\w{12} \+ \w{12}\)\n#1 Neu: ü \(\w{12} \+ \w{12}\)\n/,
    );
    expect(oidOf(top, 'HEAD')).toBe(before);
    const result = await session.call('git_edit_history', steps as Record<string, unknown>);
    expect(result.structuredContent).toMatchObject({ outcome: 'rebased', branch: 'topic', before });
    expect(subjects(top)).toEqual(['Three', '#1 Neu: ü']);
    expect(git(top, ['log', '-1', '--format=%B%an %ad', '--date=iso', 'HEAD'])).toMatch(
      /^#1 Neu: ü\n\nBody\nBob 2026-01-01 00:04:00/,
    );
    expect(git(top, ['log', '-1', '--format=%B', 'HEAD~1'])).toBe('Three\n\nTwo\n\n');
    expect(git(top, ['diff', before])).toBe('');
    expect(git(top, ['for-each-ref', '--format=%(objectname)', 'refs/mcp-backup'])).toBe(`${before}\n`);
    await recover(session, result);
    expect(oidOf(top, 'HEAD')).toBe(before);
    expect(statusOf(top)).toBe('');
  });

  it('drops commits only after a confirmation', async () => {
    const top = await project();
    const steps = planOf(top, ['pick', 'HEAD~3'], ['drop', 'HEAD~2'], ['pick', 'HEAD~1'], ['pick', 'HEAD']);
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.fails('git_edit_history', { ...steps })).toMatch(/^CONFIRMATION_REQUIRED: .*1 commit would be dropped/);
    const dry = await session.call('git_edit_history', { ...steps, dry_run: true });
    await session.call('git_edit_history', { ...steps, confirm_token: tokenOf(dry) });
    expect(subjects(top)).toEqual(['Two', 'Four', 'Five']);
    expect(existsSync(path.join(top, 'Three'))).toBe(false);
  });

  it('requires a confirmation for pushed commits and for protected branches', async () => {
    const top = await project();
    const steps = planOf(top, ['pick', 'HEAD~2'], ['pick', 'HEAD~3'], ['pick', 'HEAD~1'], ['pick', 'HEAD']);
    git(top, ['update-ref', 'refs/remotes/origin/topic', 'HEAD~2']);
    await using session = await connectGit({ directories: [top], protectedBranches: ['topic'] }, era);
    expect(await session.fails('git_edit_history', { ...steps })).toMatch(
      /^CONFIRMATION_REQUIRED: .*the branch is protected and 2 commits were pushed/,
    );
  });

  it('combines fixup!, squash! and amend! commits as git does', async () => {
    const top = await project();
    const oid = oidOf(top, 'HEAD~1').slice(0, 10);
    await commitFile(top, 'fixup! Two', 10, '2\n');
    await commitFile(top, 'squash! Three\n\nMore about three', 11, '3\n');
    await commitFile(top, `fixup! ${oid}`, 12, '4\n');
    await commitFile(top, 'fixup! fixup! Two', 13, '5\n');
    const before = oidOf(top, 'HEAD');
    git(top, ['branch', 'plain']);
    await using session = await connectGit({ directories: [top] }, era);
    await session.call('git_edit_history', { base: 'main', autosquash: true });
    expect(subjects(top)).toEqual(['Two', 'Three', 'Four', 'Five']);
    expect(git(top, ['log', '-1', '--format=%B', 'HEAD~2'])).toBe('Three\n\nMore about three\n\n');
    expect(git(top, ['diff', before])).toBe('');
    const after = git(top, ['log', '--format=%s %T', 'main..HEAD']);
    git(top, ['switch', '--quiet', 'plain']);
    git(top, ['rebase', '--quiet', '--interactive', '--autosquash', 'main'], {
      env: { GIT_EDITOR: 'true', GIT_SEQUENCE_EDITOR: 'true' },
    });
    expect(git(top, ['log', '--format=%s %T', 'main..HEAD'])).toBe(after);
  });

  it('stops at conflicts, and git_continue, git_skip and git_abort end it', async () => {
    const top = await project();
    await commitFile(top, 'Change Five', 10, 'changed\n');
    const before = oidOf(top, 'HEAD');
    const steps = planOf(
      top,
      ['pick', 'HEAD~4'],
      ['pick', 'HEAD'],
      ['pick', 'HEAD~3'],
      ['pick', 'HEAD~2'],
      ['reword', 'HEAD~1', 'Fünf'],
    );
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.fails('git_edit_history', { ...steps })).toMatch(/^CONFLICT: rebase of topic .*conflicts in Five/);
    await session.call('git_abort');
    expect(oidOf(top, 'HEAD')).toBe(before);
    expect(await session.fails('git_edit_history', { ...steps })).toMatch(/^CONFLICT/);
    await writeIn(top, 'Five', 'changed\n');
    await session.call('git_add', { files: ['Five'] });
    expect(await session.fails('git_continue')).toMatch(/^CONFLICT: .*conflicts in Five/);
    await session.call('git_skip');
    expect(subjects(top)).toEqual(['Two', 'Change Five', 'Three', 'Four']);
    expect(existsSync(path.join(top, '.git/rebase-merge'))).toBe(false);
  });

  it('changes nothing if the plan changes nothing', async () => {
    const top = await project();
    const before = oidOf(top, 'HEAD');
    const steps = planOf(top, ['pick', 'HEAD~3'], ['pick', 'HEAD~2'], ['pick', 'HEAD~1'], ['pick', 'HEAD']);
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.text('git_edit_history', { ...steps })).toMatch(/^Already up to date/);
    expect(await session.text('git_edit_history', { base: 'main', autosquash: true })).toMatch(/^Already up to date/);
    expect(oidOf(top, 'HEAD')).toBe(before);
    expect(git(top, ['for-each-ref', 'refs/mcp-backup'])).toBe('');
  });
});

describe('git_edit_history rejects', () => {
  const all = [
    ['pick', 'HEAD~3'],
    ['pick', 'HEAD~2'],
    ['pick', 'HEAD~1'],
  ] as const;

  it.each([
    ['a plan without a commit', all, /does not name all commits after base: \w{12}\n.*drop/],
    ['a commit twice', [...all, ['pick', 'HEAD~1']], /names it twice/],
    ['a commit before base', [...all, ['pick', 'main']], /is not a commit after base/],
    ['a reword without a message', [...all, ['reword', 'HEAD']], /reword needs a message/],
    ['a message that would be lost', [...all, ['fixup', 'HEAD', 'x']], /fixup keeps a message/],
    [
      'a first commit that is squashed',
      [['squash', 'HEAD~3'], ...all.slice(1), ['pick', 'HEAD']],
      /first commit cannot be combined/,
    ],
    ['a message with a NUL', [...all, ['reword', 'HEAD', 'a\0b']], /NUL/],
  ] as const)('%s', async (_, steps, message) => {
    const top = await project();
    const before = oidOf(top, 'HEAD');
    await using session = await connectGit({ directories: [top] });
    const answer = await session.fails('git_edit_history', { ...planOf(top, ...steps) });
    expect(answer).toMatch(/^INVALID_ARGUMENTS/);
    expect(answer).toMatch(message);
    expect(oidOf(top, 'HEAD')).toBe(before);
  });

  it('local changes, merges, other bases, too many commits, and a plan beside autosquash', async () => {
    const top = await project();
    const whole = { base: 'main', autosquash: true };
    await using session = await connectGit({ directories: [top], maxCommits: 3 });
    expect(await session.fails('git_edit_history', whole)).toMatch(/^INVALID_ARGUMENTS: .*more than 3 commits/);
    expect(await session.fails('git_edit_history', { base: 'main' })).toMatch(/^INVALID_ARGUMENTS: set either/);
    expect(await session.fails('git_edit_history', { ...whole, plan: [] })).toMatch(/^INVALID_ARGUMENTS: set either/);
    await writeIn(top, 'Two', 'changed\n');
    expect(await session.fails('git_edit_history', whole)).toMatch(/^CONFLICT: .*local changes: Two/);
    git(top, ['reset', '--quiet', '--hard', 'main']);
    git(top, ['branch', 'side', 'topic@{1}']);
    expect(await session.fails('git_edit_history', { ...whole, base: 'side' })).toMatch(
      /^INVALID_ARGUMENTS: base is not an ancestor/,
    );
    git(top, ['merge', '--quiet', '--no-ff', '--no-edit', 'side']);
    expect(await session.fails('git_edit_history', whole)).toMatch(/^INVALID_ARGUMENTS: .*merges/);
  });

  it('no text of a message as a step or a command', async () => {
    const top = await project();
    const marker = path.join(top, '.git/executed');
    const message = `x\nexec touch ${marker}\n$(touch ${marker})\`touch ${marker}\``;
    await using session = await connectGit({ directories: [top] });
    await session.call('git_edit_history', { ...planOf(top, ...all, ['reword', 'HEAD', message]) });
    expect(git(top, ['log', '-1', '--format=%B']).trim()).toBe(message);
    expect(existsSync(marker)).toBe(false);
  });
});
