import { execFileSync } from 'node:child_process';
import { memoryUsage } from 'node:process';

import { describe, expect, it } from 'vitest';

import { connectGit, git, repositoryOf } from '../fixtures/temporary.ts';

const ENDLESS: readonly (readonly [string, string, object])[] = [
  ['a diff of 200 MB', 'yes "a line of text that is as long as lines are" | head -c 200000000', { added: 4_545_455 }],
  ['a line of 100 MB', "head -c 100000000 /dev/zero | tr '\\0' x", { added: 1 }],
];

describe('the memory for a diff', () => {
  it.each(ENDLESS)('is bounded, and the result lists every file, with %s', async (_, program, counted) => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x\n' }]]);
    execFileSync('sh', ['-c', `${program} > endless; echo y > z.txt`], { cwd: top });
    git(top, ['add', '--intent-to-add', 'endless', 'z.txt']);
    await using session = await connectGit({ directories: [top], maxBytes: 65_536 });
    await session.call('git_status');
    const before = memoryUsage().rss;
    const { _meta, content } = await session.call('git_diff_unstaged');
    expect(_meta).toMatchObject({
      files: [
        { path: 'endless', status: 'added', ...counted },
        { path: 'z.txt', status: 'added', added: 1 },
      ],
      cut: 'endless',
      truncated: true,
    });
    expect(JSON.stringify(content).length).toBeLessThan(80_000);
    expect(memoryUsage().rss - before).toBeLessThan(64_000_000);
    expect(await session.text('git_diff_unstaged', { paths: ['z.txt'] })).toMatch(/\+y\n$/);
  });
});
