import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { failure, forkedRepository, grow, oidOf, statusOf } from '../../fixtures/branches.ts';
import { connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

function subjects(top: string, range: string): readonly string[] {
  return git(top, ['log', '--format=%s', range]).trim().split('\n');
}

describe('git_rebase', () => {
  it('rebases the commits of a branch onto another, or is already up to date', async () => {
    const top = await forkedRepository();
    git(top, ['switch', '--quiet', 'other']);
    const before = oidOf(top, 'other');
    await using session = await connectGit({ directories: [top] });
    expect((await session.call('git_rebase', { upstream: 'main' })).structuredContent).toEqual({
      outcome: 'rebased',
      branch: 'other',
      before,
      after: oidOf(top, 'other'),
      recover_with: `git_reset {"mode":"keep","target":"${before}"}`,
    });
    expect(subjects(top, 'main..other')).toEqual(['Other']);
    expect(await session.text('git_rebase', { upstream: 'main' })).toMatch(/^Already up to date; other is at/);
    git(top, ['switch', '--quiet', 'ahead']);
    git(top, ['reset', '--quiet', '--hard', 'main']);
    expect(await session.text('git_rebase', { upstream: 'other' })).toMatch(/^Fast-forwarded; ahead moved/);
  });

  it('rebases a range of commits onto another base', async () => {
    const top = await forkedRepository();
    git(top, ['switch', '--quiet', 'topic']);
    await using session = await connectGit({ directories: [top] });
    await session.call('git_rebase', { upstream: 'topic~1', onto: 'main' });
    expect(subjects(top, 'main..topic')).toEqual(['More']);
  });

  it('recreates merges on request, otherwise makes the history linear', async () => {
    const top = await forkedRepository();
    git(top, ['switch', '--quiet', '--create', 'joint', 'main~1']);
    git(top, ['merge', '--quiet', '--no-ff', '--message=Joint', 'other']);
    const before = oidOf(top, 'joint');
    await using session = await connectGit({ directories: [top] });
    await session.call('git_rebase', { upstream: 'main', rebase_merges: true });
    expect(subjects(top, 'main..joint')).toContain('Joint');
    git(top, ['reset', '--quiet', '--hard', before]);
    await session.call('git_rebase', { upstream: 'main' });
    expect(subjects(top, 'main..joint')).toEqual(['Other']);
  });

  it('stops at a conflict, and keeps author and message when it continues', async () => {
    const top = await forkedRepository();
    git(top, ['switch', '--quiet', 'topic']);
    git(top, ['commit', '--quiet', '--amend', '--no-edit', '--author=Bob <bob@example.com>']);
    await using session = await connectGit({ directories: [top] });
    const before = oidOf(top, 'topic');
    expect(await failure(session, 'git_rebase', { upstream: 'main' })).toMatchObject({
      code: 'CONFLICT',
      text: expect.stringMatching(/rebase.*a\.txt/),
    });
    expect(await session.text('git_status')).toMatch(
      /^In progress: rebase of topic onto [0-9a-f]{12}, step 1 of \d, at commit [0-9a-f]{12}$/m,
    );
    await writeIn(top, 'a.txt', 'both\n');
    await session.call('git_add', { files: ['a.txt'] });
    expect((await session.call('git_continue', { message: '# Topic\n\n# again' })).structuredContent).toMatchObject({
      outcome: 'finished',
      branch: 'topic',
      before,
      after: oidOf(top, 'topic'),
    });
    expect(git(top, ['log', '--format=%an %B', '-2', 'topic'])).toBe('Bob More\n\nAnn # Topic\n\n# again\n\n');
    expect(statusOf(top)).toBe('');
  });

  it('continues with the message that git prepared, skips a commit, and aborts', async () => {
    const top = await forkedRepository();
    git(top, ['switch', '--quiet', 'topic']);
    const before = oidOf(top, 'topic');
    await using session = await connectGit({ directories: [top] });
    await session.fails('git_rebase', { upstream: 'main' });
    expect(await session.text('git_abort')).toMatch(/^Aborted; topic moved from/);
    expect(oidOf(top, 'topic')).toBe(before);
    await session.fails('git_rebase', { upstream: 'main' });
    expect(await session.text('git_skip')).toMatch(/^Finished; topic moved/);
    expect(subjects(top, 'main..topic')).toEqual(['More']);
    git(top, ['reset', '--quiet', '--hard', before]);
    await session.fails('git_rebase', { upstream: 'main' });
    await writeIn(top, 'a.txt', 'both\n');
    await session.call('git_add', { files: ['a.txt'] });
    await session.call('git_continue');
    expect(subjects(top, 'main..topic')).toEqual(['More', 'Topic']);
  });

  it('fails if the work tree has local changes, and keeps the changes', async () => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    git(top, ['switch', '--quiet', 'other']);
    await writeIn(top, 'a.txt', 'mine\n');
    expect(await failure(session, 'git_rebase', { upstream: 'main' })).toMatchObject({
      code: 'CONFLICT',
      text: expect.stringMatching(/a\.txt/),
    });
    expect(await readFile(path.join(top, 'a.txt'), 'utf8')).toBe('mine\n');
  });

  it.each(['protected', 'pushed'])('rewrites %s commits only after confirmation', async (kind) => {
    const top = await forkedRepository();
    const branch = kind === 'protected' ? 'main' : 'other';
    git(top, ['switch', '--quiet', branch]);
    if (kind === 'pushed') git(top, ['update-ref', 'refs/remotes/origin/other', 'other']);
    const before = oidOf(top, branch);
    const args = { upstream: kind === 'pushed' ? 'main' : 'other' };
    const subject = git(top, ['log', '-1', '--format=%s']).trim();
    await using silent = await connectGit({ directories: [top] });
    expect(await silent.fails('git_rebase', args)).toMatch(/^CONFIRMATION_REQUIRED: /);
    await using declining = await connectGit({ directories: [top] }, 'modern', {
      answers: { elicitation: 'decline' },
    });
    expect(await declining.fails('git_rebase', args)).toMatch(/^DECLINED: /);
    expect(oidOf(top, branch)).toBe(before);
    const { structuredContent } = await silent.call('git_rebase', { ...args, dry_run: true });
    expect(structuredContent).toMatchObject({
      lost: [expect.stringMatching(new RegExp(`^commit [0-9a-f]+ ${subject}$`))],
      recover_with: `git_reset {"mode":"keep","target":"${before}"}`,
      confirm_token: expect.any(String),
    });
    const confirm_token = Object(structuredContent).confirm_token;
    expect(oidOf(top, branch)).toBe(before);
    await silent.call('git_rebase', { ...args, confirm_token });
    expect(git(top, ['for-each-ref', '--format=%(objectname)', 'refs/mcp-backup']).trim()).toBe(before);
    expect(subjects(top, `${args.upstream}..${branch}`)).toEqual([subject]);
    git(top, ['reset', '--quiet', '--hard', `${before}~1`]);
    expect(await silent.fails('git_rebase', { ...args, confirm_token })).toMatch(/^PRECONDITION_FAILED: /);
    git(top, ['reset', '--quiet', '--hard', before]);
    await using asking = await connectGit({ directories: [top] }, 'modern', {
      answers: { elicitation: { confirm: true } },
    });
    expect(await asking.text('git_rebase', args)).toMatch(/^Rebased/);
  });

  it('continues with a split index, and leaves a whole index', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
    grow(
      top,
      ['topic', 'main', { Theirs: { 'a.txt': 'theirs\n' } }],
      ['main', 'main', { Ours: { 'a.txt': 'ours\n' }, Next: { 'b.txt': 'b\n' } }],
    );
    git(top, ['config', 'core.splitIndex', 'true']);
    git(top, ['config', 'splitIndex.maxPercentChange', '100']);
    git(top, ['update-index', '--split-index']);
    await using session = await connectGit({ directories: [top], protectedBranches: [] });
    expect(await session.fails('git_rebase', { upstream: 'topic' })).toMatch(/^CONFLICT/);
    await writeIn(top, 'a.txt', 'both\n');
    await session.call('git_add', { files: ['a.txt'] });
    await session.call('git_continue');
    expect(subjects(top, 'topic..main')).toEqual(['Next', 'Ours']);
    expect(statusOf(top)).toBe('');
    expect(git(top, ['reflog', '--max-count=1', '--format=%gs']).trim()).toMatch(/^rebase \(finish\)/);
  });
});
