import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';

const FAILURES: readonly (readonly [what: string, tool: string, input: Readonly<Record<string, unknown>>])[] = [
  ['a missing file to replace', 'write_file', { path: 'x/y/f', content: '', mode: 'overwrite' }],
  ['another etag', 'write_file', { path: 'x/y/f', content: '', ifMatch: 'other' }],
  ['a character that the encoding lacks', 'write_file', { path: 'x/y/f', content: '→', encoding: 'latin1' }],
  ['a name that is denied', 'write_file', { path: 'x/y/.env', content: '' }],
  ['a name that is too long', 'write_file', { path: `x/y/${'n'.repeat(256)}`, content: '' }],
  ['a directory of such a name', 'create_directory', { path: `x/y/${'n'.repeat(256)}` }],
  ['one in the middle', 'write_file', { path: `x/${'n'.repeat(256)}/f`, content: '' }],
];

describe('a call that creates directories and then fails', () => {
  it.each(FAILURES)('leaves no directory behind: %s', async (_, tool, input) => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'there'));
    await using session = await connectFiles({ directories: [root] });
    const given = { ...input, path: `there/${String(input['path'])}`, createParents: true };
    await session.fails(tool, tool === 'write_file' ? given : { path: given.path });
    expect(await readdir(root, { recursive: true })).toEqual(['there']);
    expect(await session.text('list_changes')).toBe('No change can be undone');
  });
});
