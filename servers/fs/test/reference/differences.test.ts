import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  answer,
  both,
  byName,
  contentOf,
  openSides,
  text,
  type Arguments,
  type Side,
  type Sides,
} from '../fixtures/reference-sides.ts';

let sides: Sides;
let ours: Side;
let reference: Side;

beforeAll(async () => {
  sides = await openSides();
  ({ ours, reference } = sides);
});

afterAll(() => sides[Symbol.asyncDispose]());

/** Compares the answers of both servers for differences that docs/servers/files/migrating.md lists. */
describe('a difference from the reference server:', () => {
  it('a body is sent as text, once, and not also as structuredContent.content', async () => {
    const args = { path: 'sound.wav' };
    const results = await both(sides, ({ session }) => session.call('read_media_file', args));
    expect(results.map((result) => result.structuredContent !== undefined)).toEqual([false, true]);
    const lists = await both(sides, ({ session }) => session.call('list_directory', { path: '.' }));
    expect(lists.map(({ structuredContent }) => Object.keys(structuredContent ?? {}))).toEqual([
      ['path', 'entries', 'total', 'truncated'],
      ['content'],
    ]);
  });

  it('each of several files has a separate block', async () => {
    const args = { paths: ['/R/src/deep/other.ts', '/R/missing'] };
    const [own, theirs] = await both(sides, (side) => answer(side, 'read_multiple_files', args));
    const body = '/R/src/deep/other.ts:\nexport const other = 2;\n';
    expect(own.content.map((block) => block.text)).toEqual([body, expect.stringMatching(/^\/R\/missing: NOT_FOUND: /)]);
    expect(theirs.content[0]?.text.split('\n---\n')).toEqual([`${body}\n`, expect.stringMatching(/^\/R\/missing: Error - /)]);
  });

  it('head keeps the last line ending, tail counts lines and not line endings, and a note follows if the file has more lines', async () => {
    const args = { path: '/R/src/index.ts' };
    const told = async (side: Side, more: Arguments): Promise<readonly string[]> =>
      (await answer(side, 'read_text_file', { ...args, ...more })).content.map((block) => block.text);
    expect(await told(ours, { head: 1 })).toEqual([
      expect.stringMatching(/^export function one\(\) \{\n\[Line 1 is shown; the file has \d+ bytes. Read on with offset 1\.\]$/),
    ]);
    expect(await told(reference, { head: 1 })).toEqual(['export function one() {']);
    expect(await told(ours, { tail: 1 })).toEqual(['}\n']);
    expect(await told(reference, { tail: 1 })).toEqual(['']);
  });

  it('an empty file is reported as empty', async () => {
    expect(await both(sides, (side) => text(side, 'read_text_file', { path: '/R/empty.txt' }))).toEqual([
      '[The file is empty.]',
      '',
    ]);
  });

  it('a tree is by default three levels deep and compact, and its JSON is not indented', async () => {
    for (const { root } of [ours, reference]) await mkdir(path.join(root, 'd/e/f/g'), { recursive: true });
    const theirs = await text(reference, 'directory_tree', { path: '/R/d/..' });
    const [own, deep] = await Promise.all([{}, { maxDepth: 9 }].map((how) => jsonTree(ours, { path: '/R/d/..', ...how })));
    expect(await text(ours, 'directory_tree', { path: '/R/d', maxDepth: 2 })).toBe('e/\n  f/ …');
    expect(own).toContain('{"name":"f","type":"directory","children":[],"truncated":true}');
    expect(byName(JSON.parse(deep ?? ''))).toEqual(byName(JSON.parse(theirs)));
    expect([own?.includes('\n'), theirs.includes('\n')]).toEqual([false, true]);
  });

  it('a link is shown as a link in lists and trees, and an empty directory is reported as empty', async () => {
    for (const { root } of [ours, reference]) {
      await mkdir(path.join(root, 'links'));
      await symlink('../b.md', path.join(root, 'links/link'));
    }
    expect(await both(sides, (side) => text(side, 'list_directory', { path: '/R/links' }))).toEqual([
      '[LINK] link',
      '[FILE] link',
    ]);
    expect(await both(sides, (side) => text(side, 'list_directory', { path: '/R/nothing' }))).toEqual([
      'The directory is empty',
      '',
    ]);
    const trees = await both(sides, async (side): Promise<unknown> => JSON.parse(await jsonTree(side, { path: '/R/links' })));
    expect(trees).toEqual([[{ name: 'link', type: 'symlink' }], [{ name: 'link', type: 'file' }]]);
  });

  it.each([
    ['a text with several occurrences is not replaced at the first one', [{ oldText: 'e', newText: 'E' }], 'AMBIGUOUS_MATCH'],
    ['an edit without edits is refused', [], 'INVALID_ARGUMENTS'],
  ])('%s', async (_, edits, code) => {
    const edit = { path: '/R/b.md', edits, dryRun: true };
    const [own, theirs] = await both(sides, (side) => answer(side, 'edit_file', edit));
    expect(own.content[0]?.text.split(': ')[0]).toBe(code);
    expect(theirs.isError).toBe(false);
  });

  it('files keep their line endings', async () => {
    const edit = { path: '/R/crlf.txt', edits: [{ oldText: 'two', newText: '2' }] };
    for (const side of [ours, reference]) {
      await writeFile(path.join(side.root, 'crlf.txt'), 'one\r\ntwo\r\n');
      await text(side, 'edit_file', edit);
    }
    expect([(await contentOf(ours))['crlf.txt'], (await contentOf(reference))['crlf.txt']]).toEqual(['one\r\n2\r\n', 'one\n2\n']);
    await text(ours, 'write_file', { path: '/R/crlf.txt', content: 'a\nb\n' });
    expect((await contentOf(ours))['crlf.txt']).toBe('a\r\nb\r\n');
  });

  it('searches obey .gitignore files, a bare word is part of a name, and dir/** is the directory, too', async () => {
    for (const { root } of [ours, reference]) await writeFile(path.join(root, 'src/.gitignore'), 'deep\n');
    const found = async (side: Side, args: Arguments): Promise<string> => text(side, 'search_files', { path: '/R', ...args });
    const all = { pattern: '**/oth*', gitignore: false };
    expect(await found(ours, { pattern: '**/oth*' })).toMatch(/^No matches found; 1 ignored file or directory was left out/);
    expect(await found(ours, all)).toBe(await found(reference, { pattern: '**/oth*' }));
    expect(await found(ours, { ...all, pattern: 'ther' })).toBe('/R/src/deep/other.ts');
    expect(await found(reference, { pattern: 'ther' })).toBe('No matches found');
    expect((await found(ours, { ...all, pattern: 'src/deep/**' })).split('\n')).toEqual(['/R/src/deep', '/R/src/deep/other.ts']);
    expect(await found(reference, { pattern: 'src/deep/**' })).toBe('/R/src/deep/other.ts');
  });

  it('an unknown argument and an invalid number of lines are rejected', async () => {
    for (const more of [{ haed: 1 }, { head: 0 }, { head: 0.5 }]) {
      const args = { path: '/R/a.txt', ...more };
      const [own, theirs] = await both(sides, (side) => answer(side, 'read_text_file', args));
      expect(own.content[0]?.text).toMatch(/^INVALID_ARGUMENTS: /);
      expect(theirs.isError).toBe(false);
    }
  });

  it('a type is detected from the content, not from the name', async () => {
    const [own, theirs] = await both(sides, (side) => answer(side, 'read_media_file', { path: 'b.md' }));
    const { href } = pathToFileURL('/R/b.md');
    expect([own, theirs]).toMatchObject([
      {
        content: [
          { type: 'resource', resource: { uri: href, mimeType: 'text/markdown' } },
          { text: expect.stringMatching(/^b\.md, text\/markdown, \d+ bytes$/) },
        ],
      },
      { content: [{ type: 'resource', resource: { uri: href, mimeType: 'application/octet-stream' } }] },
    ]);
  });
});

async function jsonTree(side: Side, args: Arguments): Promise<string> {
  const how = side === ours ? { format: 'json' } : {};
  return (await text(side, 'directory_tree', { ...args, ...how })).replace(/^Tree:\n/, '');
}
