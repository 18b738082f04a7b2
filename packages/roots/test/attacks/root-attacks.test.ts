import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { RootError, Roots } from '../../src/index.ts';
import {
  createFixture,
  GUARANTEES,
  openRoots,
  getOutcome,
  getRefusal,
  temporaryDirectory,
  write,
  type RootFixture,
} from '../fixtures.ts';
import { OUTCOMES, OPERATIONS, outcomes, collectOutcomes, readFile, snapshotTree, type Outcomes } from '../operations.ts';

/** A title, a change of the root while the server runs, and the error code of every operation on an entry afterwards. */
type Change = readonly [change: string, happens: (at: RootFixture) => Promise<unknown>, code: string];

const CHANGES: readonly Change[] = [
  ['renamed away', ({ root }) => rename(root, `${root}-away`), 'ROOT_UNAVAILABLE'],
  ['deleted', ({ root }) => rm(root, { recursive: true }), 'ROOT_UNAVAILABLE'],
  ['deleted and created again', recreate, 'ROOT_CHANGED'],
  ['replaced by a file', ({ root }) => rename(root, `${root}-away`).then(() => writeFile(root, '')), 'ROOT_CHANGED'],
  ['replaced by a link to outside', relink, 'ROOT_CHANGED'],
  ['exchanged with a directory outside', exchange, 'ROOT_CHANGED'],
  [
    'moved because its parent was renamed',
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
/**
 * The outcomes for a file in a writable root inside a read-only root. Moves fail, because their other path is in the read-only
 * root.
 */
const BESIDE_READ_ONLY: Outcomes = { ...OUTCOMES.file, move: 'READ_ONLY', 'move to': 'READ_ONLY' };

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('a root (guarantee %s)', (guarantee) => {
  it.each(CHANGES)('is rejected with a specific code after it was %s during use', async (_, happens, code) => {
    const at = await createFixture({ guarantee });
    await happens(at);
    const before = snapshotTree(at.base);
    for (const given of ['ok.txt', 'secret.txt', 'a/new.txt'])
      expect(
        await collectOutcomes(
          () => Promise.resolve(at),
          () => given,
        ),
        given,
      ).toEqual(outcomes(code));
    expect(
      await collectOutcomes(
        () => Promise.resolve(at),
        ({ root }) => root,
      ),
    ).toEqual(withRootOutcomes(outcomes(code)));
    expect(snapshotTree(at.base)).toEqual(before);
    expect(await at.roots.directories[0]?.state()).toBe(code === 'ROOT_CHANGED' ? 'changed' : 'unavailable');
  });

  it('is usable again after it was restored', async () => {
    const { root, roots } = await createFixture({ guarantee });
    await rename(root, `${root}-away`);
    expect(await getOutcome(readFile(roots, 'ok.txt'))).toBe('ROOT_UNAVAILABLE');
    await mkdir(root);
    expect(await getOutcome(readFile(roots, 'ok.txt'))).toBe('ROOT_CHANGED');
    await rm(root, { recursive: true });
    await rename(`${root}-away`, root);
    expect(await readFile(roots, 'ok.txt')).toBe('ok.txt');
    expect(await roots.directories[0]?.state()).toBe('available');
  });

  it('is unavailable until it exists if it was missing at the start', async () => {
    const base = await temporaryDirectory();
    const late = path.join(base, 'late');
    const roots = await openRoots([late], { guarantee });
    expect(roots.directories).toMatchObject([{ path: late, realPath: late, mode: 'rw', from: 'operator' }]);
    for (const operate of Object.values(OPERATIONS)) expect(await getOutcome(operate(roots, 'a.txt'))).toBe('ROOT_UNAVAILABLE');
    await writeFile(late, '');
    expect(await getOutcome(readFile(roots, 'a.txt'))).toBe('ROOT_UNAVAILABLE');
    await rm(late);
    await write(path.join(late, 'a.txt'));
    expect(await readFile(roots, 'a.txt')).toBe('a.txt');
    expect(await roots.directories[0]?.state()).toBe('available');
  });

  it('gives the same errors for paths outside, whether or not it exists', async () => {
    const base = await temporaryDirectory();
    const roots = await openRoots([path.join(base, 'late')], { guarantee });
    expect(await getOutcome(readFile(roots, path.join(base, 'other')))).toBe('PATH_OUTSIDE_ROOTS');
  });

  it('is usable by both names if it is a link, and fails with ROOT_CHANGED once the link has another target', async () => {
    const { base, root, outside } = await createFixture({ guarantee });
    const link = path.join(base, 'link');
    await symlink(root, link);
    const roots = await openRoots([link], { guarantee });
    expect(await readFile(roots, path.join(link, 'ok.txt'))).toBe('ok.txt');
    expect(await readFile(roots, path.join(root, 'ok.txt'))).toBe('ok.txt');
    await rm(link);
    await symlink(outside, link);
    for (const given of ['ok.txt', path.join(link, 'secret.txt'), path.join(root, 'ok.txt')])
      expect(await getOutcome(readFile(roots, given)), given).toBe('ROOT_CHANGED');
    await rm(link);
    await symlink(root, link);
    expect(await readFile(roots, 'ok.txt')).toBe('ok.txt');
  });

  it('is rejected at the start if it is a file', async () => {
    const { root } = await createFixture({ guarantee });
    await expect(Roots.open([root, path.join(root, 'ok.txt')], { guarantee })).rejects.toThrow(RootError);
  });

  it.each(['', '.', './', 'a/..'])('is never moved, deleted or overwritten itself, named by %j', async (name) => {
    const named = ({ root }: RootFixture): string => path.join(root, '/') + name;
    expect(await collectOutcomes(() => createFixture({ guarantee }), named)).toEqual(withRootOutcomes(OUTCOMES.directory));
  });

  it('is not moved or deleted together with a directory that contains it', async () => {
    const nested = async (): Promise<RootFixture> => {
      const at = await createFixture({ guarantee });
      const inner = path.join(at.root, 'a/inner/most');
      await mkdir(inner, { recursive: true });
      return { ...at, roots: await openRoots([at.root, inner], { guarantee }) };
    };
    for (const given of ['a', 'a/inner', 'a/inner/most']) {
      const denied = 'DENIED_BY_POLICY';
      expect(await collectOutcomes(nested, () => given), given).toMatchObject({
        move: denied,
        delete: denied,
        'move to': denied,
      });
    }
  });

  it.each([
    ['rw', 'ro', { 'ok.txt': OUTCOMES.file, 'a/b.txt': READ_ONLY_FILE, 'a/new.txt': READ_ONLY_NOTHING }],
    ['ro', 'rw', { 'ok.txt': READ_ONLY_FILE, 'a/b.txt': BESIDE_READ_ONLY, 'new.txt': READ_ONLY_NOTHING }],
  ] as const)('that is %s has one in it that is %s: the longest prefix wins', async (outer, inner, expected) => {
    const nested = async (): Promise<RootFixture> => {
      const at = await createFixture({ guarantee });
      const inside = { path: path.join(at.root, 'a'), mode: inner };
      return { ...at, roots: await openRoots([{ path: at.root, mode: outer }, inside], { guarantee }) };
    };
    for (const [given, each] of Object.entries(expected)) expect(await collectOutcomes(nested, () => given), given).toEqual(each);
  });

  it('is not changed through a link from a writable root if it is read-only', async () => {
    const joined = async (): Promise<RootFixture> => {
      const at = await createFixture({ guarantee });
      await symlink(at.outside, path.join(at.root, 'link'));
      return { ...at, roots: await openRoots([at.root, { path: at.outside, mode: 'ro' }], { guarantee }) };
    };
    expect(await collectOutcomes(joined, () => 'link/secret.txt')).toEqual(READ_ONLY_FILE);
    expect(await collectOutcomes(joined, () => 'link/new.txt')).toEqual(READ_ONLY_NOTHING);
  });
});

describe.runIf(process.platform === 'linux').each(GUARANTEES)('the root of the file system (guarantee %s)', (guarantee) => {
  it.each(['/proc/version', '/proc/self/environ', '/sys/kernel', '/dev/null', '/dev/shm', '/proc', '/dev/missing'])(
    'denies kernel files: %s',
    async (given) => {
      const roots = await openRoots(['/'], { guarantee });
      for (const operation of ['find', 'read', 'list'] as const)
        expect(await getOutcome(OPERATIONS[operation](roots, given)), operation).toBe('DENIED_BY_POLICY');
    },
  );

  it('denies kernel files behind a link and as the target of a new file', async () => {
    const { root } = await createFixture({ guarantee });
    const roots = await openRoots(['/'], { guarantee });
    await symlink('/proc/self', path.join(root, 'link'));
    const { text } = await getRefusal(readFile(roots, path.join(root, 'link/environ')));
    expect(text).toMatch(/^DENIED_BY_POLICY/);
    const created = `/dev/shm/mcp-roots-${crypto.randomUUID()}`;
    for (const operation of ['write', 'move', 'move to', 'delete', 'make directory', 'make directories'] as const)
      expect(await getOutcome(OPERATIONS[operation](roots, created)), operation).toBe('DENIED_BY_POLICY');
  });

  it('gives access to all other files', async () => {
    const { root } = await createFixture({ guarantee });
    const roots = await openRoots(['/'], { guarantee });
    expect(await readFile(roots, path.join(root, 'ok.txt'))).toBe('ok.txt');
    expect(await readFile(roots, path.join(root, 'ok.txt').slice(1))).toBe('ok.txt');
  });
});

/**
 * Returns the outcomes for the root itself, which is never written, moved, deleted or replaced. The given path alone decides
 * this, whatever the state of the root.
 */
function withRootOutcomes(others: Outcomes): Outcomes {
  const denied = 'DENIED_BY_POLICY';
  return { ...others, write: 'IS_DIRECTORY', move: denied, 'move to': denied, delete: denied, 'make directory': denied };
}

async function recreate({ root }: RootFixture): Promise<void> {
  await rm(root, { recursive: true });
  await write(path.join(root, 'ok.txt'), path.join(root, 'secret.txt'));
}

async function relink({ root, outside }: RootFixture): Promise<void> {
  await rename(root, `${root}-away`);
  await symlink(outside, root);
}

async function exchange({ root, outside }: RootFixture): Promise<void> {
  await rename(root, `${root}-away`);
  await rename(outside, root);
  await rename(`${root}-away`, outside);
}
