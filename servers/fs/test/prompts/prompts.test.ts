import { pathToFileURL } from 'node:url';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { treeOf } from '../fixtures/tree-of.ts';
import { connectFiles } from '../fixtures/temporary.ts';

describe.each(ERAS)('a prompt, on a %s connection,', (era) => {
  it('contains the file to review, with numbered lines', async () => {
    const root = await treeOf({ 'a.md': Buffer.from('\uFEFF# ä\n', 'utf16le') });
    await using session = await connectFiles({ directories: [root] }, era);
    const { messages } = await session.client.getPrompt({
      name: 'review_file',
      arguments: { path: 'a.md', focus: 'spelling' },
    });
    const request = /^Review the file .*a\.md\. .*Look at spelling in particular\. The next message is its text/;
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: expect.stringMatching(request) } },
      { role: 'user', content: { type: 'text', text: '1\t# ä\n' } },
    ]);
  });

  it('states how much of a long file to review it contains, and how to continue', async () => {
    const root = await treeOf({ a: 'line\n'.repeat(1000) });
    await using session = await connectFiles({ directories: [root], maxResourceBytes: 1024 }, era);
    const { messages } = await session.client.getPrompt({ name: 'review_file', arguments: { path: 'a' } });
    expect(messages[0]?.content).toMatchObject({
      text: expect.stringMatching(
        /The prompt contains only the first 204 lines of the file; to read on, call read_text_file with offset 204\.$/,
      ),
    });
    expect(messages[1]?.content).toMatchObject({ text: expect.stringMatching(/^1\tline\n2\tline\n[^]*\n204\tline\n$/) });
  });

  it('embeds the tree of the directory to summarize, without ignored and denied entries', async () => {
    const root = await treeOf({
      'src/a.ts': '',
      'src/b/c/d.ts': '',
      '.env': '',
      '.gitignore': 'out\n',
      'out/x': '',
      'new\nline': '',
    });
    await using session = await connectFiles({ directories: [root] }, era);
    const { messages } = await session.client.getPrompt({
      name: 'summarize_directory',
      arguments: { path: '.', focus: 'tests' },
    });
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: expect.stringMatching(/^Summarize this directory.*Look at tests/) } },
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: {
            uri: pathToFileURL(root).href,
            mimeType: 'inode/directory',
            text: ['.gitignore', String.raw`new\u{a}line`, 'src/', '  a.ts', '  b/', '    c/ …'].join('\n'),
          },
        },
      },
    ]);
  });

  it('limits the tree of a large directory to summarize, and states the limit', async () => {
    const root = await treeOf(Object.fromEntries(Array.from({ length: 501 }, (_, count) => [`f${count}`, ''])));
    await using session = await connectFiles({ directories: [root] }, era);
    const { messages } = await session.client.getPrompt({ name: 'summarize_directory', arguments: { path: root } });
    expect(messages[0]?.content).toMatchObject({
      text: expect.stringContaining(
        'The prompt contains only 500 entries of the directory tree; directory_tree shows deeper entries.',
      ),
    });
  });

  it.each([
    ['review_file', 'missing', /NOT_FOUND/],
    ['review_file', '/etc/passwd', /PATH_OUTSIDE_ROOTS/],
    ['summarize_directory', '../', /PATH_OUTSIDE_ROOTS/],
    ['summarize_directory', 'file', /NOT_DIRECTORY/],
  ])('%s of %s explains its failure', async (name, given, error) => {
    await using session = await connectFiles({ directories: [await treeOf({ file: '' })] }, era);
    await expect(session.client.getPrompt({ name, arguments: { path: given } })).rejects.toThrow(error);
  });
});
