import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { grow, forkedRepository, oidOf } from '../../fixtures/branches.ts';
import { connectGit, emptyRepository, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

const ODD = ['with space', `"it's"`, 'two\nlines', 'tab\tin', String.raw`back\slash`, 'über'];

describe('git_conflicts', () => {
  it('lists each file with its sides and conflict markers, and the next steps', async () => {
    const top = await repositoryOf([
      ['Begin', { 'a.txt': 'one\n1\n2\n3\n4\n5\none\n', 'gone.txt': 'x\n', 'kept.txt': 'x\n', 'b.bin': '\0a' }],
    ]);
    grow(top, [
      'topic',
      'main',
      { Topic: { 'a.txt': 'topic\n1\n2\n3\n4\n5\ntopic\n', 'gone.txt': 'y\n', 'b.bin': '\0b', 'new.txt': 'topic\n' } },
    ]);
    git(top, ['switch', '--quiet', 'topic']);
    git(top, ['rm', '--quiet', 'kept.txt']);
    git(top, ['commit', '--quiet', '--amend', '--no-edit']);
    git(top, ['switch', '--quiet', 'main']);
    grow(top, [
      'main',
      'main',
      { Main: { 'a.txt': 'main\n1\n2\n3\n4\n5\nmain\n', 'kept.txt': 'z\n', 'b.bin': '\0c', 'new.txt': 'main\n' } },
    ]);
    git(top, ['rm', '--quiet', 'gone.txt']);
    git(top, ['commit', '--quiet', '--amend', '--no-edit']);
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_conflicts')).toBe('No conflicts');
    await session.fails('git_merge', { revision: 'topic' });
    const { structuredContent } = await session.call('git_conflicts');
    const stage = (number: number, oid: string, file: string): object => ({
      stage: number,
      oid,
      mode: '100644',
      uri: expect.stringMatching(new RegExp(`^git://project-[0-9a-f]{8}/conflict/${number}/${file}$`)),
    });
    expect(structuredContent).toEqual({
      operation: 'merge',
      total: 5,
      files: [
        {
          path: 'a.txt',
          kind: 'both modified',
          stages: [1, 2, 3].map((number) => stage(number, oidOf(top, `:${number}:a.txt`), 'a.txt')),
          markers: [
            { start_line: 1, end_line: 5 },
            { start_line: 11, end_line: 15 },
          ],
        },
        expect.objectContaining({ path: 'b.bin', kind: 'both modified', markers: [], binary: true }),
        expect.objectContaining({ path: 'gone.txt', kind: 'deleted by us', markers: [] }),
        expect.objectContaining({ path: 'kept.txt', kind: 'deleted by them' }),
        expect.objectContaining({ path: 'new.txt', kind: 'both added', markers: [{ start_line: 1, end_line: 5 }] }),
      ],
      next_steps: expect.arrayContaining([expect.stringContaining('git_abort')]),
    });
    expect(await session.text('git_conflicts')).toMatch(
      /^In progress: merge\nboth modified: a\.txt \(conflict markers in lines 1-5, 11-15\)\nboth modified: b\.bin \(binary\)\n/,
    );
  });

  it('keeps unusual names exactly, and escapes control characters', async () => {
    const files = (content: string): Record<string, string> => Object.fromEntries(ODD.map((name) => [name, `${content}\n`]));
    const top = await repositoryOf([['Begin', files('one')]]);
    grow(top, ['topic', 'main', { Topic: files('topic') }], ['main', 'main', { Main: files('main') }]);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_merge', { revision: 'topic' })).not.toMatch(/\t|two\nlines/);
    const { structuredContent } = await session.call('git_conflicts');
    const listed: readonly { path: string; stages: readonly { uri: string }[] }[] = Object(structuredContent).files;
    expect(listed.map((file) => file.path).sort()).toEqual([...ODD].sort());
    for (const { path: name, stages } of listed)
      expect(decodeURIComponent(stages[0]?.uri.replace(/^.*\/conflict\/1\//, '') ?? '')).toBe(name);
    expect(await session.text('git_conflicts')).not.toMatch(/\t|two\nlines/);
    await session.call('git_add', { files: ODD });
    await session.call('git_continue', { keep_markers: true });
    expect(await session.text('git_conflicts')).toBe('No conflicts');
  });

  it('follows a rename into a conflict', async () => {
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}\n`);
    const top = await repositoryOf([['Begin', { 'old.txt': lines.join('') }]]);
    git(top, ['switch', '--quiet', '--create', 'topic']);
    git(top, ['mv', 'old.txt', 'new.txt']);
    await writeIn(top, 'new.txt', lines.with(3, 'topic\n').join(''));
    git(top, ['commit', '--quiet', '--all', '--message=Rename']);
    git(top, ['switch', '--quiet', 'main']);
    grow(top, ['main', 'main', { Main: { 'old.txt': lines.with(3, 'main\n').join('') } }]);
    await using session = await connectGit({ directories: [top] });
    await session.fails('git_merge', { revision: 'topic' });
    expect((await session.call('git_conflicts')).structuredContent).toMatchObject({
      files: [{ path: 'new.txt', kind: 'both modified', markers: [{ start_line: 4, end_line: 8 }] }],
    });
  });

  it('reports a submodule, and reads nothing in it', async () => {
    const top = await forkedRepository();
    const inner = await repositoryOf(
      [
        ['One', { x: '1' }],
        ['Two', { x: '2' }],
      ],
      path.join(path.dirname(top), 'inner'),
    );
    grow(inner, ['side', 'main~1', { Side: { y: 'y' } }]);
    for (const [branch, revision] of [
      ['main', 'main~1'],
      ['ahead', 'main'],
      ['other', 'side'],
    ] as const) {
      git(top, ['switch', '--quiet', branch]);
      if (branch === 'main') git(top, ['branch', '--quiet', '--force', 'base', 'main']);
      git(top, ['update-index', '--add', '--cacheinfo', `160000,${oidOf(inner, revision)},inner`]);
      git(top, ['commit', '--quiet', `--message=at ${revision}`]);
    }
    git(top, ['switch', '--quiet', 'ahead']);
    await using session = await connectGit({ directories: [top] });
    await session.fails('git_merge', { revision: 'other' });
    expect((await session.call('git_conflicts')).structuredContent).toMatchObject({
      files: [{ path: 'inner', kind: 'both added', submodule: true, markers: [] }],
    });
  });

  it('is empty before the first commit', async () => {
    const top = await emptyRepository();
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_conflicts')).toBe('No conflicts');
  });
});
