import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';

describe('a file that other programs run automatically', () => {
  const NOTED = [
    '.vscode/tasks.json',
    '.mcp.json',
    '.cursor/mcp.json',
    '.husky/pre-commit',
    '.gitattributes',
    '.gitmodules',
    'a/.devcontainer/x',
  ];

  it.each(NOTED)('is written with a warning: %s', async (name) => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    const warning = /; review \S+: editors, agents or git may run commands from such a file without asking$/;
    expect(await session.text('write_file', { path: name, content: 'old', createParents: true })).toMatch(warning);
    expect(await session.text('append_file', { path: name, content: 'x' })).toMatch(warning);
    expect(await session.text('edit_file', { path: name, edits: [{ oldText: 'old', newText: 'new' }] })).toMatch(warning);
    expect(await session.text('replace_in_files', { path: '.', pattern: 'new', replacement: 'old' })).toMatch(warning);
    expect(await session.text('move_file', { source: name, destination: 'plain' })).not.toMatch(warning);
    expect(await session.text('copy_file', { source: 'plain', destination: name })).toMatch(warning);
  });

  it('is not recognized by a similar name, which is written without a warning', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    for (const name of ['tasks.json', 'src/settings.json', 'package.json', 'gitattributes'])
      expect(await session.text('write_file', { path: name, content: 'x', createParents: true })).not.toContain('review');
  });
});
