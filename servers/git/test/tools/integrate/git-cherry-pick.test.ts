import { describe, expect, it } from 'vitest';

import { failure, forkedRepository, oidOf, statusOf } from '../../fixtures/branches.ts';
import { connectGit, git, writeIn } from '../../fixtures/temporary.ts';

function subjects(top: string): readonly string[] {
  return git(top, ['log', '--format=%s']).trim().split('\n');
}

describe('git_cherry_pick', () => {
  it('applies commits and ranges in their order', async () => {
    const top = await forkedRepository();
    const before = oidOf(top, 'main');
    await using session = await connectGit({ directories: [top] });
    const picked = await session.call('git_cherry_pick', { revisions: ['topic', 'main~1..other', 'main..ahead'] });
    expect(picked.structuredContent).toMatchObject({ outcome: 'picked', before, after: oidOf(top, 'main') });
    expect(subjects(top)).toEqual(['Ahead', 'Other', 'More', 'Main', 'Begin']);
  });

  it('continues after a conflict in the middle, skips a commit, and aborts', async () => {
    const top = await forkedRepository();
    const before = oidOf(top, 'main');
    await using session = await connectGit({ directories: [top] });
    const args = { revisions: ['other', 'main~1..topic'] };
    expect(await failure(session, 'git_cherry_pick', args)).toMatchObject({
      code: 'CONFLICT',
      text: expect.stringMatching(/cherry-pick.*a\.txt/),
    });
    expect(subjects(top)).toEqual(['Other', 'Main', 'Begin']);
    await session.call('git_abort');
    expect(oidOf(top, 'main')).toBe(before);
    await session.fails('git_cherry_pick', args);
    await session.call('git_skip');
    expect(subjects(top)).toEqual(['More', 'Other', 'Main', 'Begin']);
    git(top, ['reset', '--quiet', '--hard', before]);
    await session.fails('git_cherry_pick', args);
    await writeIn(top, 'a.txt', 'both\n');
    await session.call('git_add', { files: ['a.txt'] });
    expect((await session.call('git_continue', { message: '#2' })).structuredContent).toMatchObject({ outcome: 'finished' });
    expect(subjects(top)).toEqual(['More', '#2', 'Other', 'Main', 'Begin']);
    expect(statusOf(top)).toBe('');
  });

  it('reports a commit that is already contained, and skips it', async () => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    git(top, ['cherry-pick', 'other']);
    expect(await session.fails('git_cherry_pick', { revisions: ['other', 'topic'] })).toMatch(/^NOTHING_TO_COMMIT: [^]*git_skip/);
    await session.call('git_skip');
    expect(subjects(top)).toEqual(['More', 'Other', 'Main', 'Begin']);
  });

  it('requires mainline for a merge, and applies nothing if one commit is invalid', async () => {
    const top = await forkedRepository();
    git(top, ['switch', '--quiet', '--create', 'joint', 'main~1']);
    git(top, ['merge', '--quiet', '--no-ff', '--message=Joint', 'other']);
    git(top, ['switch', '--quiet', 'main']);
    const before = oidOf(top, 'main');
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_cherry_pick', { revisions: ['topic', 'joint'] })).toMatch(
      /^INVALID_ARGUMENTS: [^]*mainline: 1/,
    );
    expect(await session.fails('git_cherry_pick', { revisions: ['joint'], mainline: 3 })).toMatch(/^INVALID_ARGUMENTS/);
    for (const range of ['main..main', 'main...other', 'main..other..topic', 'main..nothing'])
      expect(await session.fails('git_cherry_pick', { revisions: [range] }), range).toMatch(/^INVALID_REVISION/);
    expect(oidOf(top, 'main')).toBe(before);
    await session.call('git_cherry_pick', { revisions: ['joint'], mainline: 1 });
    expect(subjects(top)).toEqual(['Joint', 'Main', 'Begin']);
  });

  it('stages the changes with no_commit, and can be aborted after a conflict with no_commit', async () => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_cherry_pick', { revisions: ['other'], no_commit: true })).toMatch(/^Staged, not committed/);
    expect(statusOf(top)).toBe('A  b.txt\n');
    expect(await failure(session, 'git_cherry_pick', { revisions: ['topic'] })).toMatchObject({
      code: 'CONFLICT',
      text: expect.stringMatching(/b\.txt/),
    });
    git(top, ['reset', '--quiet', '--hard']);
    expect(await session.fails('git_cherry_pick', { revisions: ['topic~1'], no_commit: true })).toContain(
      'git_commit commits the result',
    );
    await session.call('git_abort');
    expect(statusOf(top)).toBe('');
  });
});

describe('git_revert', () => {
  it('reverts commits, the newest of a range first', async () => {
    const top = await forkedRepository();
    git(top, ['merge', '--quiet', 'ahead']);
    await using session = await connectGit({ directories: [top] });
    expect((await session.call('git_revert', { revisions: ['main~2..main'] })).structuredContent).toMatchObject({
      outcome: 'reverted',
    });
    expect(subjects(top).slice(0, 2)).toEqual(['Revert "Main"', 'Revert "Ahead"']);
    expect(git(top, ['diff', 'main~4'])).toBe('');
  });

  it('stops at a conflict, continues and aborts', async () => {
    const top = await forkedRepository();
    await using session = await connectGit({ directories: [top] });
    const before = oidOf(top, 'main');
    expect(await failure(session, 'git_revert', { revisions: ['main~1'] })).toMatchObject({
      text: expect.stringMatching(/^CONFLICT: revert, at commit [0-9a-f]{12}: conflicts in/),
    });
    await session.call('git_abort');
    expect(oidOf(top, 'main')).toBe(before);
    await session.fails('git_revert', { revisions: ['main~1'] });
    await writeIn(top, 'a.txt', 'less\n');
    await session.call('git_add', { files: ['a.txt'] });
    await session.call('git_continue');
    expect(subjects(top)[0]).toBe('Revert "Begin"');
    expect(git(top, ['log', '-1', '--format=%b'])).not.toContain('Conflicts');
  });
});
