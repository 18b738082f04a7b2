import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';
import { undoIdOf } from '../../fixtures/trees.ts';

const BYTES = Buffer.from([0, 255, 13, 10, 0x89, 0x50, 0xfe]);
const CONTENT = BYTES.toString('base64');

describe.each(ERAS)('write_file with the encoding base64, on a %s connection,', (era) => {
  it('writes exactly these bytes, and the change can be undone', async () => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'f');
    await writeFile(file, '\uFEFFtext\r\n');
    const before = await readFile(file);
    await using session = await connectFiles({ directories: [root] }, era);
    const undoId = await undoIdOf(session, 'write_file', { path: 'f', content: CONTENT, encoding: 'base64' });
    expect(await readFile(file)).toEqual(BYTES);
    await session.text('undo_change', { undoId });
    expect(await readFile(file)).toEqual(before);
  });

  it('creates files, also empty ones, in new directories', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] }, era);
    await session.text('write_file', { path: 'a/b', content: '', encoding: 'base64', createParents: true });
    expect(await readFile(path.join(root, 'a/b'))).toEqual(Buffer.alloc(0));
  });

  it('rejects another etag', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'x');
    await using session = await connectFiles({ directories: [root] }, era);
    const given = { path: 'f', content: CONTENT, encoding: 'base64', ifMatch: 'other' };
    expect(await session.fails('write_file', given)).toMatch(/^CONFLICT/);
  });

  it.each([
    ['a line break', 'AAEC\nAwQF'],
    ['a space', 'AAEC AwQF'],
    ['missing padding', 'AAE'],
    ['surplus padding', 'AAEC=='],
    ['bits after the last byte', 'AAF='],
    ['the URL alphabet', '_-8='],
    ['a data URI', 'data:;base64,AAEC'],
    ['a text', 'hello world'],
  ])('rejects content that is not strict base64: %s', async (_, content) => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await session.fails('write_file', { path: 'f', content, encoding: 'base64' })).toMatch(
      /^INVALID_ARGUMENTS: content is not valid base64\nuse the characters/,
    );
    await expect(readFile(path.join(root, 'f'))).rejects.toThrow('ENOENT');
  });

  it('rejects line endings', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] }, era);
    const given = { path: 'f', content: CONTENT, encoding: 'base64', eol: 'crlf' };
    expect(await session.fails('write_file', given)).toContain('eol cannot be combined with the encoding base64');
  });
});

describe('a copy of a large file', () => {
  it('reports the number of copied bytes', async () => {
    const root = await temporaryDirectory();
    const content = Buffer.alloc(40_000_000, BYTES);
    await writeFile(path.join(root, 'large'), content);
    await using session = await connectFiles({ directories: [root] });
    const call = session.start('copy_file', { source: 'large', destination: 'copy' });
    const report = await call.progress.next();
    expect(report).toMatchObject({ total: content.length, message: 'bytes copied' });
    await call.result;
    expect((await readFile(path.join(root, 'copy'))).equals(content)).toBe(true);
  });
});
