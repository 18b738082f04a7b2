import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';

import { imageOf } from '../../fixtures/images.ts';
import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';

interface Shown {
  readonly mimeType: string;
  readonly bytes: Buffer;
  readonly text: string;
  readonly meta: unknown;
}

async function read(session: Session, name: string, more: object = {}): Promise<Shown> {
  const { content, _meta } = await session.call('read_media_file', { path: name, ...more });
  const [shown, line] = content as unknown as [{ mimeType: string; data: string }, { text: string }];
  return { mimeType: shown.mimeType, bytes: Buffer.from(shown.data, 'base64'), text: line.text, meta: _meta };
}

async function rootWith(files: Readonly<Record<string, Buffer>>): Promise<string> {
  const root = await temporaryDirectory();
  for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(root, name), bytes);
  return root;
}

async function sizeOf(bytes: Buffer): Promise<string> {
  const { format, width, height } = await sharp(bytes).metadata();
  return `${format} ${width} × ${height}`;
}

describe.each(ERAS)('an image on a %s connection', (era) => {
  it('is scaled if a side is longer than a model takes, and the result names both sizes', async () => {
    const photo = await imageOf('jpeg', 4000, 3000);
    await using session = await connectFiles({ directories: [await rootWith({ 'photo.jpg': photo })] }, era);
    const { mimeType, bytes, text, meta } = await read(session, 'photo.jpg');
    expect(mimeType).toBe('image/jpeg');
    expect(await sizeOf(bytes)).toBe('jpeg 1568 × 1176');
    expect(text).toBe(
      `photo.jpg, image/jpeg, ${photo.length} bytes, 4000 × 3000 pixels; shown as image/jpeg with 1568 × 1176 pixels`,
    );
    expect(meta).toMatchObject({
      mime: 'image/jpeg',
      bytes: photo.length,
      original: { width: 4000, height: 3000 },
      scaled: { mime: 'image/jpeg', width: 1568, height: 1176 },
    });
  });
});

describe('an image', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)('is sent unchanged if it is small: %s', async (format) => {
    const small = await imageOf(format, 1568, 20);
    await using session = await connectFiles({ directories: [await rootWith({ small })] });
    const { bytes, mimeType, text } = await read(session, 'small');
    expect(bytes.equals(small)).toBe(true);
    expect(mimeType).toBe(`image/${format}`);
    expect(text).toBe(`small, image/${format}, ${small.length} bytes`);
  });

  it.each([
    ['png', {}, 'png'],
    ['png', { alpha: 0.5 }, 'png'],
    ['webp', { alpha: 0.5 }, 'png'],
    ['webp', {}, 'jpeg'],
    ['gif', { alpha: 0 }, 'png'],
    ['jpeg', {}, 'jpeg'],
  ] as const)('keeps sharp edges and transparency: %s %j becomes %s', async (format, options, expected) => {
    const large = await imageOf(format, 3000, 1000, options);
    await using session = await connectFiles({ directories: [await rootWith({ large })] });
    const { bytes } = await read(session, 'large');
    expect(await sizeOf(bytes)).toBe(`${expected} 1568 × 523`);
    const { hasAlpha } = await sharp(bytes).metadata();
    expect(hasAlpha).toBe('alpha' in options);
  });

  it.each(['tiff', 'avif'] as const)('is converted if models do not accept its type: %s', async (format) => {
    await using session = await connectFiles({ directories: [await rootWith({ small: await imageOf(format, 60, 40) })] });
    const { bytes, mimeType } = await read(session, 'small');
    expect(mimeType).toBe('image/jpeg');
    expect(await sizeOf(bytes)).toBe('jpeg 60 × 40');
  });

  it('is turned as its orientation says', async () => {
    const turned = await imageOf('jpeg', 2000, 1000, { orientation: 6 });
    await using session = await connectFiles({ directories: [await rootWith({ turned })] });
    const { bytes, text } = await read(session, 'turned');
    expect(await sizeOf(bytes)).toBe('jpeg 784 × 1568');
    expect(text).toContain('1000 × 2000 pixels');
    // The red half was at the top of the stored image, and is at the right of the displayed image.
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const right = data.subarray((info.width - 10) * info.channels).subarray(0, 3);
    expect([...right].map((value) => Math.round(value / 255))).toEqual([1, 0, 0]);
  });

  it('contains no position or other metadata after it was scaled', async () => {
    const photo = await sharp({ create: { width: 2000, height: 100, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Copyright: 'SECRET' } })
      .jpeg()
      .toBuffer();
    expect(photo.includes('SECRET')).toBe(true);
    await using session = await connectFiles({ directories: [await rootWith({ photo })] });
    expect((await read(session, 'photo')).bytes.includes('SECRET')).toBe(false);
  });

  it('may be larger than --max-media-bytes if its scaled form is smaller', async () => {
    const noisy = await imageOf('png', 1500, 1500, { noise: true });
    const root = await rootWith({ noisy });
    expect(noisy.length).toBeGreaterThan(2_000_000);
    await using session = await connectFiles({ directories: [root], maxMediaBytes: 1_500_000 });
    const { bytes, mimeType } = await read(session, 'noisy');
    expect(mimeType).toBe('image/webp');
    expect(bytes.length).toBeLessThan(1_500_000);
    await using other = await connectFiles({ directories: [root], maxImageSide: 200 });
    expect(await sizeOf((await read(other, 'noisy')).bytes)).toBe('png 200 × 200');
  });

  it('is rejected if it is larger than maxBytes or --max-image-bytes', async () => {
    const large = await imageOf('jpeg', 3000, 1000, { noise: true });
    const root = await rootWith({ large });
    await using session = await connectFiles({ directories: [root], maxImageBytes: 2048 });
    expect(await session.fails('read_media_file', { path: 'large' })).toMatch(
      /^TOO_LARGE: .* the limit is 2048 bytes\n.*--max-image-bytes$/,
    );
    await using other = await connectFiles({ directories: [root] });
    expect(await other.fails('read_media_file', { path: 'large', maxBytes: 1000 })).toMatch(/the limit is 1000 bytes/);
  });

  it('is sent unchanged if it cannot be decoded', async () => {
    const broken = (await imageOf('png', 3000, 1000)).subarray(0, 200);
    await using session = await connectFiles({ directories: [await rootWith({ broken })] });
    expect((await read(session, 'broken')).bytes.equals(broken)).toBe(true);
  });
});

describe('an image that is made to exhaust the server', () => {
  it('is rejected before it is decoded if it has too many pixels', async () => {
    // 20,000 × 20,000 pixels of one colour have a few hundred kilobytes.
    const bomb = await sharp({
      create: { width: 20_000, height: 20_000, channels: 3, background: 'red' },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(bomb.length).toBeLessThan(5_000_000);
    const root = await rootWith({ bomb });
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails('read_media_file', { path: 'bomb' })).toMatch(
      /^TOO_LARGE: "bomb" has 20000 × 20000 pixels; the limit is 100000000 pixels\n.*--max-image-pixels/,
    );
  });

  it('is not decoded with another decoder than that of its type', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="9000"><image href="/etc/passwd"/></svg>',
    );
    const polyglot = Buffer.concat([Buffer.from('GIF89a'), svg]);
    await using session = await connectFiles({ directories: [await rootWith({ 'x.gif': polyglot })] });
    expect((await read(session, 'x.gif')).bytes.equals(polyglot)).toBe(true);
  });

  it('is decoded for two callers at a time, and the others wait', async () => {
    const noisy = await imageOf('jpeg', 4000, 3000, { noise: true });
    await using session = await connectFiles({ directories: [await rootWith({ noisy })] });
    const all = await Promise.all(Array.from({ length: 6 }, () => read(session, 'noisy')));
    for (const { bytes } of all) expect(await sizeOf(bytes)).toBe('jpeg 1568 × 1176');
  });
});
