import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { treeOf } from '../finding/tree-of.ts';
import { connectFiles } from '../temporary.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

describe.each(ERAS)('a prompt, on a %s connection,', (era) => {
  it('to review a file has the file, as what it is', async () => {
    const root = await treeOf({ 'a.md': Buffer.from('\uFEFF# ä\n', 'utf16le') });
    await using session = await connectFiles({ directories: [root] }, era);
    const { messages } = await session.client.getPrompt({
      name: 'review_file',
      arguments: { path: 'a.md', focus: 'spelling' },
    });
    const uri = pathToFileURL(path.join(root, 'a.md')).href;
    expect(messages).toMatchObject([
      {
        role: 'user',
        content: { type: 'text', text: expect.stringMatching(/^Review this file\..*Look at spelling in particular\.$/) },
      },
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri, mimeType: 'text/markdown', text: '# ä\n' },
          annotations: { lastModified: TIME },
        },
      },
    ]);
  });

  it('to review a file that is long says how much of it there is, and how to read on', async () => {
    const root = await treeOf({ a: 'line\n'.repeat(1000) });
    await using session = await connectFiles({ directories: [root], maxResourceBytes: 1024 }, era);
    const { messages } = await session.client.getPrompt({ name: 'review_file', arguments: { path: 'a' } });
    expect(messages[0]?.content).toMatchObject({
      text: expect.stringMatching(/Only its first 204 lines are here; read_text_file reads on with offset 204\.$/),
    });
    expect(messages[1]?.content).toMatchObject({ resource: { text: 'line\n'.repeat(204) } });
  });

  it('to summarize a directory has its tree, without what is ignored and denied', async () => {
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

  it('to summarize a directory is bounded, and says so', async () => {
    const root = await treeOf(Object.fromEntries(Array.from({ length: 501 }, (_, count) => [`f${count}`, ''])));
    await using session = await connectFiles({ directories: [root] }, era);
    const { messages } = await session.client.getPrompt({ name: 'summarize_directory', arguments: { path: root } });
    expect(messages[0]?.content).toMatchObject({
      text: expect.stringContaining('Only 500 entries of its tree are here; directory_tree shows what is further down.'),
    });
  });

  it.each([
    ['review_file', 'missing', /NOT_FOUND/],
    ['review_file', '/etc/passwd', /PATH_OUTSIDE_ROOTS/],
    ['summarize_directory', '../', /PATH_OUTSIDE_ROOTS/],
    ['summarize_directory', 'file', /NOT_DIRECTORY/],
  ])('%s of %s says why there is none', async (name, given, error) => {
    await using session = await connectFiles({ directories: [await treeOf({ file: '' })] }, era);
    await expect(session.client.getPrompt({ name, arguments: { path: given } })).rejects.toThrow(error);
  });
});
