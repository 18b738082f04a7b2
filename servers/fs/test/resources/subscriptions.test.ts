import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../fixtures/temporary.ts';

function uriOf(...parts: readonly string[]): string {
  return pathToFileURL(path.join(...parts)).href;
}

describe.each(ERAS)('a subscription to a file, on a %s connection,', (era) => {
  it.each<readonly [string, (file: string) => Promise<unknown>]>([
    ['is written in place', (file) => writeFile(file, 'new')],
    ['is replaced by a rename', (file) => writeFile(`${file}.tmp`, 'new').then(() => rename(`${file}.tmp`, file))],
    ['is deleted', (file) => rm(file)],
  ])('sends one update when it %s', async (_, change) => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'a.txt');
    await writeFile(file, 'old');
    await using session = await connectFiles({ directories: [root] }, era);
    await using updates = await session.subscribe(uriOf(file));
    await change(file);
    await updates.next();
    await writeFile(file, 'and again, so that a second update of the first change would have come before');
    await updates.next();
    expect(updates.count).toBe(2);
  });

  it('sends no update for neighbouring files', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a.txt'), 'a');
    await using session = await connectFiles({ directories: [root] }, era);
    await using updates = await session.subscribe(uriOf(root, 'a.txt'));
    await writeFile(path.join(root, 'b.txt'), 'b');
    await session.text('write_file', { path: 'a.txt', content: 'changed' });
    await updates.next();
    expect(updates.count).toBe(1);
  });
});

describe.each(ERAS)('a subscription to a directory, on a %s connection,', (era) => {
  it('sends an update when an entry is added or removed', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'sub'));
    await using session = await connectFiles({ directories: [root] }, era);
    await using updates = await session.subscribe(uriOf(root, 'sub'));
    await writeFile(path.join(root, 'sub/a.txt'), 'a');
    await updates.next();
    await rm(path.join(root, 'sub/a.txt'));
    await updates.next();
    expect(updates.count).toBe(2);
  });
});

/**
 * Directory `base` with `root` and `outside`, both of which contain `a/b/secret.txt`. `root-link` resolves to `root`,
 * `root/in-link` to `root/a`, and `root/out-link` to the secret outside.
 */
interface Scene {
  readonly base: string;
  readonly root: string;
}

async function makeScene(): Promise<Scene> {
  const base = await temporaryDirectory();
  const root = path.join(base, 'root');
  for (const top of [root, path.join(base, 'outside')]) {
    await mkdir(path.join(top, 'a/b'), { recursive: true });
    await writeFile(path.join(top, 'a/b/secret.txt'), 'old');
  }
  await mkdir(path.join(root, 'z/b'), { recursive: true });
  await writeFile(path.join(root, 'z/b/secret.txt'), 'old');
  await writeFile(path.join(root, 'beside.txt'), 'old');
  await symlink('root', path.join(base, 'root-link'));
  await symlink('a', path.join(root, 'in-link'));
  await symlink('../outside/a/b/secret.txt', path.join(root, 'out-link'));
  return { base, root };
}

async function swap(place: string, target: string): Promise<void> {
  await rename(place, `${place}.mine`);
  await symlink(target, place);
}

/** Resolves after all earlier changes were notified. */
async function settled(session: Session, { root }: Scene): Promise<void> {
  await using beside = await session.subscribe(uriOf(root, 'beside.txt'));
  for (const text of ['1', '2']) {
    await writeFile(path.join(root, 'beside.txt'), text);
    await beside.next();
  }
}

/**
 * The test subscribes to the file `on` (default: `a/b/secret.txt`) in `base/given` (default: `base/root`), and then replaces
 * `base/at` by a link to `base/to`.
 */
const ATTACKS = [
  { attack: 'the file swapped for a link out', at: 'root/a/b/secret.txt', to: 'outside/a/b/secret.txt' },
  { attack: 'its directory swapped for a link out', at: 'root/a/b', to: 'outside/a/b' },
  { attack: 'a directory above swapped for a link out', at: 'root/a', to: 'outside/a' },
  { attack: 'the root swapped for a link out', at: 'root', to: 'outside' },
  { attack: 'a root that is a link made to lead out', given: 'root-link', at: 'root-link', to: 'outside' },
  {
    attack: 'a link on its way made to lead out',
    given: 'root',
    on: 'in-link/b/secret.txt',
    at: 'root/in-link',
    to: 'outside/a',
  },
];

describe.each(ERAS)('a subscription to a file that moves outside, on a %s connection,', (era) => {
  it.each(ATTACKS)('sends one update when it is removed, one when it returns, and none for the outside: $attack', async (row) => {
    const { given = 'root', on = 'a/b/secret.txt', at, to } = row;
    const scene = await makeScene();
    const { base, root } = scene;
    const place = path.join(base, at);
    const directories = [path.join(base, given), path.join(base, 'other')];
    await mkdir(path.join(base, 'other'));
    await using session = await connectFiles({ directories }, era);
    await using updates = await session.subscribe(uriOf(base, given, on));
    await swap(place, path.join(base, to));
    await updates.next();
    const sentinel = { base, root: path.join(base, 'other') };
    await writeFile(path.join(sentinel.root, 'beside.txt'), 'old');
    for (const text of ['one', 'another']) {
      await writeFile(path.join(base, 'outside/a/b/secret.txt'), text);
      await settled(session, sentinel);
    }
    expect(updates.count).toBe(1);
    await rm(place);
    await rename(`${place}.mine`, place);
    await updates.next();
    await writeFile(path.join(root, 'a/b/secret.txt'), 'new');
    await updates.next();
    await settled(session, sentinel);
    expect(updates.count).toBe(3);
  });

  it('sends an update when a link on its path gets another target inside', async () => {
    const scene = await makeScene();
    await using session = await connectFiles({ directories: [scene.root] }, era);
    await using updates = await session.subscribe(uriOf(scene.root, 'in-link/b/secret.txt'));
    await rm(path.join(scene.root, 'in-link'));
    await symlink('z', path.join(scene.root, 'in-link'));
    await updates.next();
    await settled(session, scene);
    expect(updates.count).toBeLessThanOrEqual(2);
  });
});

describe.each(ERAS)('a subscription in a removed root, on a %s connection,', (era) => {
  it('sends one update when it is removed, one when it returns, and later updates', async () => {
    const { base, root } = await makeScene();
    const file = path.join(root, 'a/b/secret.txt');
    await using session = await connectFiles({ directories: [root] }, era);
    await using updates = await session.subscribe(uriOf(file));
    for (let round = 1; round <= 2; round += 1) {
      await rename(root, path.join(base, 'away'));
      await updates.next();
      await rename(path.join(base, 'away'), root);
      await updates.next();
      await writeFile(file, `changed ${round}`);
      await updates.next();
      expect(updates.count).toBe(3 * round);
    }
  });
});

/** URIs whose subscription is rejected. */
const REFUSED: readonly (readonly [string, (scene: Scene) => string])[] = [
  ['a file outside', ({ base }) => uriOf(base, 'outside/a/b/secret.txt')],
  ['a missing file outside', ({ base }) => uriOf(base, 'outside/missing.txt')],
  ['a missing file inside', ({ root }) => uriOf(root, 'missing.txt')],
  ['a link out', ({ root }) => uriOf(root, 'out-link')],
  ['the directory above a root', ({ base }) => uriOf(base)],
  ['an encoded traversal', ({ root }) => `${uriOf(root)}/%2e%2e/outside/a/b/secret.txt`],
  ['an encoded slash', ({ root }) => `${uriOf(root)}/..%2foutside%2fa`],
  ['a file of another machine', ({ root }) => `file://elsewhere${root}/a/b/secret.txt`],
  ['another scheme', () => 'https://example.org/'],
];

describe.each(REFUSED)('a subscription to %s', (_, uriIn) => {
  it('is rejected in a session like a missing resource', async () => {
    const scene = await makeScene();
    await using session = await connectFiles({ directories: [scene.root] }, 'legacy');
    const uri = uriIn(scene);
    await expect(session.subscribe(uri)).rejects.toThrow(`Resource not found: ${uri}`);
  });

  it('is omitted from a listen stream', async () => {
    const scene = await makeScene();
    await using session = await connectFiles({ directories: [scene.root] }, 'modern');
    const allowed = uriOf(scene.root, 'beside.txt');
    const stream = await session.client.listen({ resourceSubscriptions: [uriIn(scene), allowed] });
    expect(stream.honoredFilter.resourceSubscriptions).toEqual([allowed]);
    await stream.close();
  });
});
