import { describe, expect, it } from 'vitest';

import { connectFiles } from '../../fixtures/temporary.ts';
import { treeOf } from '../../fixtures/tree-of.ts';

/** A path in this directory is longer than the 24 characters that a cursor may have, so that a cursor cannot contain the path. */
const DIRECTORY = 'a-directory-with-a-long-name/and-another-one';

const PAGED: readonly [tool: string, args: Readonly<Record<string, unknown>>][] = [
  ['list_directory', { path: DIRECTORY, limit: 1 }],
  ['list_directory_with_sizes', { path: DIRECTORY, limit: 1 }],
  ['directory_tree', { path: '.', format: 'compact', maxEntries: 3 }],
  ['search_files', { path: '.', pattern: '**/*.txt', limit: 1 }],
  ['search_content', { path: '.', pattern: 'x', limit: 1 }],
  ['list_changes', { limit: 1 }],
];

describe('the cursor of', () => {
  it.each(PAGED)('%s has at most 24 characters, is in the text and continues with another page', async (tool, args) => {
    const root = await treeOf({ [`${DIRECTORY}/a.txt`]: 'x', [`${DIRECTORY}/b.txt`]: 'x', [`${DIRECTORY}/c.txt`]: 'x' });
    await using session = await connectFiles({ directories: [root], tools: ['all'] });
    for (const name of ['d.txt', 'e.txt']) await session.text('write_file', { path: name, content: 'x' });
    const first = await session.call(tool, { ...args });
    const { nextCursor: cursor } = (first.structuredContent ?? first._meta) as { readonly nextCursor: string };
    expect(cursor).toMatch(/^[0-9a-z-]{1,24}$/);
    expect(JSON.stringify(first.content)).toContain(cursor);
    const second = await session.call(tool, { ...args, cursor });
    expect(second.content).not.toEqual(first.content);
  });
});
