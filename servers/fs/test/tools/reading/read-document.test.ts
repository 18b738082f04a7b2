import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { zipOf } from '../../fixtures/archives.ts';
import { docxOf, openDocumentOf, pdfOf, pptxOf, xlsxOf } from '../../fixtures/documents.ts';
import { connectAll } from '../../fixtures/rewinds.ts';
import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';

async function rootWith(files: Readonly<Record<string, Buffer>>): Promise<string> {
  const root = await temporaryDirectory();
  for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(root, name), bytes);
  return root;
}

const ODT = openDocumentOf(
  'text',
  '<text:h>Title</text:h><text:p>One<text:s/>two<text:line-break/>three<office:annotation><text:p>Remark</text:p></office:annotation></text:p>' +
    '<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>',
);
const ODS = openDocumentOf(
  'spreadsheet',
  '<table:table table:name="Costs"><table:table-row><table:table-cell><text:p>rent</text:p></table:table-cell><table:table-cell><text:p>700</text:p></table:table-cell></table:table-row></table:table>',
);
const ODP = openDocumentOf(
  'presentation',
  '<draw:page><text:p>First</text:p></draw:page><draw:page><text:p>Second</text:p><presentation:notes><text:p>Note</text:p></presentation:notes></draw:page>',
);

const DOCUMENTS: readonly (readonly [name: string, bytes: Buffer, text: string, parts: number])[] = [
  ['a.pdf', pdfOf(['Hello page one', 'And page two']), '[Page 1, 1 of 2]\nHello page one\n[Page 2, 2 of 2]\nAnd page two', 2],
  ['a.docx', docxOf(['First', 'Second &amp; third']), 'First\nSecond & third\n', 1],
  [
    'a.xlsx',
    xlsxOf({
      Costs: [
        ['Item', 'Price'],
        ['Rent', 700.5],
      ],
      Empty: [],
    }),
    '[Sheet Costs, 1 of 2]\nItem\tPrice\nRent\t700.5\n[Sheet Empty, 2 of 2]\n',
    2,
  ],
  ['a.pptx', pptxOf([['One', 'Two'], ['Three']]), '[Slide 1, 1 of 2]\nOne\nTwo\n[Slide 2, 2 of 2]\nThree', 2],
  ['a.odt', ODT, 'Title\nOne two\nthree\na \tb', 1],
  ['a.ods', ODS, '[Sheet Costs, 1 of 1]\nrent \t700', 1],
  ['a.odp', ODP, '[Slide 1, 1 of 2]\nFirst\n[Slide 2, 2 of 2]\nSecond', 2],
];

describe.each(ERAS)('read_document, on a %s connection,', (era) => {
  it.each(DOCUMENTS)('reads the text of %s', async (name, bytes, text, parts) => {
    // The type is detected from the content, so a copy without a file extension has the same text.
    await using session = await connectAll(await rootWith({ [name]: bytes, other: bytes }), {}, era);
    const { content, _meta } = await session.call('read_document', { path: name });
    expect(JSON.stringify(content)).toContain(JSON.stringify(text).slice(1, -1).trimEnd());
    expect(_meta).toMatchObject({ parts, startLine: 1, etag: expect.stringMatching(/^[\w-]{16}$/) });
    expect(await session.text('read_document', { path: 'other' })).toContain(text.split('\n')[0]);
  });
});

describe('read_document', () => {
  const LONG = docxOf(Array.from({ length: 300 }, (_, line) => `Line ${line + 1} ${'x'.repeat(90)}`));

  it('reads a long text in parts, each of which says how to read on', async () => {
    await using session = await connectAll(await rootWith({ long: LONG }));
    const lines: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const text: string = await session.text('read_document', { path: 'long', offset });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
      lines.push(...(text.match(/^Line \d+ /gm) ?? []));
      offset = Number(/Read on with offset (\d+)\./.exec(text)?.[1] ?? NaN);
      if (Number.isNaN(offset)) break;
    }
    expect(lines).toEqual(Array.from({ length: 300 }, (_, line) => `Line ${line + 1} `));
  });

  it('begins at a page and returns at most as many lines as requested', async () => {
    const pdf = pdfOf(['One', 'Two', 'Three']);
    await using session = await connectAll(await rootWith({ pdf }));
    const text = await session.text('read_document', { path: 'pdf', part: 2, limit: 2 });
    expect(text).toContain('[Page 2, 2 of 3]\nTwo');
    expect(text).not.toContain('Three');
    expect(text).toContain('Lines 1 to 2 of 4 are shown. Read on with part 2 and offset 2.');
    expect(await session.fails('read_document', { path: 'pdf', part: 4 })).toMatch(
      /^INVALID_ARGUMENTS: the document has 3 parts/,
    );
    expect(await session.fails('read_document', { path: 'pdf', offset: 99 })).toMatch(
      /^INVALID_ARGUMENTS: the text ends at line 6/,
    );
  });

  it('wraps long paragraphs without separating characters', async () => {
    const long = docxOf(['word '.repeat(300), '😀'.repeat(600)]);
    await using session = await connectAll(await rootWith({ long }));
    const lines = (await session.text('read_document', { path: 'long' })).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(500);
    expect(lines.join('')).not.toMatch(/\p{Cs}/u);
    expect(lines.join('').match(/😀/gu)).toHaveLength(600);
    expect(lines.join(' ').match(/word/g)).toHaveLength(300);
  });

  it('says that pages contain no text, as in a scanned document', async () => {
    const pdf = pdfOf(['', 'Text', '']);
    await using session = await connectAll(await rootWith({ pdf, empty: docxOf([]) }));
    expect(await session.text('read_document', { path: 'pdf' })).toContain('2 of 3 parts contain no text; they may be images.');
    expect(await session.text('read_document', { path: 'empty' })).toContain('The document contains no text.');
  });

  it('reads a changed document again', async () => {
    const root = await rootWith({ 'a.docx': docxOf(['Old']) });
    await using session = await connectAll(root);
    expect(await session.text('read_document', { path: 'a.docx' })).toContain('Old');
    await writeFile(path.join(root, 'a.docx'), docxOf(['New text']));
    expect(await session.text('read_document', { path: 'a.docx' })).toContain('New text');
  });

  it.each([
    ['a text file', Buffer.from('text'), /^INVALID_DOCUMENT: "x" is not a document that can be read\n.*read_text_file/],
    ['an empty file', Buffer.alloc(0), /^INVALID_DOCUMENT/],
    ['a ZIP archive', zipOf([{ name: 'a', content: 'a' }]), /^INVALID_DOCUMENT/],
    [
      'an old Office file',
      Buffer.from('d0cf11e0a1b11ae1'.padEnd(1200, '0'), 'hex'),
      /^INVALID_DOCUMENT: .* old Office format or is protected/,
    ],
    ['a damaged PDF', Buffer.from('%PDF-1.4\n%%EOF\n'), /^INVALID_DOCUMENT: "x" cannot be read: .*PDF/],
    ['a Word document with invalid XML', docxOf([], '<w:document'), /^INVALID_DOCUMENT/],
    ['a truncated Word document', docxOf(['a']).subarray(0, -30), /^INVALID_/],
  ])('rejects %s', async (_, bytes, expected) => {
    await using session = await connectAll(await rootWith({ x: bytes }));
    expect(await session.fails('read_document', { path: 'x' })).toMatch(expected);
  });

  it('is named by the error of read_text_file, which cannot read a document', async () => {
    const root = await rootWith({ 'a.docx': docxOf(['text']) });
    await using session = await connectAll(root);
    expect(await session.fails('read_text_file', { path: 'a.docx' })).toMatch(
      /^BINARY_FILE: .*\nread_document reads PDF and Office files/,
    );
    await using other = await connectFiles({ directories: [root] });
    expect(await other.fails('read_text_file', { path: 'a.docx' })).toContain(
      'does not offer read_document (tool set documents)',
    );
  });

  it('is offered only with --tools documents', async () => {
    const root = await rootWith({});
    await using session = await connectFiles({ directories: [root] });
    expect(await session.toolNames()).not.toContain('read_document');
  });

  it('stops when it is cancelled', async () => {
    const root = await rootWith({ 'slow.docx': docxOf(['text '.repeat(200_000)]) });
    await using session = await connectAll(root);
    const reading = session.start('read_document', { path: 'slow.docx' });
    reading.cancel();
    await expect(reading.result).rejects.toThrow();
    expect(await session.text('read_document', { path: 'slow.docx' })).toContain('text text');
  });
});

describe('a document that is made to exhaust the server', () => {
  it.each([
    [
      '--max-document-bytes by its size',
      docxOf(['a'.repeat(5000)].concat(Array.from({ length: 60 }, (_, n) => String(n * 7919 ** 3)))),
      { maxDocumentBytes: 1024 },
      /the limit is 1024 bytes\n.*--max-document-bytes/,
    ],
    [
      '--max-document-bytes by its text',
      docxOf(['a'.repeat(500_000)]),
      { maxDocumentBytes: 100_000 },
      /a text of 50\d{4} bytes; the limit is 100000 bytes\n.*--max-document-bytes/,
    ],
    ['--max-archive-bytes', docxOf(['a'.repeat(500_000)]), { maxArchiveBytes: 100_000 }, /--max-archive-bytes/],
    ['--max-archive-ratio', docxOf(['a'.repeat(3_000_000)]), { maxArchiveRatio: 10 }, /--max-archive-ratio/],
    ['--max-archive-entries', docxOf(['a']), { maxArchiveEntries: 2 }, /--max-archive-entries/],
  ])('is rejected if it exceeds %s', async (_, bytes, options, expected) => {
    await using session = await connectAll(await rootWith({ x: bytes }), options);
    const failed = await session.fails('read_document', { path: 'x' });
    expect(failed).toMatch(/^TOO_LARGE/);
    expect(failed).toMatch(expected);
  });

  it('is rejected if an entry is longer than the archive declares', async () => {
    const bytes = zipOf([
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
      { name: 'content.xml', content: 'x'.repeat(2_000_000), declaredSize: 10 },
    ]);
    await using session = await connectAll(await rootWith({ x: bytes }));
    expect(await session.fails('read_document', { path: 'x' })).toMatch(/^INVALID_ARCHIVE/);
  });

  it.each([
    ['a Word document', docxOf],
    ['a presentation', (_: readonly string[], xml: string) => pptxOf([['One']], xml)],
  ])('cannot expand entities in %s', async (_, create) => {
    const levels = Array.from({ length: 12 }, (__, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('');
    const xml = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "laugh">${levels}]><x><a:t xmlns:a="a">&e12;</a:t></x>`;
    await using session = await connectAll(await rootWith({ x: create([], xml) }), { maxDocumentTime: 5000 });
    const { content } = await session.client.callTool({ name: 'read_document', arguments: { path: 'x' } });
    expect(JSON.stringify(content)).not.toContain('laughlaugh');
  });

  it('fails with TIMEOUT if it takes longer than --max-document-time, and its thread ends', async () => {
    const slow = xlsxOf({
      Wide: Array.from({ length: 20_000 }, (_, row) => Array.from({ length: 20 }, (__, column) => row * column)),
    });
    await using session = await connectAll(await rootWith({ x: slow }), { maxDocumentTime: 100 });
    expect(await session.fails('read_document', { path: 'x' })).toMatch(
      /^TIMEOUT: "x" was not read within 100 ms\n.*--max-document-time/,
    );
  });

  it('is rejected if it needs more memory than its thread has, and the server continues', async () => {
    // A cell in the last column of the last row makes the library create a table of 17 billion cells.
    const sparse = xlsxOf({ Sparse: [[1]] }, '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>');
    const root = await rootWith({ x: sparse, y: xlsxOf({ Small: [[1]] }) });
    await using session = await connectAll(root);
    expect(await session.fails('read_document', { path: 'x' })).toMatch(/^(?:TOO_LARGE|TIMEOUT)/);
    expect(await session.text('read_document', { path: 'y' })).toContain('[Sheet Small, 1 of 1]');
  }, 60_000);
});

describe('a document outside the roots', () => {
  it('is not read through a link', async () => {
    const outside = await rootWith({ 'secret.docx': docxOf(['secret']) });
    const root = await rootWith({});
    await symlink(path.join(outside, 'secret.docx'), path.join(root, 'link.docx'));
    await using session = await connectAll(root);
    expect(await session.fails('read_document', { path: 'link.docx' })).toMatch(/^(?:PATH_OUTSIDE_ROOTS|DENIED_BY_POLICY)/);
  });
});
