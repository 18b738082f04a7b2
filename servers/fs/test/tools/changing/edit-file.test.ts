import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory, temporaryState } from '../../fixtures/temporary.ts';
import { BOMBS, EDITS, REFUSED } from '../../fixtures/edits.ts';

describe.each(ERAS)('edit_file, on a %s connection,', (era) => {
  it.each(EDITS)('replaces %s', async (_, before, edits, after) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), before);
    await using session = await connectFiles({ directories: [root] }, era);
    await session.text('edit_file', { path: 'f', edits });
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe(after);
  });

  it.each(REFUSED)('rejects %s, and changes nothing', async (_, before, edits, message) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), before);
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await session.fails('edit_file', { path: 'f', edits })).toContain(message);
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe(before);
    expect(await session.text('list_changes')).toBe('No change can be undone');
  });
});

describe('edit_file', () => {
  it('shows the smallest difference with three lines around it', async () => {
    const root = await temporaryDirectory();
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
    await writeFile(path.join(root, 'f'), `${lines.join('\n')}\n`);
    await using session = await connectFiles({ directories: [root] });
    const edits = [
      { oldText: 'line 5\nline 6\nline 7', newText: 'line 5\nsix\nline 7' },
      { oldText: 'line 18', newText: 'line 18' },
    ];
    const { content, structuredContent, _meta } = await session.call('edit_file', { path: 'f', edits });
    const text = `\`\`\`diff
--- ${root}/f
+++ ${root}/f
@@ -3,7 +3,7 @@
 line 3
 line 4
 line 5
-line 6
+six
 line 7
 line 8
 line 9
\`\`\`
`;
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining(text) }]);
    expect(structuredContent).toBeUndefined();
    expect(_meta).toMatchObject({ path: path.join(root, 'f'), hunks: 1, replacements: 2, dryRun: false });
  });

  it('shows removed lines with their replacements in 20,000 bytes, and how to see the rest', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'x\n'.repeat(40_000));
    await using session = await connectFiles({ directories: [root] });
    const asked = { path: 'f', edits: [{ oldText: 'x', newText: 'y', replaceAll: true }] };
    const dry = await session.text('edit_file', { ...asked, dryRun: true });
    expect(dry).toMatch(
      /\n\[\d+ of 2000 changed places are shown; set startLine and endLine of an edit to show fewer places\.\]$/,
    );
    const text = await session.text('edit_file', asked);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    const [, shown] = /\n\[(\d+) of 2000 changed places are shown; read_text_file shows the changed file\.\]$/.exec(text) ?? [];
    expect(text.match(/^@@/gm)).toHaveLength(Number(shown));
    expect(text.match(/^\+y$/gm)).toHaveLength(20 * Number(shown));
    expect(text.match(/^-x$/gm)).toHaveLength(20 * Number(shown));
    expect(text).toContain(`${'-x\n'.repeat(20)}${'+y\n'.repeat(20)}@@ -21,20 +21,20 @@\n-x`);
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('y\n'.repeat(40_000));
  });

  it.each([20_000, 1024])('shows the change in a line that is longer than %d bytes', async (maxBytes) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), `a\n${'😀'.repeat(30_000)}one${'z'.repeat(30_000)}\nb\n`);
    await using session = await connectFiles({ directories: [root], maxBytes });
    const text = await session.text('edit_file', { path: 'f', edits: [{ oldText: 'one', newText: 'two' }] });
    expect(text).toMatch(/\n-…(?:😀)+onez+…\n\+…(?:😀)+twoz+…\n/);
    expect(text).toMatch(/\n\[Long lines are shortened around their first change; read_text_file shows the changed file\.\]$/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
  });

  it('uses a fence that the content of the file cannot close', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'a\n');
    await using session = await connectFiles({ directories: [root] });
    const text = await session.text('edit_file', { path: 'f', edits: [{ oldText: 'a', newText: '````\nb' }] });
    expect(text).toMatch(/^`{5}diff\n/);
  });

  it('shows the diff in a dry run and does not change the file', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'a\n');
    await using session = await connectFiles({ directories: [root] });
    const { content, structuredContent, _meta } = await session.call('edit_file', {
      path: 'f',
      edits: [{ oldText: 'a', newText: 'b' }],
      dryRun: true,
    });
    expect(JSON.stringify(content)).toContain(String.raw`-a\n+b`);
    expect(structuredContent).toBeUndefined();
    expect(_meta).not.toHaveProperty('undoId');
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('a\n');
    expect(await session.text('list_changes')).toBe('No change can be undone');
    expect(_meta).toMatchObject({ etag: await etagOf(session, 'f'), dryRun: true });
  });

  it('acquires no lock and writes nothing in a dry run, like replace_in_files', async () => {
    const root = await temporaryDirectory();
    const stateDir = temporaryState();
    await writeFile(path.join(root, 'f'), 'a\n');
    const facts = async (): Promise<unknown> =>
      Promise.all(
        [root, path.join(root, 'f')].map(async (each) =>
          (({ ino, mtimeNs, ctimeNs }) => [ino, mtimeNs, ctimeNs])(await stat(each, { bigint: true })),
        ),
      );
    const before = await facts();
    await using session = await connectFiles({ directories: [root], stateDir });
    await session.text('edit_file', { path: 'f', edits: [{ oldText: 'a', newText: 'b' }], dryRun: true });
    await session.text('replace_in_files', { path: '.', pattern: 'a', replacement: 'b', dryRun: true });
    expect(await facts()).toEqual(before);
    await expect(stat(stateDir)).rejects.toThrow('ENOENT');
  });

  it('finds only exact matches, if requested', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), '\ta\n');
    await using session = await connectFiles({ directories: [root] });
    const text = await session.fails('edit_file', { path: 'f', edits: [{ oldText: '  a', newText: 'b' }], match: 'exact' });
    expect(text).toContain('the most similar text is line 1: only the white space at the ends of its lines differs');
  });

  it.each([
    ['binary', Buffer.from([0, 1, 2, 0, 0, 3]), 'BINARY_FILE'],
    ['too large', Buffer.alloc(2000, 'x'), 'TOO_LARGE'],
  ])('rejects a file that is %s', async (_, content, code) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), content);
    await using session = await connectFiles({ directories: [root], maxEditBytes: 1024 });
    expect(await session.fails('edit_file', { path: 'f', edits: [{ oldText: 'x', newText: 'y' }] })).toMatch(
      new RegExp(`^${code}`),
    );
  });

  it.each(BOMBS)('fails quickly and changes nothing if the request is too expensive: %s', async (_, content, edits, message) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), content);
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails('edit_file', { path: 'f', edits })).toMatch(message);
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe(content);
  });

  it('suggests a file with a similar name if the file is missing', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'notes.txt'), 'x');
    await using session = await connectFiles({ directories: [root] });
    const text = await session.fails('edit_file', { path: 'note.txt', edits: [{ oldText: 'x', newText: 'y' }] });
    expect(text).toBe('NOT_FOUND: "note.txt" does not exist\ndid you mean "notes.txt"?');
  });
});

async function etagOf(session: Awaited<ReturnType<typeof connectFiles>>, file: string): Promise<unknown> {
  const { _meta } = await session.call('edit_file', {
    path: file,
    edits: [{ oldText: 'a', newText: 'a' }],
    dryRun: true,
  });
  return (_meta as { readonly etag: string }).etag;
}
