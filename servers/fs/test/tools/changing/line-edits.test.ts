import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';
import { undoIdOf } from '../../fixtures/trees.ts';

async function etagOf(session: Session): Promise<string> {
  const { structuredContent } = await session.call('get_file_info', { path: 'f' });
  return String((structuredContent as { readonly etag: string }).etag);
}

const REPLACED: readonly (readonly [what: string, before: string, edits: readonly object[], after: string])[] = [
  ['one line', 'a\nb\nc\n', [{ newText: 'x', startLine: 2 }], 'a\nx\nc\n'],
  ['several lines', 'a\nb\nc\n', [{ newText: 'x\ny\nz\n', startLine: 1, endLine: 2 }], 'x\ny\nz\nc\n'],
  ['lines by nothing', 'a\nb\nc\n', [{ newText: '', startLine: 2, endLine: 3 }], 'a\n'],
  ['the last line without a line break', 'a\nb', [{ newText: 'x\n', startLine: 2 }], 'a\nx'],
  ['lines with CRLF', 'a\r\nb\r\nc\r\n', [{ newText: 'x\ny', startLine: 2 }], 'a\r\nx\r\ny\r\nc\r\n'],
  [
    'lines by their numbers before the first edit',
    'a\nb\nc\nd\n',
    [
      { newText: '1\n2\n3', startLine: 1 },
      { newText: '', startLine: 2 },
      { newText: 'last', startLine: 4 },
    ],
    '1\n2\n3\nc\nlast\n',
  ],
  [
    'lines and a text in one call',
    'a\nb\nc\n',
    [
      { newText: 'x\ny', startLine: 1 },
      { oldText: 'c', newText: 'd', startLine: 3 },
    ],
    'x\ny\nb\nd\n',
  ],
];

describe.each(ERAS)('edit_file without oldText, on a %s connection,', (era) => {
  it.each(REPLACED)('replaces %s', async (_, before, edits, after) => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'f');
    await writeFile(file, before);
    await using session = await connectFiles({ directories: [root] }, era);
    const undoId = await undoIdOf(session, 'edit_file', { path: 'f', edits, ifMatch: await etagOf(session) });
    expect(await readFile(file, 'utf8')).toBe(after);
    await session.text('undo_change', { undoId });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it.each<[string, readonly object[], string]>([
    [
      'a line that does not exist',
      [{ newText: 'x', startLine: 4 }],
      'NO_MATCH: the lines of edits[0] do not exist: the number of lines in the file is 3',
    ],
    ['an end that does not exist', [{ newText: 'x', startLine: 3, endLine: 4 }], 'NO_MATCH: the lines of edits[0] do not exist'],
    ['lines in the wrong order', [{ newText: 'x', startLine: 2, endLine: 1 }], 'INVALID_ARGUMENTS: endLine is before startLine'],
    ['neither text nor line', [{ newText: 'x' }], 'INVALID_ARGUMENTS: edits[0] has no oldText or startLine'],
    [
      'overlapping lines',
      [
        { newText: 'x', startLine: 2, endLine: 3 },
        { newText: 'y', startLine: 3 },
      ],
      'INVALID_ARGUMENTS: two edits without oldText replace the same line',
    ],
  ])('rejects %s, and changes nothing', async (_, edits, message) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'a\nb\nc\n');
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await session.fails('edit_file', { path: 'f', edits, ifMatch: await etagOf(session) })).toContain(message);
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('a\nb\nc\n');
  });

  it('needs the etag of the current file, also in a dry run', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'a\nb\n');
    await using session = await connectFiles({ directories: [root] }, era);
    const edits = [{ newText: 'x', startLine: 1 }];
    const ifMatch = await etagOf(session);
    for (const dryRun of [false, true])
      expect(await session.fails('edit_file', { path: 'f', edits, dryRun })).toContain(
        'INVALID_ARGUMENTS: edits[0] has no oldText, so the call needs ifMatch',
      );
    await writeFile(path.join(root, 'f'), 'new\na\nb\n');
    for (const dryRun of [false, true])
      expect(await session.fails('edit_file', { path: 'f', edits, ifMatch, dryRun })).toMatch(/^CONFLICT/);
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('new\na\nb\n');
  });
});
