import { truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const WAV = Buffer.concat([Buffer.from('RIFF'), Buffer.from([36, 0, 0, 0]), Buffer.from('WAVEfmt '), Buffer.alloc(28)]);
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
const XML_SVG = Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>');

async function rootWith(name: string, content: Buffer): Promise<string> {
  const root = await temporaryDirectory();
  await writeFile(path.join(root, name), content);
  return root;
}

describe.each(ERAS)('a media file on a %s connection', (era) => {
  it.each([
    ['an image', 'a.png', PNG, 'image/png'],
    ['an image whose name says something else', 'a.txt', PNG, 'image/png'],
    ['audio', 'a.wav', WAV, 'audio/wav'],
  ])('is sent with its type: %s', async (_, name, bytes, mimeType) => {
    await using session = await connectFiles({ directories: [await rootWith(name, bytes)] }, era);
    const { content, _meta } = await session.call('read_media_file', { path: name });
    expect(content).toEqual([
      { type: mimeType.split('/')[0], data: bytes.toString('base64'), mimeType },
      { type: 'text', text: `${name}, ${mimeType}, ${bytes.length} bytes` },
    ]);
    expect(_meta).toMatchObject({ mime: mimeType, bytes: bytes.length, etag: expect.stringMatching(/^[\w-]{16}$/) });
  });

  it.each([
    ['a document', 'a.pdf', PDF, 'application/pdf'],
    ['text', 'a.log', Buffer.from('text\n'), 'text/plain'],
    ['Markdown, by its name', 'a.md', Buffer.from('# Title\n'), 'text/markdown'],
    ['bytes of an unknown type, with any name', 'a.svg', Buffer.from([0, 1, 2, 0, 0, 0]), 'application/octet-stream'],
    ['nothing', 'a.dat', Buffer.alloc(0), 'text/plain'],
  ])('is sent as a resource if it is neither an image nor audio: %s', async (_, name, bytes, mimeType) => {
    const root = await rootWith(name, bytes);
    await using session = await connectFiles({ directories: [root] }, era);
    const uri = pathToFileURL(path.join(root, name)).href;
    expect((await session.call('read_media_file', { path: name })).content).toEqual([
      { type: 'resource', resource: { uri, mimeType, blob: bytes.toString('base64') } },
      { type: 'text', text: `${name}, ${mimeType}, ${bytes.length} bytes` },
    ]);
  });

  it.each([
    ['by its name', SVG],
    ['by its declaration', XML_SVG],
  ])('is sent as text if it is an SVG, which models do not accept as an image: %s', async (_, bytes) => {
    await using session = await connectFiles({ directories: [await rootWith('a.svg', bytes)] }, era);
    const { content, _meta } = await session.call('read_media_file', { path: 'a.svg' });
    expect(content).toEqual([
      { type: 'text', text: bytes.toString() },
      { type: 'text', text: `a.svg, image/svg+xml, ${bytes.length} bytes` },
    ]);
    expect(_meta).toMatchObject({ mime: 'image/svg+xml' });
  });

  it('has the limit of texts if it is an SVG', async () => {
    const large = Buffer.concat([SVG, Buffer.alloc(30_000, ' ')]);
    await using session = await connectFiles({ directories: [await rootWith('a.svg', large)] }, era);
    expect(await session.fails('read_media_file', { path: 'a.svg' })).toMatch(/^TOO_LARGE: .*\n.*read_text_file reads/);
  });

  it('is only linked if a link is requested', async () => {
    const root = await rootWith('a b.png', PNG);
    await truncate(path.join(root, 'a b.png'), 1_000_000_000_000);
    await using session = await connectFiles({ directories: [root] }, era);
    const uri = pathToFileURL(path.join(root, 'a b.png')).href;
    expect((await session.call('read_media_file', { path: 'a b.png', asLink: true })).content).toEqual([
      {
        type: 'resource_link',
        uri,
        name: 'a b.png',
        mimeType: 'image/png',
        size: 1_000_000_000_000,
        annotations: { lastModified: expect.stringMatching(/^\d{4}-.*Z$/) },
      },
      { type: 'text', text: `a b.png, image/png, 1000000000000 bytes: ${uri}` },
    ]);
  });
});

describe('a media file', () => {
  it.each([
    ['than maxBytes', { maxBytes: 1024 }, {}],
    ['than --max-media-bytes', { maxBytes: 5000 }, { maxMediaBytes: 1024 }],
  ])('is rejected with a hint if it is larger %s', async (_, how, options) => {
    await using session = await connectFiles({ directories: [await rootWith('a', Buffer.alloc(3000))], ...options });
    expect(await session.fails('read_media_file', { path: 'a', ...how })).toMatch(
      /^TOO_LARGE: "a" has 3000 bytes; the limit is 1024 bytes\nasLink returns a link/,
    );
  });

  it('is sent whole if it has exactly the maximum size', async () => {
    const bytes = Buffer.alloc(1_200_000, 1);
    await using session = await connectFiles({ directories: [await rootWith('a', bytes)], maxMediaBytes: bytes.length });
    expect((await session.call('read_media_file', { path: 'a' })).content).toMatchObject([
      { resource: { blob: bytes.toString('base64') } },
      { type: 'text' },
    ]);
  });
});
