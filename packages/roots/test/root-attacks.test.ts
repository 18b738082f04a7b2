import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { RootError, Roots } from '../src/index.ts';
import { ground, GUARANTEES, opened, outcome, refusal, temporaryDirectory, write, type Ground } from './ground.ts';
import { MEETS, OPERATIONS, outcomes, outcomesOf, readFile, treeOf, type Outcomes } from './operations.ts';

/** What becomes of the root while the server runs, and what every operation comes to then. */
type Change = readonly [change: string, happens: (at: Ground) => Promise<unknown>, code: string];

const CHANGES: readonly Change[] = [
  ['renamed away', ({ root }) => rename(root, `${root}-away`), 'ROOT_UNAVAILABLE'],
  ['deleted', ({ root }) => rm(root, { recursive: true }), 'ROOT_UNAVAILABLE'],
  ['deleted and created anew', recreate, 'ROOT_CHANGED'],
  ['replaced by a file', ({ root }) => rename(root, `${root}-away`).then(() => writeFile(root, '')), 'ROOT_CHANGED'],
  ['replaced by a link to outside', relink, 'ROOT_CHANGED'],
  ['exchanged with a directory outside', exchange, 'ROOT_CHANGED'],
  [
    'below a directory that is renamed',
    ({ root }) => rename(path.dirname(root), `${path.dirname(root)}-away`),
    'ROOT_UNAVAILABLE',
  ],
];

const READ_ONLY = outcomes('READ_ONLY');
const READ_ONLY_FILE: Outcomes = {
  ...READ_ONLY,
  find: 'allowed',
  read: 'allowed',
  list: 'NOT_DIRECTORY',
  'make directories': 'NOT_DIRECTORY',
};
const READ_ONLY_NOTHING: Outcomes = { ...READ_ONLY, find: 'NOT_FOUND', read: 'NOT_FOUND', list: 'NOT_FOUND' };
/** Where only what is moved comes from, or goes to, may not be written. */
const BESIDE_READ_ONLY: Outcomes = { ...MEETS.file, move: 'READ_ONLY', 'move to': 'READ_ONLY' };

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('held as %s, a root', (guarantee) => {
  it.each(CHANGES)('that is %s while it is used is refused as such', async (_, happens, code) => {
    const at = await ground({ guarantee });
    await happens(at);
    const before = treeOf(at.base);
    for (const given of ['ok.txt', 'secret.txt', 'a/new.txt'])
      expect(
        await outcomesOf(
          () => Promise.resolve(at),
          () => given,
        ),
        given,
      ).toEqual(outcomes(code));
    expect(
      await outcomesOf(
        () => Promise.resolve(at),
        ({ root }) => root,
      ),
    ).toEqual(ofRoot(outcomes(code)));
    expect(treeOf(at.base)).toEqual(before);
    expect(await at.roots.directories[0]?.state()).toBe(code === 'ROOT_CHANGED' ? 'changed' : 'unavailable');
  });

  it('that comes back is what it was', async () => {
    const { root, roots } = await ground({ guarantee });
    await rename(root, `${root}-away`);
    expect(await outcome(readFile(roots, 'ok.txt'))).toBe('ROOT_UNAVAILABLE');
    await mkdir(root);
    expect(await outcome(readFile(roots, 'ok.txt'))).toBe('ROOT_CHANGED');
    await rm(root, { recursive: true });
    await rename(`${root}-away`, root);
    expect(await readFile(roots, 'ok.txt')).toBe('ok.txt');
    expect(await roots.directories[0]?.state()).toBe('available');
  });

  it('that is missing at start is unavailable until it is there', async () => {
    const base = await temporaryDirectory();
    const late = path.join(base, 'late');
    const roots = await opened([late], { guarantee });
    expect(roots.directories).toMatchObject([{ path: late, realPath: late, mode: 'rw', from: 'operator' }]);
    for (const operate of Object.values(OPERATIONS)) expect(await outcome(operate(roots, 'a.txt'))).toBe('ROOT_UNAVAILABLE');
    await writeFile(late, '');
    expect(await outcome(readFile(roots, 'a.txt'))).toBe('ROOT_UNAVAILABLE');
    await rm(late);
    await write(path.join(late, 'a.txt'));
    expect(await readFile(roots, 'a.txt')).toBe('a.txt');
    expect(await roots.directories[0]?.state()).toBe('available');
  });

  it('that is missing is not told from one that is not, by what lies outside', async () => {
    const base = await temporaryDirectory();
    const roots = await opened([path.join(base, 'late')], { guarantee });
    expect(await outcome(readFile(roots, path.join(base, 'other')))).toBe('PATH_OUTSIDE_ROOTS');
  });

  it('that is a link is used by both names, and changed once the link leads elsewhere', async () => {
    const { base, root, outside } = await ground({ guarantee });
    const link = path.join(base, 'link');
    await symlink(root, link);
    const roots = await opened([link], { guarantee });
    expect(await readFile(roots, path.join(link, 'ok.txt'))).toBe('ok.txt');
    expect(await readFile(roots, path.join(root, 'ok.txt'))).toBe('ok.txt');
    await rm(link);
    await symlink(outside, link);
    for (const given of ['ok.txt', path.join(link, 'secret.txt'), path.join(root, 'ok.txt')])
      expect(await outcome(readFile(roots, given)), given).toBe('ROOT_CHANGED');
    await rm(link);
    await symlink(root, link);
    expect(await readFile(roots, 'ok.txt')).toBe('ok.txt');
  });

  it('that is a file is a mistake of the operator', async () => {
    const { root } = await ground({ guarantee });
    await expect(Roots.open([root, path.join(root, 'ok.txt')], { guarantee })).rejects.toThrow(RootError);
  });

  it.each(['', '.', './', 'a/..'])('is never moved, deleted or written itself, named by %j', async (name) => {
    const named = ({ root }: Ground): string => path.join(root, '/') + name;
    expect(await outcomesOf(() => ground({ guarantee }), named)).toEqual(ofRoot(MEETS.directory));
  });

  it('is not moved or deleted with a directory that holds it', async () => {
    const nested = async (): Promise<Ground> => {
      const at = await ground({ guarantee });
      const inner = path.join(at.root, 'a/inner/most');
      await mkdir(inner, { recursive: true });
      return { ...at, roots: await opened([at.root, inner], { guarantee }) };
    };
    for (const given of ['a', 'a/inner', 'a/inner/most']) {
      const denied = 'DENIED_BY_POLICY';
      expect(await outcomesOf(nested, () => given), given).toMatchObject({ move: denied, delete: denied, 'move to': denied });
    }
  });

  it.each([
    ['rw', 'ro', { 'ok.txt': MEETS.file, 'a/b.txt': READ_ONLY_FILE, 'a/new.txt': READ_ONLY_NOTHING }],
    ['ro', 'rw', { 'ok.txt': READ_ONLY_FILE, 'a/b.txt': BESIDE_READ_ONLY, 'new.txt': READ_ONLY_NOTHING }],
  ] as const)('that is %s has one in it that is %s: the longest prefix wins', async (outer, inner, expected) => {
    const nested = async (): Promise<Ground> => {
      const at = await ground({ guarantee });
      const inside = { path: path.join(at.root, 'a'), mode: inner };
      return { ...at, roots: await opened([{ path: at.root, mode: outer }, inside], { guarantee }) };
    };
    for (const [given, each] of Object.entries(expected)) expect(await outcomesOf(nested, () => given), given).toEqual(each);
  });

  it('that may only be read is not changed through a link from one that may be written', async () => {
    const joined = async (): Promise<Ground> => {
      const at = await ground({ guarantee });
      await symlink(at.outside, path.join(at.root, 'link'));
      return { ...at, roots: await opened([at.root, { path: at.outside, mode: 'ro' }], { guarantee }) };
    };
    expect(await outcomesOf(joined, () => 'link/secret.txt')).toEqual(READ_ONLY_FILE);
    expect(await outcomesOf(joined, () => 'link/new.txt')).toEqual(READ_ONLY_NOTHING);
  });
});

describe.runIf(process.platform === 'linux').each(GUARANTEES)('held as %s, the root of the file system', (guarantee) => {
  it.each(['/proc/version', '/proc/self/environ', '/sys/kernel', '/dev/null', '/dev/shm', '/proc', '/dev/missing'])(
    'keeps back what belongs to the kernel: %s',
    async (given) => {
      const roots = await opened(['/'], { guarantee });
      for (const operation of ['find', 'read', 'list'] as const)
        expect(await outcome(OPERATIONS[operation](roots, given)), operation).toBe('DENIED_BY_POLICY');
    },
  );

  it('keeps back what belongs to the kernel behind a link, too, and in a new file', async () => {
    const { root } = await ground({ guarantee });
    const roots = await opened(['/'], { guarantee });
    await symlink('/proc/self', path.join(root, 'link'));
    const { text } = await refusal(readFile(roots, path.join(root, 'link/environ')));
    expect(text).toMatch(/^DENIED_BY_POLICY/);
    const created = `/dev/shm/mcp-roots-${crypto.randomUUID()}`;
    for (const operation of ['write', 'move', 'move to', 'delete', 'make directory', 'make directories'] as const)
      expect(await outcome(OPERATIONS[operation](roots, created)), operation).toBe('DENIED_BY_POLICY');
  });

  it('gives everything else', async () => {
    const { root } = await ground({ guarantee });
    const roots = await opened(['/'], { guarantee });
    expect(await readFile(roots, path.join(root, 'ok.txt'))).toBe('ok.txt');
    expect(await readFile(roots, path.join(root, 'ok.txt').slice(1))).toBe('ok.txt');
  });
});

/** By its text alone a root is not written, moved, deleted or replaced. */
function ofRoot(others: Outcomes): Outcomes {
  const denied = 'DENIED_BY_POLICY';
  return { ...others, write: 'IS_DIRECTORY', move: denied, 'move to': denied, delete: denied, 'make directory': denied };
}

async function recreate({ root }: Ground): Promise<void> {
  await rm(root, { recursive: true });
  await write(path.join(root, 'ok.txt'), path.join(root, 'secret.txt'));
}

async function relink({ root, outside }: Ground): Promise<void> {
  await rename(root, `${root}-away`);
  await symlink(outside, root);
}

async function exchange({ root, outside }: Ground): Promise<void> {
  await rename(root, `${root}-away`);
  await rename(outside, root);
  await rename(`${root}-away`, outside);
}
