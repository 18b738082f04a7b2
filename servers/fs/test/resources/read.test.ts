import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { treeOf } from '../fixtures/tree-of.ts';
import { connectFiles, temporaryDirectory } from '../fixtures/temporary.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');

async function read({ client }: Session, file: string): Promise<Record<string, unknown>> {
  const uri = pathToFileURL(file).href;
  const [contents, ...others] = (await client.readResource({ uri })).contents;
  expect([contents?.uri, others]).toEqual([uri, []]);
  return { ...contents };
}

describe.each(ERAS)('a resource, on a %s connection,', (era) => {
  it.each<[string, string, Buffer, object]>([
    ['text', 'a.txt', Buffer.from('one\n'), { mimeType: 'text/plain', text: 'one\n' }],
    ['text with a type from its name', 'ü %25#?.md', Buffer.from('# ü'), { mimeType: 'text/markdown', text: '# ü' }],
    ['UTF-16', 'a.txt', Buffer.from('\uFEFFä\r\n', 'utf16le'), { mimeType: 'text/plain', text: 'ä\r\n' }],
    ['Latin-1', 'a.txt', Buffer.from('fünf\n', 'latin1'), { mimeType: 'text/plain', text: 'fünf\n' }],
    ['nothing', 'empty', Buffer.alloc(0), { mimeType: 'text/plain', text: '' }],
    ['an image with any name', 'a.txt', PNG, { mimeType: 'image/png', blob: PNG.toString('base64') }],
    ['bytes', 'a.txt', Buffer.from([0, 1, 255]), { mimeType: 'application/octet-stream', blob: 'AAH/' }],
    [
      'bytes that begin like a text',
      'a.txt',
      Buffer.concat([Buffer.alloc(8192, 'a'), Buffer.from([0])]),
      { mimeType: 'application/octet-stream', blob: `${'YWFh'.repeat(2730)}YWEA` },
    ],
  ])('reads with its type: %s', async (_, name, content, expected) => {
    const root = await treeOf({ [name]: content });
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await read(session, path.join(root, name))).toMatchObject({
      ...expected,
      _meta: { bytes: content.length, etag: expect.any(String) },
    });
  });

  it.each([
    ['text', 'a', 2000, /TOO_LARGE: the file has 2000 bytes.*1024 bytes\nread_text_file reads the file in parts/],
    [
      'bytes',
      '\0',
      5000,
      /TOO_LARGE: the file has 5000 bytes.*4096 bytes\nthe operator can raise the limit with --max-media-bytes/,
    ],
  ])('is rejected with a hint if it exceeds the limit for %s', async (_, letter, size, error) => {
    const root = await treeOf({ large: letter.repeat(size) });
    await using session = await connectFiles({ directories: [root], maxResourceBytes: 1024, maxMediaBytes: 4096 }, era);
    await expect(read(session, path.join(root, 'large'))).rejects.toThrow(error);
  });

  it('lists the entries of a directory, escaped, without denied entries', async () => {
    const root = await treeOf({ 'a.txt': 'x', 'sub/b.txt': '', '.env': 'SECRET', 'new\nline': '' });
    await symlink('a.txt', path.join(root, 'link'));
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await read(session, root)).toEqual({
      uri: pathToFileURL(root).href,
      mimeType: 'inode/directory',
      text: '[FILE] a.txt\n[LINK] link\n' + String.raw`[FILE] new\u{a}line` + '\n[DIR] sub',
    });
    expect(await read(session, path.join(root, 'sub'))).toMatchObject({ text: '[FILE] b.txt' });
    expect((await session.client.readResource({ uri: `${pathToFileURL(root).href}/` })).contents).toMatchObject([
      { mimeType: 'inode/directory' },
    ]);
  });

  it('reports that a directory is empty, and that its list was truncated', async () => {
    const root = await treeOf({ 'empty/': '', a: '', b: '' });
    await using session = await connectFiles({ directories: [root], maxEntries: 2 }, era);
    expect(await read(session, path.join(root, 'empty'))).toMatchObject({ text: 'The directory is empty' });
    expect(await read(session, root)).toMatchObject({
      text: '[FILE] a\n[FILE] b\n[2 of 3 entries are shown; list_directory lists the entries page by page.]',
    });
  });

  it('is not found outside the directories, above the directories, or behind a link to the outside', async () => {
    const base = await temporaryDirectory();
    for (const name of ['safe', 'safe_evil']) await mkdir(path.join(base, name));
    await writeFile(path.join(base, 'safe_evil/secret.txt'), 'SECRET');
    await symlink('../safe_evil', path.join(base, 'safe/link'));
    await using session = await connectFiles({ directories: [path.join(base, 'safe')] }, era);
    const inside = pathToFileURL(path.join(base, 'safe')).href;
    const texts = new Set<string>();
    for (const way of ['/../safe_evil', '/link', '_evil', '/%2e%2e/safe_evil', '/..'])
      for (const leaf of ['', '/secret.txt', '/missing'])
        await session.client.readResource({ uri: inside + way + leaf }).then(
          ({ contents }) => texts.add(JSON.stringify(contents)),
          (error: unknown) =>
            texts.add(
              String(error)
                .replace(/".*?"/, '…')
                .replace(/allowed:.*/s, ''),
            ),
        );
    expect([...texts].filter((text) => !text.includes('PATH_OUTSIDE_ROOTS: … is not inside'))).toEqual([]);
  });
});
