import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connect, ERAS, type Session } from '@org/mcp-testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { FilesystemOptions, RefusedHunks, ReviewedChange } from '../../../src/index.ts';
import { serverFor, temporaryDirectory, temporaryState } from '../../fixtures/temporary.ts';

const APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const TEXT = Array.from({ length: 40 }, (_, index) => `line ${index + 1}\n`).join('');

function open(given: Partial<FilesystemOptions>): Promise<Session> {
  return connect(serverFor(given), { capabilities: APPS });
}

async function review(session: Session, undoId: unknown): Promise<ReviewedChange> {
  return (await session.call('review_change', { undoId })).structuredContent as ReviewedChange;
}

async function write(session: Session, file: string, content: string): Promise<string> {
  const { structuredContent } = await session.call('write_file', { path: file, content });
  return (structuredContent as { readonly undoId: string }).undoId;
}

describe.each(ERAS)('review_change, in the %s era,', (era) => {
  it('compares the files of a change with their texts before it', async () => {
    const root = await temporaryDirectory();
    await using session = await connect(serverFor({ directories: [root] }), { era, capabilities: APPS });
    const file = path.join(root, 'a.txt');
    await writeFile(file, TEXT);
    const undoId = await write(session, file, TEXT.replace('line 5\n', 'fifth\n').replace('line 30\n', ''));
    expect(await review(session, undoId)).toMatchObject({
      undoId,
      tool: 'write_file',
      more: 0,
      files: [
        {
          path: file,
          state: 'changed',
          total: 2,
          hunks: [
            {
              hunk: 0,
              oldStart: 2,
              newStart: 2,
              lines: [' line 2', ' line 3', ' line 4', '-line 5', '+fifth', ' line 6', ' line 7', ' line 8'],
            },
            { hunk: 1, oldStart: 27, newStart: 27 },
          ],
        },
      ],
    });
  });
});

describe('review_change', () => {
  it('names the state of each file', async () => {
    const root = await temporaryDirectory();
    await using session = await open({ directories: [root] });
    const file = path.join(root, 'a.txt');
    const created = await write(session, file, 'one\n');
    expect(await review(session, created)).toMatchObject({ files: [{ state: 'created', hunks: [{ lines: ['+one'] }] }] });
    const replaced = await write(session, file, 'two\n');
    await writeFile(file, 'one\n');
    expect(await review(session, replaced)).toMatchObject({ files: [{ state: 'same', total: 0 }] });
    await session.call('delete_file', { path: file });
    expect(await review(session, replaced)).toMatchObject({ files: [{ state: 'deleted' }] });
    await writeFile(file, Buffer.from([0, 1, 2, 255]));
    expect(await review(session, replaced)).toMatchObject({ files: [{ state: 'other' }] });
    const { structuredContent } = await session.call('move_file', { source: file, destination: path.join(root, 'b') });
    expect(await review(session, (structuredContent as { undoId: string }).undoId)).toMatchObject({
      files: [{ state: 'other' }, { state: 'other' }],
    });
  });

  it('leaves out the files that do not fit', async () => {
    const root = await temporaryDirectory();
    await using session = await open({ directories: [root], maxBytes: 20_000 });
    for (const name of ['a', 'b', 'c', 'd']) await writeFile(path.join(root, name), `${'x'.repeat(1500)}\n`.repeat(3));
    const { _meta } = await session.call('replace_in_files', { path: root, pattern: 'xxxxx', replacement: 'y' });
    const { files, more } = await review(session, _meta?.['undoId']);
    expect(files.length).toBeGreaterThan(0);
    expect(files.length + more).toBe(4);
    expect(more).toBeGreaterThan(0);
  });

  it('does not disclose a change outside the roots of the caller', async () => {
    const [root, other, stateDir] = [await temporaryDirectory(), await temporaryDirectory(), temporaryState()];
    await using owner = await open({ directories: [root], stateDir });
    const file = path.join(root, 'a.txt');
    const undoId = await write(owner, file, 'secret\n');
    await using stranger = await open({ directories: [other], stateDir });
    for (const [tool, more] of [
      ['review_change', {}],
      ['refuse_hunks', { path: file, ifMatch: 'x', hunks: [0] }],
    ] as const) {
      await expect(stranger.call(tool, { undoId, ...more })).rejects.toThrow(`NOT_FOUND: the journal has no change "${undoId}"`);
    }
  });
});

describe('refuse_hunks', () => {
  it('restores the lines of some hunks, and can be undone', async () => {
    const root = await temporaryDirectory();
    await using session = await open({ directories: [root] });
    const file = path.join(root, 'a.txt');
    await writeFile(file, TEXT);
    const edited = TEXT.replace('line 5\n', 'fifth\n').replace('line 30\n', 'a\nb\n');
    const undoId = await write(session, file, edited);
    const [reviewed] = (await review(session, undoId)).files;
    const refused = await session.call('refuse_hunks', { undoId, path: file, ifMatch: reviewed?.etag, hunks: [0] });
    expect(await readFile(file, 'utf8')).toBe(TEXT.replace('line 30\n', 'a\nb\n'));
    await session.call('undo_change', { undoId: (refused.structuredContent as RefusedHunks).undoId });
    expect(await readFile(file, 'utf8')).toBe(edited);
  });

  it.each([
    ['UTF-16 with a byte order mark', `\uFEFF${TEXT}`, 'utf16le'],
    ['CRLF', TEXT.replaceAll('\n', '\r\n'), 'utf8'],
    ['no line break at the end', TEXT.slice(0, -1), 'utf8'],
    ['mixed line ends', TEXT.replace('line 3\n', 'line 3\r\n'), 'utf8'],
  ] as const)('keeps every other byte: %s', async (_, text, encoding) => {
    const root = await temporaryDirectory();
    await using session = await open({ directories: [root] });
    const file = path.join(root, 'a.txt');
    const before = Buffer.from(text, encoding);
    await writeFile(file, before);
    const edits = [
      { oldText: 'line 5', newText: 'fifth' },
      { oldText: 'line 40', newText: 'fortieth' },
    ];
    const { _meta } = await session.call('edit_file', { path: file, edits });
    const undoId = _meta?.['undoId'];
    const [reviewed] = (await review(session, undoId)).files;
    await session.call('refuse_hunks', { undoId, path: file, ifMatch: reviewed?.etag, hunks: [0, 1] });
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  it('of all hunks restores any text', async () => {
    const root = await temporaryDirectory();
    await using session = await open({ directories: [root] });
    const file = path.join(root, 'a.txt');
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd'), { minLength: 1, maxLength: 30 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        await writeFile(file, before);
        const undoId = await write(session, file, after);
        const [reviewed] = (await review(session, undoId)).files;
        const hunks = Array.from({ length: reviewed?.total ?? 0 }, (_, index) => index);
        if (hunks.length > 0) await session.call('refuse_hunks', { undoId, path: file, ifMatch: reviewed?.etag, hunks });
        expect(await readFile(file, 'utf8')).toBe(before);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['a file that changed since the review', { ifMatch: 'stale' }, 'CONFLICT'],
    ['a hunk that does not exist', { hunks: [7] }, 'there is no hunk 7'],
    ['a file of another change', { path: 'b.txt' }, 'does not concern'],
    ['an unknown change', { undoId: 'unknown' }, 'NOT_FOUND'],
    ['no hunks', { hunks: [] }, 'hunks'],
    ['a negative number', { hunks: [-1] }, 'hunks'],
  ])('refuses %s', async (_, wrong, message) => {
    const root = await temporaryDirectory();
    await using session = await open({ directories: [root] });
    const file = path.join(root, 'a.txt');
    await writeFile(file, TEXT);
    await writeFile(path.join(root, 'b.txt'), TEXT);
    const undoId = await write(session, file, TEXT.replace('line 5\n', 'fifth\n'));
    const [reviewed] = (await review(session, undoId)).files;
    const other = await session.call('get_file_info', { path: path.join(root, 'b.txt') });
    const ifMatch = 'path' in wrong ? (other.structuredContent as { etag: string }).etag : reviewed?.etag;
    const input = {
      undoId,
      path: file,
      ifMatch,
      hunks: [0],
      ...wrong,
      ...('path' in wrong && { path: path.join(root, 'b.txt') }),
    };
    await expect(session.call('refuse_hunks', input)).rejects.toThrow(message);
    expect(await readFile(file, 'utf8')).toBe(TEXT.replace('line 5\n', 'fifth\n'));
  });

  it('refuses hunks of a new file, which undo_change removes', async () => {
    const root = await temporaryDirectory();
    await using session = await open({ directories: [root] });
    const file = path.join(root, 'a.txt');
    const undoId = await write(session, file, 'one\n');
    const [reviewed] = (await review(session, undoId)).files;
    const refusal = session.call('refuse_hunks', { undoId, path: file, ifMatch: reviewed?.etag, hunks: [0] });
    await expect(refusal).rejects.toThrow('undo_change takes back');
  });
});
