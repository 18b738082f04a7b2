import { describe, expect, it } from 'vitest';

import { connectGit, git, repositoryOf, writeIn } from './temporary.ts';

/** Long enough that a cursor which contains the path of a file is too long. */
const DIRECTORY = 'a-directory-with-a-long-name/and-another-one';
const FILES = ['a.txt', 'b.txt', 'c.txt'].map((name) => `${DIRECTORY}/${name}`);

const PAGED: readonly [tool: string, args: Readonly<Record<string, unknown>>][] = [
  ['git_log', { max_count: 1 }],
  ['git_reflog', { max_count: 1 }],
  ['git_grep', { pattern: 'x', limit: 1 }],
  ['git_ls_files', { limit: 1 }],
  ['git_show', { revision: 'HEAD', max_bytes: 300 }],
  ['git_diff', { target: 'HEAD~1..HEAD', max_bytes: 300 }],
  ['git_diff_staged', { max_bytes: 300 }],
  ['git_diff_unstaged', { max_bytes: 300 }],
];

function filesOf(content: string): Readonly<Record<string, string>> {
  return Object.fromEntries(FILES.map((file) => [file, `${content.repeat(50)}\n`]));
}

describe('the cursor of', () => {
  it.each(PAGED)('%s has at most 24 characters, is in the text and continues with another page', async (tool, args) => {
    const top = await repositoryOf([
      ['Begin', filesOf('x')],
      ['Next', filesOf('xy')],
    ]);
    for (const file of FILES) await writeIn(top, file, 'staged\n');
    git(top, ['add', '--all']);
    for (const file of FILES) await writeIn(top, file, 'x unstaged\n');
    await using session = await connectGit({ directories: [top], tools: ['all'] });
    const first = await session.call(tool, { ...args });
    const { next_cursor: cursor } = (first.structuredContent ?? first._meta) as { readonly next_cursor: string };
    expect(cursor).toMatch(/^[0-9a-z]{1,24}$/);
    expect(JSON.stringify(first.content)).toContain(cursor);
    const second = await session.call(tool, { ...args, cursor });
    expect(second.content).not.toEqual(first.content);
  });
});
