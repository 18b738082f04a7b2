import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { opened, temporaryDirectory } from './ground.ts';

async function tree(...directories: readonly string[]): Promise<string> {
  const base = await temporaryDirectory();
  for (const directory of directories) await mkdir(path.join(base, directory), { recursive: true });
  return base;
}

/** What is left of the operator's directories once the client named its own; all relative to the base. */
async function narrowed(
  base: string,
  operator: readonly string[],
  client: readonly string[] | undefined,
): Promise<readonly string[]> {
  const roots = await opened(operator.map((directory) => path.join(base, directory)));
  const uris = client?.map((root) =>
    root.includes(':') ? root.replace('BASE', base) : pathToFileURL(path.join(base, root)).href,
  );
  const { directories } = await roots.narrowedTo(uris);
  return directories.map((directory) => path.relative(base, directory.path));
}

describe("the client's roots", () => {
  it.each<readonly [string, readonly string[], readonly string[] | undefined, readonly string[]]>([
    ['change nothing if the client has none to tell', ['a', 'b'], undefined, ['a', 'b']],
    ['take away what they do not name', ['a', 'b'], ['b'], ['b']],
    ['narrow to a directory below', ['a'], ['a/x'], ['a/x']],
    ['never widen to a directory above', ['a/x'], ['a'], ['a/x']],
    ['never widen to all', ['a'], ['file:///'], ['a']],
    ['never widen to a neighbour', ['a'], ['b'], []],
    ['never widen to a neighbour with the same beginning', ['a'], ['ab'], []],
    ['deny all if there are none', ['a'], [], []],
    ['count for nothing if they do not exist', ['a'], ['a/missing'], []],
    ['count for nothing if they are files', ['a'], ['a/file.txt'], []],
    ['count for nothing if they are elsewhere', ['a'], ['vscode-remote://host/a', 'https://host/a', 'file://host/a'], []],
    ['count for nothing if they cannot be read', ['a'], ['file:///a%00', 'file:///%zz'], []],
    ['are decoded once', ['a b'], ['a b'], ['a b']],
    ['are decoded no more than once', ['a'], ['file://BASE/%252e%252e/a', 'file://BASE/a%2520b'], []],
    ['count for nothing if they climb', ['a'], ['file://BASE/b/../a/x', 'file://BASE/b/%2e%2e/a', 'file://BASE/a/%2E./b'], []],
    ['may name this machine', ['a'], ['file://localhostBASE/a'], ['a']],
    ['count for nothing if they hide a slash', ['a'], ['file://BASE/a%2Fx', 'file://BASE%2Fa'], []],
    ['count for nothing if they name a drive that is not there', ['a'], ['file:///c%3A/x', 'file:///C:/x'], []],
    ['count once where they overlap', ['a'], ['a', 'a'], ['a']],
    ['are the boundary where the operator named none', [], ['a'], ['a']],
    ['lead nowhere by a link', ['a'], ['a/out'], []],
  ])('%s', async (_, operator, client, left) => {
    const base = await tree('a/x', 'ab', 'b', 'a b');
    await writeFile(path.join(base, 'a/file.txt'), '');
    await symlink(path.join(base, 'b'), path.join(base, 'a/out'));
    expect(await narrowed(base, operator, client)).toEqual(left);
  });

  it('bound every path, and the refusal says who allows nothing', async () => {
    const base = await tree('a/x', 'a/y');
    const roots = await opened([path.join(base, 'a')]);
    const some = await roots.narrowedTo([pathToFileURL(path.join(base, 'a/x')).href]);
    await expect(some.existing(path.join(base, 'a/y'))).rejects.toMatchObject({ code: 'PATH_OUTSIDE_ROOTS' });
    const none = await roots.narrowedTo([]);
    await expect(none.existing('x')).rejects.toMatchObject({
      code: 'PATH_OUTSIDE_ROOTS',
      hint: `the client reports no roots, and the server requires some for its directories (${path.join(base, 'a')}), so no path is allowed\nadd a root in the client, or start the server with --roots narrow`,
    });
  });

  it('leave the operator’s roots as they are', async () => {
    const base = await tree('a/x');
    const roots = await opened([path.join(base, 'a')]);
    await roots.narrowedTo([]);
    expect((await roots.existing('x')).shown).toBe(path.join(base, 'a/x'));
  });
});
