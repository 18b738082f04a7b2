import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { CALLS, failures, scene } from './fixtures/scene.ts';
import { connectFiles } from './fixtures/temporary.ts';

/** Each test case has a title, a name that would forge lines or hide its text, and the escaped form of the name. */
const INVISIBLE = [
  ['a newline', 'a\n[FILE] forged', String.raw`a\u{a}[FILE] forged`],
  ['an escape sequence', 'a\u001b[31mb', String.raw`a\u{1b}[31mb`],
  ['text from right to left', 'a\u202efdp.exe', String.raw`a\u{202e}fdp.exe`],
  ['a zero-width space', 'a\u200bb', String.raw`a\u{200b}b`],
  ['a separator of lines', 'a\u2028b', String.raw`a\u{2028}b`],
] as const;

/** Tools whose results contain names. */
const TELLING = [
  ['list_directory_with_sizes', {}],
  ['directory_tree', { format: 'compact' }],
  ['search_content', { pattern: 'odd' }],
  ['replace_in_files', { pattern: 'odd', replacement: 'even', dryRun: true }],
] as const;

/** Calls that fail, and whose errors contain the escaped name of the file. */
const REFUSED = [
  ['write_file', { content: '', ifMatch: 'other' }],
  ['write_file', { content: '', mode: 'create' }],
  ['list_directory', {}],
  ['replace_in_files', { pattern: 'even', replacement: 'odd', expectedCount: 2 }],
] as const;

const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';

describe.skipIf(process.platform === 'win32')('a name', () => {
  it.each(INVISIBLE)('is shown escaped by lists and searches, and opens its file: %s', async (_, name, shown) => {
    const { root } = await scene();
    await writeFile(path.join(root, name), 'odd');
    await using session = await connectFiles({ directories: [root] });
    expect((await session.text('list_directory', { path: '.' })).split('\n')).toContain(`[FILE] ${shown}`);
    expect((await session.text('search_files', { path: '.', pattern: 'a*' })).split('\n')).toContain(path.join(root, shown));
    for (const [tool, args] of TELLING) expect(await session.text(tool, { path: '.', ...args }), tool).toContain(shown);
    expect(await session.text('get_file_info', { path: name })).not.toContain(name);
    expect(await session.text('read_text_file', { path: name })).toBe('odd');
    expect(await session.text('replace_in_files', { path: '.', pattern: 'odd', replacement: 'even' })).not.toContain(name);
    expect(await session.text('list_changes')).toContain(shown);
    expect(await session.fails('edit_file', { path: name, edits: [{ oldText: 'odd', newText: '' }] })).not.toContain(name);
    for (const [tool, args] of REFUSED) {
      const told = await session.fails(tool, { path: tool === 'replace_in_files' ? '.' : name, ...args });
      expect(told, tool).toMatch(/"[^"]*a\\(?:u[\da-f]{4}|n)[^"]*"/);
      expect(told, tool).not.toContain(name);
    }
    expect(await session.fails('read_text_file', { path: `${name}x` })).not.toContain(name);
    expect((await session.call('list_directory', { path: '.' })).structuredContent).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining({ name })]),
    });
  });

  it.runIf(process.platform === 'linux')('does not prevent the listing of its directory if it is not valid UTF-8', async () => {
    const { root } = await scene();
    await writeFile(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.of(0xe9)]), 'latin');
    await using session = await connectFiles({ directories: [root] });
    expect(await session.text('list_directory', { path: '.' })).toContain('[FILE] ok.txt');
    expect(await session.text('search_files', { path: '.', pattern: 'caf' })).toContain('caf\uFFFD');
    expect(await session.fails('read_text_file', { path: 'caf\uFFFD' })).toMatch(/^NOT_FOUND/);
  });

  it.runIf(process.platform === 'linux')(
    'is ambiguous if it exists in two normal forms, and the error distinguishes both forms',
    async () => {
      const { root } = await scene();
      for (const name of [COMPOSED, DECOMPOSED]) await writeFile(path.join(root, name), name);
      await using session = await connectFiles({ directories: [root] });
      const texts = await failures(session, COMPOSED);
      expect(Object.keys(texts)).toHaveLength(CALLS.length);
      for (const text of Object.values(texts)) expect(text).toMatch(/^AMBIGUOUS_NAME: .*caf.*\n.*caf/);
    },
  );

  it.runIf(process.platform === 'linux')('is found in the normal form that the file system has', async () => {
    const { root } = await scene();
    await writeFile(path.join(root, DECOMPOSED), 'found');
    await using session = await connectFiles({ directories: [root] });
    expect(await session.text('read_text_file', { path: COMPOSED })).toBe('found');
    expect(await session.text('write_file', { path: COMPOSED, content: 'changed' })).not.toContain('Created');
    expect(await session.text('read_text_file', { path: DECOMPOSED })).toBe('changed');
  });
});
