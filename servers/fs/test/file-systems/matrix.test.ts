import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles } from '../fixtures/temporary.ts';
import { KINDS } from '../fixtures/file-system-kinds.ts';
import { mountForSuite, whyNotMounted } from '../fixtures/mounts.ts';

/** Spellings with which the tests request a secret file, keyed by the path of the file. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  '.env': ['.env', '.ENV', '.Env', '.env.', '.ENV ', '.env:x', '.ENV:X', '.env::$DATA', 'ENV~1', 'env~1'],
  '.ssh/id_rsa': ['.ssh/id_rsa', '.SSH/id_rsa', '.SSH/ID_RSA', '.\u017fsh/id_r\u017fa', '.ssh./id_rsa', 'SSH~1/ID_RSA'],
  'server.pem': ['server.pem', 'SERVER.PEM', 'Server.Pem.', 'server.pem:x'],
  'PRIVATE.KEY': ['PRIVATE.KEY', 'private.key', 'private.\u212aey', 'Private.Key '],
  'notes/private notes.txt': [
    'notes/private notes.txt',
    'notes/PRIVATE NOTES.TXT',
    'NOTES/Private Notes.txt',
    'notes/PRIVAT~1.TXT',
    'notes/private notes.txt:x',
  ],
};

const REFUSED = /^(?:DENIED_BY_POLICY|NOT_FOUND|INVALID_PATH|NOT_DIRECTORY):/;

/** Spellings of the name of a directory. The test creates the directory with the first one. */
const DIRECTORY = ['sub directory', 'SUB DIRECTORY', 'Sub Directory.', '\u017fub directory', 'SUBDIR~1'];

async function expectRefusedState(root: string): Promise<void> {
  const connecting = async (): Promise<unknown> => connectFiles({ directories: [root], stateDir: path.join(root, 'state') });
  await expect(connecting()).rejects.toThrow('can be written by every user');
}

async function expectHiddenState(root: string): Promise<void> {
  const [name = '', ...others] = DIRECTORY;
  await writeFile(path.join(root, 'a.txt'), 'a');
  await using session = await connectFiles({ directories: [root], stateDir: path.join(root, name) });
  await session.text('append_file', { path: 'a.txt', content: 'b' });
  expect(await readdir(path.join(root, name))).toContain('changes');
  for (const given of [name, ...others]) {
    for (const below of [given, `${given}/changes`, `${given}/CHANGES`])
      expect(await refusalOf(session, 'list_directory', { path: below }), below).toMatch(REFUSED);
    expect(await refusalOf(session, 'delete_file', { path: given, recursive: true, permanent: true })).toMatch(REFUSED);
  }
  expect(await session.text('directory_tree', { path: '.' })).not.toContain(name);
}

const TRIED = await Promise.all(KINDS.map(async (kind) => ({ kind, reason: await whyNotMounted(kind.mount) })));
const MOUNTED = TRIED.filter(({ reason }) => reason === undefined).map(({ kind }) => kind);
const NOT_MOUNTED = TRIED.filter(({ reason }) => reason !== undefined);

it.for(NOT_MOUNTED)('this machine does not mount $kind.name', ({ reason }, context) => context.skip(reason));

describe.each(MOUNTED)('on $name', (kind) => {
  const directoryFor = mountForSuite(kind.mount);

  it('a file has the aliases in the table', async (context) => {
    const root = await directoryFor(context);
    await writeFile(path.join(root, 'caf\u00e9 long.txt'), '');
    await writeFile(path.join(root, 'plain'), '');
    await writeFile(path.join(root, 'A Long Name.text'), '');
    const has = (name: string): boolean => existsSync(path.join(root, name));
    expect({
      ignoresCase: has('PLAIN'),
      normalises: has('cafe\u0301 long.txt'),
      strips: has('plain.'),
      shortens: has('ALONGN~1.TEX'),
    }).toEqual({
      ignoresCase: kind.ignoresCase ?? false,
      normalises: kind.normalises ?? false,
      strips: kind.strips ?? false,
      shortens: kind.shortens ?? false,
    });
  });

  it.for(Object.entries(SPELLINGS))('a denied path is denied in every spelling: %s', async ([secret, spellings], context) => {
    const root = await directoryFor(context);
    await plant(root, secret, 'SECRET');
    await using session = await connectFiles({ directories: [root], deny: ['private notes.txt'] });
    for (const given of spellings) {
      for (const [tool, input] of attempts(given)) {
        const answer = await refusalOf(session, tool, input);
        expect(answer, `${tool} ${given}`).toMatch(REFUSED);
        expect(answer).not.toContain('SECRET');
      }
    }
    expect(await readFile(path.join(root, secret), 'utf8')).toBe('SECRET');
    expect(await session.text('search_content', { path: '.', pattern: 'SECRET' })).toMatch(/^No matches/);
  });

  it('the state directory is hidden in every spelling, or rejected if every user may write it', async (context) => {
    const root = await directoryFor(context);
    await (kind.isOpenToAll ? expectRefusedState(root) : expectHiddenState(root));
  });

  it('a read-only directory inside a writable one stays unchanged in every spelling', async (context) => {
    const root = await directoryFor(context);
    const [name = '', ...others] = DIRECTORY;
    await plant(root, `${name}/x`, 'kept');
    await using session = await connectFiles({ rw: [root], ro: [path.join(root, name)] });
    for (const given of [name, ...others]) {
      for (const [tool, input] of [...changes(`${given}/x`), ...changes(given)])
        await session.client.callTool({ name: tool, arguments: input });
      expect(await readdir(path.join(root, name)), given).toEqual(['x']);
      expect(await readFile(path.join(root, name, 'x'), 'utf8'), given).toBe('kept');
    }
  });

  it('an exception permits the spelling on the disk and no other', async (context) => {
    const root = await directoryFor(context);
    await plant(root, 'a/public.pem', 'PUBLIC');
    await plant(root, 'b/PUBLIC.PEM', 'SECRET');
    await using session = await connectFiles({ directories: [root], allow: ['public.pem'] });
    expect(await session.text('read_text_file', { path: 'a/public.pem' })).toBe('PUBLIC');
    if (kind.listsLowerCase === true) return;
    for (const given of ['b/public.pem', 'b/PUBLIC.PEM'])
      expect(await refusalOf(session, 'read_text_file', { path: given }), given).toMatch(REFUSED);
  });

  it('a file is one file in every spelling: its path, its etag, its undo', async (context) => {
    const root = await directoryFor(context);
    await plant(root, 'notes.txt', 'one');
    await using session = await connectFiles({ directories: [root] });
    const written = await session.call('write_file', { path: 'NOTES.TXT', content: 'two' });
    expect((await readdir(root)).sort()).toEqual(kind.ignoresCase === true ? ['notes.txt'] : ['NOTES.TXT', 'notes.txt']);
    if (kind.ignoresCase !== true) return;
    expect(written.structuredContent).toMatchObject({ path: path.join(root, 'notes.txt'), created: false });
    const info = await session.call('get_file_info', { path: 'Notes.txt' });
    expect(info.structuredContent).toMatchObject({ path: path.join(root, 'notes.txt'), size: 3 });
    const { etag } = info.structuredContent as { readonly etag: string };
    await session.text('append_file', { path: 'notes.TXT', content: '!', ifMatch: etag });
    expect(await session.fails('write_file', { path: 'nOtes.txt', content: '', mode: 'create' })).toMatch(/^ALREADY_EXISTS/);
    expect(await readFile(path.join(root, 'notes.txt'), 'utf8')).toBe('two!');
    await session.text('undo_change', { undoId: (written.structuredContent as Changed).undoId, force: true });
    expect(await readFile(path.join(root, 'notes.txt'), 'utf8')).toBe('one');
  });

  it('changes by several spellings wait for each other', async (context) => {
    const root = await directoryFor(context);
    await plant(root, 'log.txt', '');
    await using session = await connectFiles({ directories: [root], durability: 'fast' });
    const spellings = kind.ignoresCase === true ? ['log.txt', 'LOG.TXT', 'Log.txt'] : ['log.txt'];
    const calls = Array.from({ length: 12 }, (_, index) =>
      session.text('append_file', { path: spellings[index % spellings.length], content: `${index}\n` }),
    );
    await Promise.all(calls);
    const lines = (await readFile(path.join(root, 'log.txt'), 'utf8')).trim().split('\n');
    expect(lines.map(Number).sort((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, index) => index));
  });

  it('a move can change only the case of a name, and can be undone', async (context) => {
    const root = await directoryFor(context);
    await plant(root, 'readme.txt', 'text');
    await using session = await connectFiles({ directories: [root] });
    const { structuredContent } = await session.call('move_file', { source: 'readme.txt', destination: 'README.txt' });
    expect(await readdir(root)).toEqual([listed('README.txt')]);
    expect(await readFile(path.join(root, 'README.txt'), 'utf8')).toBe('text');
    await session.text('undo_change', { undoId: (structuredContent as Changed).undoId });
    expect(await readdir(root)).toEqual(['readme.txt']);
  });

  it('names in two normal forms are one file or ambiguous', async (context) => {
    const root = await directoryFor(context);
    await plant(root, 'caf\u00e9', 'one');
    await writeFile(path.join(root, 'cafe\u0301'), 'two');
    const names = await readdir(root);
    await using session = await connectFiles({ directories: [root] });
    for (const given of ['caf\u00e9', 'cafe\u0301']) {
      const { content } = await session.client.callTool({ name: 'read_text_file', arguments: { path: given } });
      expect(JSON.stringify(content)).toMatch(names.length === 1 ? /"two"/ : /AMBIGUOUS_NAME/);
    }
    expect(names).toHaveLength(kind.normalises === true ? 1 : 2);
  });

  it('searches find a file that was accessed by another spelling before', async (context) => {
    const root = await directoryFor(context);
    await plant(root, 'Deep Directory/File.txt', 'needle');
    await using session = await connectFiles({ directories: [root] });
    for (const given of ['DEEP DIRECTORY/FILE.TXT', 'deep directory'])
      await session.client.callTool({ name: 'get_file_info', arguments: { path: given } });
    existsSync(path.join(root, 'dEEP dIRECTORY/fILE.txt'));
    const found = await session.call('search_content', { path: '.', pattern: 'needle' });
    expect(found.structuredContent).toMatchObject({ matches: [{ path: path.join(root, listed('Deep Directory/File.txt')) }] });
    expect(await session.text('directory_tree', { path: '.' })).toContain(listed('File.txt'));
  });

  it('files are written, copied, moved, deleted and restored', async (context) => {
    const root = await directoryFor(context);
    await using session = await connectFiles({ directories: [root] });
    await session.text('write_file', { path: 'a/b/c.txt', content: 'text', createParents: true });
    await session.text('copy_file', { source: 'a/b/c.txt', destination: 'copy.txt' });
    await session.text('move_file', { source: 'copy.txt', destination: 'a/moved.txt' });
    const { structuredContent } = await session.call('delete_file', { path: 'a', recursive: true });
    expect(await readdir(root)).toEqual([]);
    await session.text('undo_change', { undoId: (structuredContent as Changed).undoId });
    expect((await readdir(path.join(root, 'a'))).sort()).toEqual(['b', 'moved.txt']);
    expect(await readFile(path.join(root, 'a/b/c.txt'), 'utf8')).toBe('text');
  });

  function listed(name: string): string {
    return kind.listsLowerCase === true ? name.toLowerCase() : name;
  }
});

interface Changed {
  readonly undoId: string;
}

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** Returns calls that would disclose or change a file. */
function attempts(given: string): readonly Call[] {
  return [
    ['read_text_file', { path: given }],
    ['get_file_info', { path: given, hash: true }],
    ['get_file_info', { path: given, followLinks: false }],
    ['edit_file', { path: given, edits: [{ oldText: 'SECRET', newText: 'OWNED' }] }],
    ['copy_file', { source: given, destination: 'copied' }],
    ['move_file', { source: given, destination: 'moved' }],
    ['delete_file', { path: given, permanent: true }],
  ];
}

/** Returns calls that would change the entry at a path. */
function changes(given: string): readonly Call[] {
  return [
    ['write_file', { path: given, content: 'OWNED' }],
    ['append_file', { path: given, content: 'OWNED' }],
    ['edit_file', { path: given, edits: [{ oldText: 'kept', newText: 'OWNED' }] }],
    ['write_file', { path: `${given}/new`, content: 'OWNED', createParents: true }],
    ['move_file', { source: given, destination: 'taken' }],
    ['delete_file', { path: given, recursive: true }],
  ];
}

/** Calls a tool that must fail, and returns the text of its error. */
async function refusalOf({ client }: Session, tool: string, input: Call[1]): Promise<string> {
  const { isError, content } = await client.callTool({ name: tool, arguments: input });
  const text = JSON.stringify(content);
  expect(isError, `${tool} ${JSON.stringify(input)} ${text}`).toBe(true);
  return (content as readonly { readonly text: string }[])[0]?.text ?? '';
}

async function plant(root: string, name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, name)), { recursive: true });
  await writeFile(path.join(root, name), text);
}
