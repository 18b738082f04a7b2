import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../../fixtures/temporary.ts';
import { contentsOf, DENIED, DRIVER } from '../../fixtures/git-scene.ts';

/** Creates a home directory with both files of a user's git configuration, a linked `.gitconfig`, and hostile configurations. */
async function home(): Promise<string> {
  const root = await temporaryDirectory();
  for (const directory of ['.config/git', '.config/other', 'work', 'prepared-config/git', 'prepared-git', 'dotfiles/.config'])
    await mkdir(path.join(root, directory), { recursive: true });
  const config = '[user]\n\tname = Ann\n';
  for (const file of ['.gitconfig', '.config/git/config', 'dotfiles/gitconfig']) await writeFile(path.join(root, file), config);
  for (const file of ['prepared', 'prepared-config/git/config', 'prepared-git/config'])
    await writeFile(path.join(root, file), DRIVER);
  await symlink('../dotfiles/gitconfig', path.join(root, 'work/.gitconfig'));
  return root;
}

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

function changesOf(file: string): readonly Call[] {
  return [
    ['write_file', { path: file, content: DRIVER }],
    ['write_file', { path: file, content: DRIVER, createParents: true }],
    ['append_file', { path: file, content: DRIVER }],
    ['copy_file', { source: 'prepared', destination: file, overwrite: true }],
    ['move_file', { source: 'prepared', destination: file, overwrite: true }],
  ];
}

const ATTACKS: readonly (readonly [attack: string, calls: readonly Call[]])[] = [
  ['.gitconfig', changesOf('.gitconfig')],
  ['.gitconfig that is a link to a file with another name', changesOf('work/.gitconfig')],
  ['new .gitconfig', changesOf('dotfiles/.gitconfig')],
  ['upper case', changesOf('dotfiles/.GITCONFIG')],
  ['full-width letters', changesOf('dotfiles/.git\uFF43onfig')],
  ['trailing dot', changesOf('dotfiles/.gitconfig.')],
  ['stream of NTFS', changesOf('dotfiles/.gitconfig::$DATA')],
  ['short name of NTFS', changesOf('dotfiles/GITCON~1')],
  ['.config/git/config', changesOf('.config/git/config')],
  ['.config/git/config in upper case', changesOf('.config/git/CONFIG')],
  ['new .config/git/config', changesOf('work/.config/git/config').slice(1, 2)],
  ['edit', [['edit_file', { path: '.gitconfig', edits: [{ oldText: 'Ann', newText: 'x' }] }]]],
  ['removal', [['delete_file', { path: '.gitconfig' }]]],
  ['removal of the directory', [['delete_file', { path: '.config', recursive: true }]]],
  ['move to another place', [['move_file', { source: '.config/git/config', destination: 'taken' }]]],
  ['move of a directory to .config', [['move_file', { source: 'prepared-config', destination: 'work/.config' }]]],
  ['move of a directory to .config/git', [['move_file', { source: 'prepared-git', destination: 'dotfiles/.config/git' }]]],
];

describe("a change of a user's own configuration of git is rejected, and nothing is changed:", () => {
  it.each(ATTACKS)('%s', async (_, calls) => {
    const root = await home();
    const before = await contentsOf(root);
    await using session = await connectFiles({ directories: [root] });
    for (const [tool, input] of calls) expect(await session.fails(tool, input), JSON.stringify(input)).toMatch(DENIED);
    expect(await contentsOf(root)).toEqual(before);
  });
});

describe('a home directory', () => {
  it('can be changed except for the git configuration, also by tools that change many files', async () => {
    const root = await home();
    await using session = await connectFiles({ directories: [root] });
    for (const file of ['.config/git/ignore', '.config/other/config', 'config', '.gitignore', 'gitconfig', 'git/config'])
      await session.call('write_file', { path: file, content: 'Ann\n', createParents: true });
    await session.call('replace_in_files', { path: '.', pattern: 'Ann', replacement: 'Bob', gitignore: false, hidden: true });
    expect(await readFile(path.join(root, '.config/other/config'), 'utf8')).toBe('Bob\n');
    expect(await readFile(path.join(root, '.gitconfig'), 'utf8')).toContain('Ann');
    expect(await readFile(path.join(root, '.config/git/config'), 'utf8')).toContain('Ann');
    expect(await session.text('copy_file', { source: '.config', destination: 'copy' })).toContain('skipped 1 entry');
    expect(await session.text('read_text_file', { path: '.gitconfig' })).toContain('Ann');
  });

  it('can be changed without exception with --allow-git-dir', async () => {
    const root = await home();
    await using session = await connectFiles({ directories: [root], allowGitDir: true });
    for (const file of ['.gitconfig', 'work/.gitconfig', '.config/git/config'])
      await session.call('write_file', { path: file, content: 'x' });
    await session.call('move_file', { source: 'prepared-config', destination: 'work/.config' });
  });
});
