import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { shareFiles, treeOf } from '../../fixtures/tree-of.ts';
import { connectFiles } from '../../fixtures/temporary.ts';
import { REFUSED, REPLACEMENTS, type Args } from '../../fixtures/replacements.ts';

interface Replaced {
  readonly files: readonly {
    readonly path: string;
    readonly etag: string;
    readonly replacements: number;
    readonly occurrences?: readonly { readonly id: string; readonly line: number; readonly text: string }[];
  }[];
  readonly replacements: number;
  readonly binary: number;
  readonly undoId?: string;
}

async function replace(session: Session, args: Args): Promise<Replaced> {
  const { _meta } = await session.call('replace_in_files', { path: '.', ...args });
  return _meta as unknown as Replaced;
}

/** Returns the contents of all files below a directory, keyed by relative path. */
async function textsIn(root: string): Promise<Readonly<Record<string, string>>> {
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [path.relative(root, file), await readFile(file, 'utf8')] as const;
    }),
  );
  return Object.fromEntries(texts);
}

describe.each(ERAS)('replace_in_files, on a %s connection,', (era) => {
  it('replaces in all files that contain a text, shows the diffs, and is undone as one change', async () => {
    const before = { 'a.txt': 'old one\n', 'sub/b.txt': 'two old old\n', 'c.txt': 'three\n', 'd.bin': 'old\0' };
    const root = await treeOf(before);
    await using session = await connectFiles({ directories: [root] }, era);
    const { content, structuredContent, _meta } = await session.call('replace_in_files', {
      path: '.',
      pattern: 'old',
      replacement: 'new',
    });
    expect(structuredContent).toBeUndefined();
    const { undoId, ...replaced } = _meta as unknown as Replaced & { readonly dryRun: boolean };
    const etag = expect.stringMatching(/^[\w-]{16}$/);
    expect(replaced).toMatchObject({
      files: [
        { path: path.join(root, 'a.txt'), etag, replacements: 1 },
        { path: path.join(root, 'sub/b.txt'), etag, replacements: 2 },
      ],
      replacements: 3,
      binary: 1,
      unreadable: 0,
      dryRun: false,
    });
    expect(content).toEqual([
      {
        type: 'text',
        text: `\`\`\`diff
--- ${root}/a.txt
+++ ${root}/a.txt
@@ -1,1 +1,1 @@
-old one
+new one
\`\`\`
\`\`\`diff
--- ${root}/sub/b.txt
+++ ${root}/sub/b.txt
@@ -1,1 +1,1 @@
-two old old
+two new new
\`\`\`
Replaced 3 in 2 files; undo with ${undoId}
[1 binary file was skipped.]`,
      },
    ]);
    expect(await textsIn(root)).toEqual({ ...before, 'a.txt': 'new one\n', 'sub/b.txt': 'two new new\n' });
    await session.text('undo_change', { undoId });
    expect(await textsIn(root)).toEqual(before);
  });

  it('replaces only the occurrences selected from a dry run', async () => {
    const root = await treeOf({ a: 'x\ny x\n', b: 'x' });
    await using session = await connectFiles({ directories: [root] }, era);
    const asked = { pattern: 'x', replacement: 'z' };
    const { files, undoId } = await replace(session, { ...asked, dryRun: true });
    expect(undoId).toBeUndefined();
    expect(files.map(({ occurrences }) => occurrences?.map(({ line, text }) => [line, text]))).toEqual([
      [
        [1, 'x'],
        [2, 'y x'],
      ],
      [[1, 'x']],
    ]);
    expect(await session.text('list_changes')).toBe('No change can be undone');
    const occurrences = [files[0]!.occurrences![1]!.id, files[1]!.occurrences![0]!.id];
    expect((await replace(session, { ...asked, occurrences })).replacements).toBe(2);
    expect(await textsIn(root)).toEqual({ a: 'x\ny z\n', b: 'z' });
  });
});

describe('replace_in_files', () => {
  it('replaces literal texts and matches of regular expressions', async () => {
    const root = await treeOf({});
    await using session = await connectFiles({ directories: [root], durability: 'fast' });
    for (const [what, before, args, after] of REPLACEMENTS) {
      await writeFile(path.join(root, 'f'), before);
      await replace(session, args);
      expect(await readFile(path.join(root, 'f'), 'utf8'), what).toBe(after);
    }
  });

  it('keeps the encoding, byte order mark, mode and line endings of each file', async () => {
    const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
    const root = await treeOf({ wide: utf16('old ü\r\n'), latin: Buffer.from('old ü\n', 'latin1'), marked: '\ufeffold\r\n' });
    await chmod(path.join(root, 'wide'), 0o640);
    await using session = await connectFiles({ directories: [root] });
    await replace(session, { pattern: 'old', replacement: 'new\nü' });
    expect(await readFile(path.join(root, 'wide'))).toEqual(utf16('new\r\nü ü\r\n'));
    expect(await readFile(path.join(root, 'latin'))).toEqual(Buffer.from('new\nü ü\n', 'latin1'));
    expect(await readFile(path.join(root, 'marked'), 'utf8')).toBe('\ufeffnew\r\nü\r\n');
    expect((await stat(path.join(root, 'wide'))).mode & 0o777).toBe(0o640);
  });

  it('changes nothing that a search skips: denied, ignored and excluded files, and links', async () => {
    const untouched = { '.env': 'old', 'ignored.txt': 'old', 'skip/c.txt': 'old', 'e.md': 'old' };
    const root = await treeOf({ ...untouched, '.gitignore': 'ignored.txt\n', 'a.txt': 'old', '.hidden.txt': 'old' });
    await symlink('e.md', path.join(root, 'link.txt'));
    await using session = await connectFiles({ directories: [root] });
    await replace(session, { pattern: 'old', replacement: 'new', include: ['*.txt'], exclude: ['skip'] });
    expect(await textsIn(root)).toMatchObject({ ...untouched, 'a.txt': 'new', '.hidden.txt': 'new' });
    await replace(session, { pattern: 'old', replacement: 'new', hidden: false, gitignore: false, include: ['*.txt'] });
    expect(await textsIn(root)).toMatchObject({ '.env': 'old', 'ignored.txt': 'new', 'skip/c.txt': 'new', 'e.md': 'old' });
  });

  it('shows at most --max-bytes of differences and occurrences', async () => {
    const root = await treeOf({ a: 'x\n'.repeat(2000), b: 'x\n'.repeat(2000), c: 'x\n' });
    await using session = await connectFiles({ directories: [root], durability: 'fast' });
    const asked = { path: '.', pattern: 'x', replacement: 'y' };
    const text = await session.text('replace_in_files', asked);
    expect(text.length).toBeLessThan(22_000);
    expect(text).toContain(`${root}/c: 1\nReplaced 4001 in 3 files`);
    expect(text).toMatch(
      /\n\[\d+ of 101 changed places in the first 2 of 3 files are shown; read_text_file shows the changed files\.\]$/,
    );
    const dry = await session.text('replace_in_files', { ...asked, pattern: 'y', dryRun: true });
    expect(dry).toMatch(
      /\nNothing was changed: dry run; the call would replace 4001 in 3 files\n\[1\d\d of 4001 ids are shown; path, include and exclude select others\.\]$/,
    );
    expect(dry.length).toBeLessThan(22_000);
  });

  it('loses no concurrent change', async () => {
    const tokens = Array.from({ length: 20 }, (_, index) => `<${index}>`);
    const root = await treeOf({ a: tokens.join('\n'), b: tokens.toReversed().join('\n') });
    await using session = await connectFiles({ directories: [root], durability: 'fast' });
    await Promise.all(
      tokens.map((token, index) =>
        index % 2 === 0
          ? session.text('replace_in_files', { path: '.', pattern: token, replacement: `done ${index}!` })
          : session.text('edit_file', { path: index % 4 === 1 ? 'a' : 'b', edits: [{ oldText: token, newText: 'edited' }] }),
      ),
    );
    const done = (file: number) => (token: string, index: number) => {
      if (index % 2 === 0) return `done ${index}!`;
      return index % 4 === file ? 'edited' : token;
    };
    expect(await readFile(path.join(root, 'a'), 'utf8')).toBe(tokens.map(done(1)).join('\n'));
    expect(await readFile(path.join(root, 'b'), 'utf8')).toBe(tokens.map(done(3)).toReversed().join('\n'));
  });

  it('names only some of many files', async () => {
    const root = await treeOf(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, 'x'])));
    await using session = await connectFiles({ directories: [root], durability: 'fast' });
    const { undoId } = await replace(session, { pattern: 'x', replacement: 'y' });
    const { content, structuredContent } = await session.call('list_changes');
    expect(structuredContent).toMatchObject({ changes: [{ undoId, paths: { length: 20 }, morePaths: 10 }] });
    expect(content).toMatchObject([{ text: expect.stringMatching(/ and 25 more$/) }]);
    expect(await session.text('undo_change', { undoId })).toMatch(/ and 25 more; undo with /);
  });

  it('reports no match in a dry run without an error', async () => {
    await using session = await connectFiles({ directories: [await treeOf({ a: 'a' })] });
    expect(await session.text('replace_in_files', { path: '.', pattern: 'b', replacement: '', dryRun: true })).toBe(
      'Nothing was changed: dry run; the call would replace 0 in 0 files',
    );
  });
});

describe('replace_in_files rejects the call, and changes nothing:', () => {
  const shared = shareFiles({}, { maxReplaceFiles: 2, maxReplacements: 10, maxReplaceBytes: 1500, maxEditBytes: 1024 });

  it.each(REFUSED)('%s', async (_, files, args, told) => {
    const directory = await treeOf(files, shared.root);
    const before = await textsIn(directory);
    const given = path.join(directory, args.path ?? '.');
    const text = await shared.session.fails('replace_in_files', { replacement: 'z', ...args, path: given });
    expect(text.replaceAll(directory, 'ROOT')).toContain(told);
    expect(await textsIn(directory)).toEqual(before);
    expect(await shared.session.text('list_changes')).toBe('No change can be undone');
  });

  it('occurrences if one is stale', async () => {
    const root = await treeOf({ a: 'x', b: 'x' });
    await using session = await connectFiles({ directories: [root] });
    const asked = { pattern: 'x', replacement: 'z' };
    const { files } = await replace(session, { ...asked, dryRun: true });
    const occurrences = files.flatMap((file) => file.occurrences?.map(({ id }) => id) ?? []);
    await writeFile(path.join(root, 'b'), 'x and more');
    expect(await session.fails('replace_in_files', { path: '.', ...asked, occurrences })).toMatch(
      /^CONFLICT: ids that match no occurrence: 1 of 2; nothing was changed\n/,
    );
    expect(await textsIn(root)).toEqual({ a: 'x', b: 'x and more' });
  });

  it('a replacement if one of the files is read-only', async () => {
    const root = await treeOf({ a: 'x', 'ro/b': 'x' });
    await using session = await connectFiles({ directories: [root], ro: [path.join(root, 'ro')] });
    expect(await session.fails('replace_in_files', { path: '.', pattern: 'x', replacement: 'z' })).toMatch(/^READ_ONLY/);
    expect(await textsIn(root)).toEqual({ a: 'x', 'ro/b': 'x' });
  });

  it('a search above its time limit, which does not delay other calls, and a cancelled call', async () => {
    const root = await treeOf({ a: `${'a'.repeat(60)}!\n` });
    await using session = await connectFiles({ directories: [root], maxSearchTime: 2000 });
    const args = { path: '.', pattern: '^(a+)+$', regex: true, replacement: 'z' };
    const pending = session.fails('replace_in_files', args);
    const controller = new AbortController();
    const cancelled = session.call('replace_in_files', args, { signal: controller.signal });
    controller.abort('enough');
    await expect(cancelled).rejects.toThrow('enough');
    expect(await session.text('read_text_file', { path: 'a' })).toContain('!');
    expect(await pending).toMatch(/^TIMEOUT/);
    await mkdir(path.join(root, 'ok'));
    await writeFile(path.join(root, 'ok/b'), 'aa\n');
    expect((await replace(session, { ...args, path: 'ok' })).replacements).toBe(1);
  });
});
