import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

describe('git_blame', () => {
  it('reports progress in lines', async () => {
    const top = await repositoryOf([['0', { a: '0\n' }]]);
    let content = '0\n';
    for (let number = 1; number < 12; number += 1) {
      content = `${number}\n${content}`;
      await writeIn(top, 'a', content);
      git(top, ['add', 'a']);
      commitAt(top, String(number), number);
    }
    await using session = await connectGit({ directories: [top] });
    const call = session.start('git_blame', { path: 'a' });
    const { _meta } = await call.result;
    expect(_meta).toMatchObject({ hunks: { length: 12 }, total_lines: 12, truncated: false });
    const reports = call.progress.all;
    expect(reports.at(-1)).toMatchObject({ progress: 12, total: 12 });
    expect(reports.map(({ progress }) => progress)).toEqual(reports.map(({ progress }) => progress).toSorted((a, b) => a - b));
  });

  it('shows the lines of an old revision, and the old name of a renamed file', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\ntwo\nthree\n' }]]);
    git(top, ['mv', 'a.txt', 'b.txt']);
    await writeIn(top, 'b.txt', 'one\n2\nthree\n');
    git(top, ['add', '--all']);
    commitAt(top, 'Move', 1);
    await using session = await connectGit({ directories: [top] });
    const { _meta } = await session.call('git_blame', { path: 'b.txt', start_line: 2 });
    expect(_meta).toMatchObject({
      hunks: [
        { start_line: 2, end_line: 2, summary: 'Move' },
        { start_line: 3, end_line: 3, summary: 'Begin', original_path: 'a.txt' },
      ],
    });
    expect(await session.fails('git_blame', { path: 'a.txt' })).toMatch(/^PATH_NOT_FOUND/);
    expect(await session.text('git_blame', { path: 'a.txt', revision: 'HEAD~1', end_line: 1 })).toMatch(/: Begin\n1\tone$/);
  });
});
