import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';

const EDITS = [{ oldText: 'one', newText: 'two', expectedCount: 1 }];

describe.each(ERAS)('the arguments of edit_file, on a %s connection,', (era) => {
  it.each<[string, object]>([
    ['edits as a JSON string', { edits: JSON.stringify(EDITS) }],
    ['each edit as a JSON string', { edits: EDITS.map((edit) => JSON.stringify(edit)) }],
    ['numbers and booleans as strings', { edits: [{ ...EDITS[0], expectedCount: '1', replaceAll: 'false' }], dryRun: 'false' }],
  ])('may contain %s', async (_, given) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'one');
    await using session = await connectFiles({ directories: [root] }, era);
    await session.text('edit_file', { path: 'f', ...given });
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('two');
  });

  it.each<[string, object, string]>([
    ['a text beside edits', { oldText: 'one', newText: 'two' }, 'oldText: is not known; belongs in an element of "edits"'],
    ['an unknown name', { edits: EDITS, backup: true }, 'backup: is not known; the known names are path, '],
    ['a text that is no JSON', { edits: 'one → two' }, 'edits: expected an array, got a string'],
  ])('are rejected with a remedy: %s', async (_, given, message) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'one');
    await using session = await connectFiles({ directories: [root] }, era);
    expect(await session.fails('edit_file', { path: 'f', ...given })).toContain(message);
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('one');
  });
});
