import { appendFile, utimes } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles } from '../../fixtures/temporary.ts';
import { MANY, noted, read, rootWith } from '../../fixtures/one-file.ts';

describe.each(ERAS)('a read on a %s connection', (era) => {
  it('reports the facts of a whole file', async () => {
    await using session = await connectFiles({ directories: [await rootWith('one\r\ntwo\r\n')] }, era);
    const { content, _meta } = await read(session);
    expect(content).toEqual([{ type: 'text', text: 'one\r\ntwo\r\n' }]);
    expect(_meta).toMatchObject({
      etag: expect.stringMatching(/^[\w-]{16}$/),
      encoding: 'utf-8',
      bom: false,
      eol: 'crlf',
      startLine: 1,
      endLine: 2,
      totalLines: 2,
      truncated: false,
      bytes: 10,
    });
  });

  it('reports the position of a range and the next offset', async () => {
    await using session = await connectFiles({ directories: [await rootWith(MANY.join(''))] }, era);
    const { content, _meta } = await read(session, { offset: 1000, limit: 2 });
    expect(content).toEqual([noted('line 1001\nline 1002\n')]);
    expect(_meta).toMatchObject({ startLine: 1001, endLine: 1002, truncated: true, nextOffset: 1002 });
    expect(_meta?.['totalLines']).toBeUndefined();
  });

  it('works under its old name', async () => {
    await using session = await connectFiles({ directories: [await rootWith(MANY.join(''))] }, era);
    const how = { tail: 3 };
    expect(await read(session, how, 'read_file')).toEqual(await read(session, how));
  });

  it('reports only that a file is unchanged, until it changes', async () => {
    const root = await rootWith('one\n');
    await using session = await connectFiles({ directories: [root] }, era);
    const etag = (await read(session))._meta?.['etag'];
    const again = await read(session, { ifNoneMatch: etag });
    expect(again.content).toEqual([{ type: 'text', text: 'The file is unchanged: it has the given etag' }]);
    expect(again._meta).toMatchObject({ etag, unchanged: true });
    await appendFile(path.join(root, 'file.txt'), 'two\n');
    const changed = await read(session, { ifNoneMatch: etag });
    expect(changed.content[0]).toMatchObject({ text: 'one\ntwo\n' });
    expect(changed._meta?.['etag']).not.toBe(etag);
  });

  it('sends a file again if only its time changed', async () => {
    const root = await rootWith('one\n');
    await using session = await connectFiles({ directories: [root] }, era);
    const etag = (await read(session))._meta?.['etag'];
    await utimes(path.join(root, 'file.txt'), 1, 1);
    expect((await read(session, { ifNoneMatch: etag })).content[0]).toMatchObject({ text: 'one\n' });
  });

  it.each([
    ['an empty file', '', '[The file is empty.]'],
    [
      'a last line that imitates a note',
      'a\n[read on with offset 9]',
      'a\n[read on with offset 9]\n[The text ends here, without a line break.]',
    ],
  ])('has a note for %s', async (_, file, text) => {
    await using session = await connectFiles({ directories: [await rootWith(file)] }, era);
    expect((await read(session)).content).toEqual([{ type: 'text', text }]);
  });

  it.each(['[1, 2]\n', '{\n  "a": 1\n}\n', '42'])('begins with a title if the file is JSON: %j', async (file) => {
    await using session = await connectFiles({ directories: [await rootWith(file)] }, era);
    const { content, _meta } = await read(session);
    const lines = file === '[1, 2]\n' || file === '42' ? '1 line' : '3 lines';
    expect(content).toEqual([{ type: 'text', text: `file.txt, ${lines}, etag ${String(_meta?.['etag'])}:\n${file}` }]);
  });

  it('returns at most 20,000 bytes, and the whole file in several parts', async () => {
    await using session = await connectFiles({ directories: [await rootWith(MANY.join(''))] }, era);
    const found: string[] = [];
    for (let offset: unknown = 0; offset !== undefined;) {
      const { content, _meta } = await read(session, { offset });
      const text = content[0]?.type === 'text' ? content[0].text : '';
      expect(Buffer.byteLength(text)).toBeLessThan(20_200);
      found.push(text.replace(/\[Lines? [^\n]*\]$/, ''));
      offset = _meta?.['nextOffset'];
    }
    expect(found.length).toBe(3);
    expect(found.join('')).toBe(MANY.join(''));
  });

  it('sends a body once', async () => {
    const body = 'The quick brown fox jumps over the lazy dog, and says so.\n'.repeat(300);
    await using session = await connectFiles({ directories: [await rootWith(body)] }, era);
    const wire = JSON.stringify(await read(session)).length;
    expect(wire / body.length).toBeLessThan(1.15);
  });
});

describe('line numbers', () => {
  it.each([
    ['from the start', { head: 2 }, '1\tline 1\n2\tline 2\n'],
    ['after an offset', { offset: 4998 }, '4999\tline 4999\n5000\tline 5000\n'],
    ['from the end', { tail: 2 }, '4999\tline 4999\n5000\tline 5000\n'],
  ])('are the line numbers of the file %s', async (_, range, text) => {
    await using session = await connectFiles({ directories: [await rootWith(MANY.join(''))], maxBytes: 2048 });
    const { content, _meta } = await read(session, { lineNumbers: true, ...range });
    expect(content[0]).toMatchObject('head' in range ? noted(text) : { text });
    expect(_meta?.['startLine']).toBe(Number(text.split('\t')[0]));
  });

  it.each([{}, { tail: 5000 }])('count towards the byte limit: %j', async (range) => {
    await using session = await connectFiles({ directories: [await rootWith('\n'.repeat(5000))], maxBytes: 1024 });
    const { content, _meta } = await read(session, { lineNumbers: true, ...range });
    expect(content[0]?.type === 'text' && content[0].text.length).toBeLessThan(1200);
    expect(_meta).toMatchObject({ truncated: true });
  });

  it('are not added after a last newline, but before a last line without one', async () => {
    await using session = await connectFiles({ directories: [await rootWith('a\n\nb')] });
    expect((await read(session, { lineNumbers: true })).content).toMatchObject([{ text: '1\ta\n2\t\n3\tb' }]);
  });
});

describe('a text of white space', () => {
  it('is described in words', async () => {
    await using session = await connectFiles({ directories: [await rootWith(' \n\n\t\n')] });
    expect((await read(session)).content).toMatchObject([{ text: ' \n\n\t\n[The text above is only white space.]' }]);
    expect((await read(session, { head: 1 })).content).toMatchObject([
      { text: expect.stringMatching(/^ \n\[The text above is only white space\. Line 1 is shown; .*\]$/) },
    ]);
  });
});

describe('a limit of a read', () => {
  it('is the requested limit, but at most --max-bytes', async () => {
    await using session = await connectFiles({ directories: [await rootWith(MANY.join(''))], maxBytes: 1024 });
    expect((await read(session, { maxBytes: 100 })).content[0]).toEqual(noted(MANY.slice(0, 13).join('')));
    const capped = await read(session, { maxBytes: 1_000_000 });
    expect(capped.content[0]).toEqual((await read(session)).content[0]);
    expect(capped._meta).toMatchObject({ truncated: true });
  });

  it.each(['utf8', 'utf16le'] as const)('cuts a long line so that its rest can be read: %s', async (encoding) => {
    const line = 'für €😀'.repeat(900);
    const text = `\ufefffirst\n${line}\nlast\n`;
    await using session = await connectFiles({ directories: [await rootWith(Buffer.from(text, encoding))], maxBytes: 1024 });
    const found: string[] = [];
    for (let next: object | undefined = {}; next !== undefined;) {
      const { content, _meta } = await read(session, next);
      // If only a part of a line is shown, the line break before the note is not part of the line, so the test removes it.
      const block = content[0]?.type === 'text' ? content[0].text : '';
      found.push(block.replace(/\n\[Line \d+ is shown in part; [^\n]*skipBytes \d+\.\]$/, '').replace(/\[Lines? [^\n]*\]$/, ''));
      const { nextOffset: offset, nextSkipBytes: skipBytes } = _meta ?? {};
      next = offset === undefined ? undefined : { offset, ...(skipBytes !== undefined && { skipBytes }) };
    }
    expect(found.join('')).toBe(text.slice(1));
    expect(await session.fails('read_text_file', { path: 'file.txt', offset: 0, skipBytes: 100 })).toMatch(
      /^INVALID_ARGUMENTS: skipBytes: the line has fewer than 100 bytes/,
    );
  });

  it.each([
    ['utf-8', Buffer.from('日本'), 1, 0],
    ['utf-8', Buffer.from(`${'a'.repeat(100_000)}😀`), 100_003, 100_000],
    ['utf-16le', Buffer.from('\ufeff日本', 'utf16le'), 3, 2],
    ['utf-16le', Buffer.from('\ufeff😀', 'utf16le'), 4, 2],
    ['shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 3, 2],
  ] as const)('rejects a start inside a character: %s', async (encoding, bytes, skipBytes, begin) => {
    await using session = await connectFiles({ directories: [await rootWith(bytes)], maxBytes: 262_144 });
    const given = encoding === 'shift_jis' ? { encoding } : {};
    expect(await session.fails('read_text_file', { path: 'file.txt', ...given, skipBytes })).toBe(
      `INVALID_ARGUMENTS: skipBytes: byte ${skipBytes} of the line is inside a character\nthe character begins at byte ${begin}`,
    );
    expect(await session.text('read_text_file', { path: 'file.txt', ...given, skipBytes: begin })).not.toBe('');
  });

  it('is also noted for the last lines, even if the file ends without a line break', async () => {
    await using session = await connectFiles({ directories: [await rootWith(`${MANY.join('')}end`)], maxBytes: 1024 });
    const [block] = (await read(session, { tail: 1000 })).content;
    expect(block?.type === 'text' && block.text).toMatch(
      /\nend\n\[Lines \d+ to 5001 are shown; the file has \d+ bytes\. [^\n]*\. The last line has no line break\.\]$/,
    );
  });

  it.each([{}, { lineNumbers: true }])('names the call that reads the lines before the last ones: %j', async (how) => {
    const lines = MANY.slice(0, 300);
    await using session = await connectFiles({ directories: [await rootWith(lines.join(''))], maxBytes: 1024 });
    const textOf = async (range: object): Promise<string> => {
      const [block] = (await read(session, { ...range, ...how })).content;
      return block?.type === 'text' ? block.text : '';
    };
    const last = await textOf({ tail: 300 });
    const [, first, offset, limit] =
      /\n\[Lines (\d+) to 300 are shown; the file has \d+ bytes\. Read earlier lines with offset (\d+) and limit (\d+)\.\]$/.exec(
        last,
      ) ?? [];
    const before = await textOf({ offset: Number(offset), limit: Number(limit) });
    const shown = `${before}${last}`.replaceAll(/^\[Lines .*\]\n?/gm, '').replaceAll(/^\d+\t/gm, '');
    expect(Number(limit)).toBe(300 - Number(first) + 1);
    expect(shown).toBe(lines.slice(Number(offset)).join(''));
  });

  it('names the line whose beginning is cut', async () => {
    await using session = await connectFiles({ directories: [await rootWith(`a\n${'x'.repeat(5000)}`)], maxBytes: 1024 });
    expect(JSON.stringify((await read(session, { tail: 1 })).content)).toContain(
      '[Line 2 is shown in part; the file has 5002 bytes. Read the beginning of the line with offset 1. The first',
    );
  });

  it('explains how to number the last lines of a large file', async () => {
    const text = `${'x'.repeat(1023)}\n`.repeat(20_000);
    await using session = await connectFiles({ directories: [await rootWith(text)], maxBytes: 4096 });
    expect(JSON.stringify((await read(session, { tail: 10 })).content)).toContain(
      '[The end of the file is shown (lines: 3); the file has 20480000 bytes. read_text_file with tail 3 and lineNumbers numbers these lines; offset and limit read earlier lines.]',
    );
  });

  it('cuts long lines if requested, and counts them', async () => {
    await using session = await connectFiles({ directories: [await rootWith(`a\n${'x'.repeat(1_000_000)}\nb\n`)] });
    const { content, _meta } = await read(session, { maxLineBytes: 20 });
    expect(content).toEqual([{ type: 'text', text: `a\n${'x'.repeat(20)} ... [line cut]\nb\n` }]);
    expect(_meta).toMatchObject({ cutLines: 1, truncated: false, totalLines: 3 });
  });

  it.each([
    ['a line of 31 MB, its beginning', { head: 1 }],
    ['a line of 31 MB, its end', { tail: 1 }],
    ['a line of 31 MB, cut', { head: 1, maxLineBytes: 100 }],
    ['a line of 31 MB, numbered', { tail: 1, lineNumbers: true }],
  ])('applies to %s', async (_, how) => {
    await using session = await connectFiles({ directories: [await rootWith('x'.repeat(31_000_000))] });
    const result = await read(session, how);
    expect(JSON.stringify(result).length).toBeLessThan(300_000);
    expect(JSON.stringify(result.content.map((block) => (block.type === 'text' ? block.text.slice(-400) : '')))).toMatch(
      /cut|skipBytes/,
    );
  });

  it('may be 1e15 lines', async () => {
    await using session = await connectFiles({ directories: [await rootWith('a\n')] });
    for (const how of [{ limit: 1e15 }, { head: 1e15 }, { tail: 1e15 }])
      expect((await read(session, how)).content).toEqual([{ type: 'text', text: 'a\n' }]);
  });

  it.each([
    ['a negative number of lines', { limit: -1 }, 'limit: must not be less than 1'],
    ['half a line', { head: 0.5 }, 'head: expected an integer, got 0.5'],
    ['lines of 3 bytes', { maxLineBytes: 3 }, 'maxLineBytes: must not be less than 16'],
    ['an unknown encoding', { encoding: 'ebcdic' }, 'encoding: '],
  ])('rejects %s', async (_, how, error) => {
    await using session = await connectFiles({ directories: [await rootWith('a\n')] });
    expect(await session.fails('read_text_file', { path: 'file.txt', ...how })).toContain(error);
  });
});

describe('a long read', () => {
  it('ends when it is cancelled, and the server continues', async () => {
    const root = await rootWith('x\n'.repeat(100));
    const lines = Buffer.alloc(1_048_576, 'another line of a log\n');
    for (let part = 0; part < 200; part += 1) await appendFile(path.join(root, 'file.txt'), lines);
    await using session = await connectFiles({ directories: [root] });
    const controller = new AbortController();
    const pending = session.call('read_text_file', { path: 'file.txt', offset: 1e12 }, { signal: controller.signal });
    controller.abort('enough');
    await expect(pending).rejects.toThrow('enough');
    expect((await read(session, { head: 1 })).content[0]).toEqual(noted('x\n'));
  });
});
