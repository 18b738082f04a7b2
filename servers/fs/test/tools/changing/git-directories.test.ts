import { cp, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory, temporaryState } from '../../fixtures/temporary.ts';
import { contentsOf, DENIED, DRIVER, git, scene } from '../../fixtures/git-scene.ts';

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** Returns calls that would change, replace, move or remove an existing file. */
function changesOf(file: string): readonly Call[] {
  return [
    ['write_file', { path: file, content: DRIVER }],
    ['write_file', { path: file, content: DRIVER, permanent: true }],
    ['append_file', { path: file, content: DRIVER }],
    ['edit_file', { path: file, edits: [{ oldText: 'e', newText: 'x', replaceAll: true }] }],
    ['copy_file', { source: 'prepared', destination: file, overwrite: true }],
    ['move_file', { source: 'prepared', destination: file, overwrite: true }],
    ['move_file', { source: file, destination: 'taken' }],
    ['delete_file', { path: file }],
    ['delete_file', { path: file, permanent: true }],
  ];
}

/** Returns calls that create an entry with a new name. */
function additionsOf(name: string): readonly Call[] {
  return [
    ['write_file', { path: name, content: DRIVER }],
    ['write_file', { path: `${name}/x/y`, content: DRIVER, createParents: true }],
    ['append_file', { path: name, content: DRIVER }],
    ['create_directory', { path: name }],
    ['create_directory', { path: `${name}/x` }],
    ['copy_file', { source: 'prepared', destination: name }],
    ['copy_file', { source: 'tree', destination: name }],
    ['move_file', { source: 'prepared', destination: name }],
    ['move_file', { source: 'tree', destination: name }],
  ];
}

const EXISTING: readonly (readonly [attack: string, file: string])[] = [
  ['configuration', 'p/.git/config'],
  ['HEAD', 'p/.git/HEAD'],
  ['sample of a hook', 'p/.git/hooks/pre-commit.sample'],
  ['configuration through a symbolic link', 'way/config'],
  ['link of a work tree', 'wt/.git'],
  ['common directory of a work tree', 'p/.git/worktrees/wt/commondir'],
  ['link of a submodule', 'p/sub/.git'],
  ['configuration of a submodule', 'p/.git/modules/sub/config'],
  ['configuration of a bare repository', 'bare/config'],
  ['link of a work tree in a bare repository', 'bare/tree/.git'],
  ['configuration in the target of a gitdir link', 'meta/config'],
];

const NEW: readonly (readonly [attack: string, name: string])[] = [
  ['hook', 'p/.git/hooks/pre-commit'],
  ['rebase todo', 'p/.git/rebase-todo'],
  ['attributes of the repository', 'p/.git/info/attributes'],
  ['hook of a bare repository', 'bare/hooks/post-update'],
  ['hook in the target of a gitdir link', 'meta/hooks/pre-commit'],
  ['new .git', '.git'],
  ['new .git in a subdirectory', 'place/.git'],
  ['upper case', 'place/.GIT'],
  ['mixed case', 'place/.Git'],
  ['ignorable code point of HFS+', 'place/.g\u200Cit'],
  ['byte order mark', 'place/\uFEFF.git'],
  ['soft hyphen, which ext4 ignores', 'place/.gi\u00ADt'],
  ['full-width stop, which ZFS with normalization=formKC ignores', 'place/\uFF0Egit'],
  ['full-width letters', 'place/.\uFF47\uFF49\uFF54'],
  ['short name of NTFS', 'place/GIT~1'],
  ['trailing dot', 'place/.git.'],
  ['trailing spaces', 'place/.git  '],
  ['stream of NTFS', 'place/.git::$INDEX_ALLOCATION'],
];

async function refuses(session: Session, calls: readonly Call[]): Promise<void> {
  for (const [tool, input] of calls) expect(await session.fails(tool, input), `${tool} ${JSON.stringify(input)}`).toMatch(DENIED);
}

describe('a change in a git directory is rejected, and nothing is changed:', () => {
  it.each(EXISTING)('%s', async (_, file) => {
    const root = await scene();
    const before = await contentsOf(root);
    await using session = await connectFiles({ directories: [root] });
    await refuses(session, changesOf(file));
    await refuses(session, [
      ['edit_file', { path: file, dryRun: true, edits: [{ oldText: 'e', newText: 'x', replaceAll: true }] }],
    ]);
    expect(await contentsOf(root)).toEqual(before);
  });

  it.each(NEW)('%s', async (_, name) => {
    const root = await scene();
    const before = await contentsOf(root);
    await using session = await connectFiles({ directories: [root] });
    await refuses(session, additionsOf(name));
    expect(await contentsOf(root)).toEqual(before);
  });

  it('a repository is moved, copied or deleted itself, or deleted with its project', async () => {
    const root = await scene();
    const before = await contentsOf(root);
    await using session = await connectFiles({ directories: [root] });
    for (const entry of ['p/.git', 'bare', 'meta', 'wt/.git'])
      await refuses(session, [
        ['move_file', { source: entry, destination: 'taken' }],
        ['delete_file', { path: entry, recursive: true }],
        ['delete_file', { path: entry, recursive: true, permanent: true }],
      ]);
    for (const source of ['bare', 'meta', 'p/.git']) await refuses(session, [['copy_file', { source, destination: 'taken' }]]);
    for (const permanent of [false, true]) await refuses(session, [['delete_file', { path: 'p', recursive: true, permanent }]]);
    expect(await contentsOf(root)).toEqual(before);
  });

  it('the only allowed directory is inside a repository', async () => {
    const root = await scene();
    await using session = await connectFiles({ directories: [path.join(root, 'bare/hooks')] });
    expect(await session.fails('write_file', { path: 'post-update', content: 'x' })).toMatch(DENIED);
  });

  it('the change of another server with the same state directory is undone', async () => {
    const root = await scene();
    const stateDir = temporaryState();
    const changes: string[] = [];
    {
      await using session = await connectFiles({ directories: [root], stateDir, allowGitDir: true });
      for (const [tool, input] of [
        ['append_file', { path: 'p/.git/config', content: DRIVER }],
        ['write_file', { path: 'bare/hooks/update', content: DRIVER }],
        ['move_file', { source: 'p/.git/description', destination: 'description' }],
        ['delete_file', { path: 'wt', recursive: true }],
      ] as const) {
        const { structuredContent } = await session.call(tool, input);
        changes.push((structuredContent as { readonly undoId: string }).undoId);
      }
    }
    const before = await contentsOf(root);
    await using session = await connectFiles({ directories: [root], stateDir });
    for (const undoId of changes) await refuses(session, [['undo_change', { undoId, force: true }]]);
    expect(await contentsOf(root)).toEqual(before);
  });
});

/** Entries that together make a directory a repository. For each entry, `ORDERS` contains two orders that end with this entry. */
const ENTRIES = ['HEAD', 'objects', 'refs', 'config'] as const;
const ORDERS = ENTRIES.flatMap((last) => [
  [...ENTRIES.filter((entry) => entry !== last), last],
  [...ENTRIES.filter((entry) => entry !== last).toReversed(), last],
]);

describe('a directory', () => {
  it.each(ORDERS.map((order) => [order.join(', '), order] as const))('does not become a repository by %s', async (_, order) => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    for (const entry of order) {
      if (entry === 'objects' || entry === 'refs')
        await session.call('create_directory', { path: `x/${entry}` }).catch(() => undefined);
      else
        await session
          .call('write_file', { path: `x/${entry}`, content: 'ref: refs/heads/main', createParents: true })
          .catch(() => undefined);
    }
    expect((await readdir(path.join(root, 'x'))).length).toBeLessThan(ENTRIES.length);
    expect(() => git(path.join(root, 'x'), 'rev-parse', '--git-dir')).toThrow('not a git repository');
  });

  it('does not become a repository by concurrent calls', async () => {
    const root = await temporaryDirectory();
    await using session = await connectFiles({ directories: [root] });
    await session.call('create_directory', { path: 'x' });
    const puts = [
      session.call('write_file', { path: 'x/HEAD', content: 'ref: refs/heads/main' }),
      session.call('create_directory', { path: 'x/objects' }),
      session.call('create_directory', { path: 'x/refs' }),
      session.call('write_file', { path: 'x/commondir', content: '.' }),
    ];
    await Promise.allSettled(puts);
    expect(() => git(path.join(root, 'x'), 'rev-parse', '--git-dir')).toThrow('not a git repository');
  });

  it('does not become a repository by moves', async () => {
    const root = await temporaryDirectory();
    for (const name of ['x', 'a', 'b']) await mkdir(path.join(root, name));
    await writeFile(path.join(root, 'h'), 'ref: refs/heads/main');
    await using session = await connectFiles({ directories: [root] });
    await session.call('move_file', { source: 'a', destination: 'x/objects' });
    await session.call('move_file', { source: 'b', destination: 'x/refs' });
    expect(await session.fails('move_file', { source: 'h', destination: 'x/HEAD' })).toMatch(DENIED);
    await session.call('move_file', { source: 'h', destination: 'x/h' });
    expect(await session.fails('move_file', { source: 'x/h', destination: 'x/head' })).toMatch(DENIED);
  });
});

describe('a project with a repository', () => {
  it('can be changed except for its git directory, also in a work tree inside a bare repository', async () => {
    const root = await scene();
    await using session = await connectFiles({ directories: [root] });
    for (const name of [
      'p/a.txt',
      'p/sub/new',
      'wt/new',
      'bare/tree/src/new',
      'apart/new',
      'p/.gitignore',
      'p/git',
      'p/.github/x',
    ])
      await session.call('write_file', { path: name, content: 'x', createParents: true });
    await session.call('delete_file', { path: 'p/a.txt' });
    await session.call('write_file', { path: 'notes/HEAD', content: 'x', createParents: true });
    await session.call('create_directory', { path: 'game/objects' });
    await session.call('create_directory', { path: 'game/refs' });
  });

  it('is moved as a whole, and copied without its git directories, which the result reports', async () => {
    const root = await scene();
    await using session = await connectFiles({ directories: [root] });
    await session.call('move_file', { source: 'apart', destination: 'elsewhere' });
    expect(await readdir(path.join(root, 'elsewhere'))).toContain('.git');
    const text = await session.text('copy_file', { source: 'p', destination: 'copy' });
    expect(text).toContain('skipped 2 entries that are denied, git directories or git configuration');
    expect((await readdir(path.join(root, 'copy'))).sort()).toEqual(['.gitmodules', 'a.txt', 'sub']);
    expect(await readdir(path.join(root, 'copy/sub'))).toEqual(['a.txt']);
  });

  it('can be changed by replace_in_files without its git directory, and stays readable', async () => {
    const root = await scene();
    await using session = await connectFiles({ directories: [path.join(root, 'p')] });
    await writeFile(path.join(root, 'p/a.txt'), 'bare\n');
    const all = { pattern: 'bare', replacement: 'full', gitignore: false, hidden: true };
    await session.call('replace_in_files', { path: '.', exclude: ['sub', '.gitmodules'], ...all });
    expect(await readFile(path.join(root, 'p/.git/config'), 'utf8')).toContain('bare');
    expect(await session.text('read_text_file', { path: '.git/config' })).toContain('bare = false');
    expect(await session.fails('replace_in_files', { path: '.git', ...all })).toMatch(DENIED);
  });

  it('can be changed without exception with --allow-git-dir', async () => {
    const root = await scene();
    await using session = await connectFiles({ directories: [root], allowGitDir: true });
    await session.call('append_file', { path: 'p/.git/config', content: '[x]\n' });
    await session.call('write_file', { path: 'bare/hooks/update', content: 'x' });
    await session.call('copy_file', { source: 'bare', destination: 'copy' });
    await session.call('delete_file', { path: 'p', recursive: true });
    expect(git(path.join(root, 'copy'), 'rev-parse', '--is-bare-repository')).toBe('true\n');
  });

  it('stays guarded when another process renames the directory that is being written in', async () => {
    const root = await scene();
    await cp(path.join(root, 'tree'), path.join(root, 'x'), { recursive: true });
    await using session = await connectFiles({ directories: [root] });
    await rename(path.join(root, 'x'), path.join(root, 'p/.git/x'));
    await symlink('p/.git/x', path.join(root, 'x'));
    expect(await session.fails('write_file', { path: 'x/deep/y', content: 'x' })).toMatch(DENIED);
  });
});
