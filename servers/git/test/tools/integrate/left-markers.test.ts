import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { grow } from '../../fixtures/branches.ts';
import { connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

const MARKED = '<<<<<<< HEAD\nmain\n=======\ntopic\n>>>>>>> topic\n';

/** Creates a repository on `main` whose branch `topic` changes the same files. */
async function diverged(names: readonly string[], base = 'base\n'): Promise<string> {
  const files = (content: string): Record<string, string> => Object.fromEntries(names.map((name) => [name, content]));
  const top = await repositoryOf([['Begin', files(base)]]);
  grow(top, ['topic', 'main', { Topic: files(`${base}topic\n`) }], ['main', 'main', { Main: files(`${base}main\n`) }]);
  git(top, ['switch', '--quiet', 'main']);
  return top;
}

describe.each(ERAS)('conflict markers that are left in a staged file, on a %s connection,', (era) => {
  it('are reported by git_add, and refused by git_continue and git_commit', async () => {
    const top = await diverged(['a.txt', 'über.txt', 'b.txt']);
    await using session = await connectGit({ directories: [top] }, era);
    await session.fails('git_merge', { revision: 'topic' });
    await writeIn(top, 'b.txt', 'both\n');
    const result = await session.call('git_add', { files: ['.'] });
    expect(result.structuredContent).toMatchObject({ markers: ['a.txt (lines 2-6)', 'über.txt (lines 2-6)'] });
    expect(JSON.stringify(result.content)).toContain('conflict markers are still in a.txt (lines 2-6): edit the file');
    for (const [tool, input] of [
      ['git_continue', {}],
      ['git_commit', { message: 'Merge' }],
    ] as const)
      expect(await session.fails(tool, input)).toMatch(
        /^CONFLICT: staged files still contain conflict markers: a\.txt \(lines 2-6\), über\.txt/,
      );
    expect(git(top, ['log', '-1', '--format=%s']).trim()).toBe('Main');
    await writeIn(top, 'a.txt', 'both\n');
    await writeIn(top, 'über.txt', 'both\n');
    expect(await session.text('git_add', { files: ['.'] })).not.toContain('markers');
    await session.call('git_continue', {});
    expect(git(top, ['log', '-1', '--format=%P']).trim().split(' ')).toHaveLength(2);
  });

  it('can be committed on purpose', async () => {
    const top = await diverged(['a.txt']);
    await using session = await connectGit({ directories: [top] }, era);
    await session.fails('git_merge', { revision: 'topic' });
    await session.call('git_add', { files: ['a.txt'] });
    await session.call('git_continue', { keep_markers: true });
    expect(git(top, ['show', 'HEAD:a.txt'])).toContain('<<<<<<< ');
  });
});

describe('conflict markers in more files than one command lists', () => {
  it('are all found', async () => {
    const names = Array.from({ length: 201 }, (_, number) => `${String(number).padStart(3, '0')}.txt`);
    const top = await diverged(names);
    await using session = await connectGit({ directories: [top] });
    await session.fails('git_merge', { revision: 'topic' });
    await session.call('git_add', { files: ['.'] });
    expect(await session.fails('git_continue')).toContain('019.txt (lines 2-6) and 181 more');
    for (const name of names.slice(0, -1)) await writeIn(top, name, 'both\n');
    await session.call('git_add', { files: ['.'] });
    expect(await session.fails('git_continue')).toContain('conflict markers: 200.txt (lines 2-6)');
  });
});

describe('conflict markers that a side contained before', () => {
  it('do not prevent the commit', async () => {
    const top = await diverged(['merge.test.txt'], MARKED);
    await using session = await connectGit({ directories: [top] });
    await session.fails('git_merge', { revision: 'topic' });
    await writeIn(top, 'merge.test.txt', `${MARKED}both\n`);
    expect(await session.text('git_add', { files: ['.'] })).toBe('staged merge.test.txt');
    await session.call('git_continue', {});
    expect(git(top, ['show', 'HEAD:merge.test.txt'])).toBe(`${MARKED}both\n`);
  });
});
