import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { grow } from '../fixtures/branches.ts';
import { connectGit, git, repositoryOf, writeIn } from '../fixtures/temporary.ts';

describe('a submodule that contains traps', () => {
  it('is not entered by tools that merge, rebase or pick commits', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
    const marker = path.join(path.dirname(top), 'executed');
    await repositoryOf([['Inner', { x: 'x\n', '.gitattributes': '* filter=planted\n' }]], path.join(top, 'sub'));
    git(path.join(top, 'sub'), ['config', 'filter.planted.clean', `touch ${marker}; cat`]);
    await writeIn(top, '.gitmodules', '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n');
    git(top, ['config', 'submodule.sub.ignore', 'none']);
    git(top, ['add', '--all']);
    git(top, ['commit', '--quiet', '--message=Submodule']);
    grow(
      top,
      ['other', 'main', { Other: { 'b.txt': 'b\n' } }],
      ['topic', 'main', { Topic: { 'a.txt': 'topic\n' } }],
      ['main', 'main', { Main: { 'a.txt': 'main\n' } }],
    );
    // The size is unchanged, so git must read the content and run the filter to detect the change.
    await writeIn(top, 'sub/x', 'y\n');
    await rm(marker, { force: true });
    git(top, ['status']);
    expect(existsSync(marker)).toBe(true);
    await rm(marker);
    await using session = await connectGit({ directories: [top], protectedBranches: [] });
    const repo = { repo_path: top };
    const quiet = (what: string): void => expect(existsSync(marker), what).toBe(false);
    await session.call('git_cherry_pick', { ...repo, revisions: ['other'] });
    quiet('pick');
    expect(await session.fails('git_cherry_pick', { ...repo, revisions: ['other'] })).toMatch(/^NOTHING_TO_COMMIT/);
    quiet('empty pick');
    await session.call('git_abort', repo);
    quiet('abort');
    await session.call('git_revert', { ...repo, revisions: ['HEAD'] });
    await session.fails('git_merge', { ...repo, revision: 'topic' });
    quiet('merge');
    await writeIn(top, 'a.txt', 'both\n');
    git(top, ['update-index', 'a.txt']);
    await session.call('git_continue', repo);
    quiet('continue');
    git(top, ['reset', '--quiet', '--hard', 'HEAD~1']);
    await rm(marker, { force: true });
    await session.fails('git_rebase', { ...repo, upstream: 'topic' });
    quiet('rebase');
    await writeIn(top, 'a.txt', 'both\n');
    git(top, ['update-index', 'a.txt']);
    await session.call('git_continue', { ...repo, message: 'x' });
    quiet('continued rebase');
    expect(await readFile(path.join(top, 'sub/x'), 'utf8')).toBe('y\n');
  });
});
