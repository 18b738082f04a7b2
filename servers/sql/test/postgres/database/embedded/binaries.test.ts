import { mkdir, mkdtemp, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { prepareBinaries } from '../../../../src/postgres/database/embedded/binaries.ts';

const ACCOUNT = { uid: 65_534, gid: 65_534 };

let home = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'binaries-')));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Creates a package that other users cannot reach, with a library. Returns its directory. */
async function createPackage({ linked }: { readonly linked: boolean }): Promise<string> {
  const native = path.join(home, 'closed', 'native');
  await mkdir(path.join(native, 'lib'), { recursive: true, mode: 0o700 });
  await writeFile(path.join(native, 'lib', 'libpq.so.5.18'), '');
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await writeFile(path.join(native, 'pg-symlinks.json'), JSON.stringify(links));
  if (linked) await symlink('libpq.so.5.18', path.join(native, 'lib', 'libpq.so.5'));
  return native;
}

describe('the programs of a package that another account cannot reach', () => {
  it.each([
    ['ran', true],
    ['did not run', false],
  ])('are copied with links that do not leave the copy, if the install script of the package %s', async (_, linked) => {
    const native = await createPackage({ linked });
    const copy = path.join(home, 'copy');
    const { initdb } = await prepareBinaries(native, copy, ACCOUNT);
    expect(initdb).toBe(path.join(copy, 'native/bin/initdb'));
    expect(await readlink(path.join(copy, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18');
  });
});
