import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { openRoots, temporaryDirectory } from '../fixtures.ts';

async function tree(...directories: readonly string[]): Promise<string> {
  const base = await temporaryDirectory();
  for (const directory of directories) await mkdir(path.join(base, directory), { recursive: true });
  return base;
}

/**
 * Returns the directories of the operator that remain after a client has reported its roots. All paths are relative to the base,
 * except roots with a colon, which are URIs.
 */
async function narrowed(
  base: string,
  operator: readonly string[],
  client: readonly string[] | undefined,
): Promise<readonly string[]> {
  const roots = await openRoots(operator.map((directory) => path.join(base, directory)));
  const uris = client?.map((root) =>
    root.includes(':') ? root.replace('BASE', base) : pathToFileURL(path.join(base, root)).href,
  );
  const { directories } = await roots.narrowedTo(uris);
  return directories.map((directory) => path.relative(base, directory.path));
}

describe('Roots.narrowedTo', () => {
  it.each<readonly [string, readonly string[], readonly string[] | undefined, readonly string[]]>([
    ['changes nothing if the client reports no roots', ['a', 'b'], undefined, ['a', 'b']],
    ['removes directories that the client does not name', ['a', 'b'], ['b'], ['b']],
    ['narrows to a subdirectory', ['a'], ['a/x'], ['a/x']],
    ['never widens to a parent directory', ['a/x'], ['a'], ['a/x']],
    ['never widens to the root of the file system', ['a'], ['file:///'], ['a']],
    ['never widens to a sibling', ['a'], ['b'], []],
    ['never widens to a sibling with the same prefix', ['a'], ['ab'], []],
    ['allows nothing for an empty list of roots', ['a'], [], []],
    ['ignores missing roots', ['a'], ['a/missing'], []],
    ['ignores roots that are files', ['a'], ['a/file.txt'], []],
    ['ignores roots on other machines', ['a'], ['vscode-remote://host/a', 'https://host/a', 'file://host/a'], []],
    ['ignores malformed URIs', ['a'], ['file:///a%00', 'file:///%zz'], []],
    ['decodes URIs', ['a b'], ['a b'], ['a b']],
    ['decodes URIs only once', ['a'], ['file://BASE/%252e%252e/a', 'file://BASE/a%2520b'], []],
    ['ignores URIs with ..', ['a'], ['file://BASE/b/../a/x', 'file://BASE/b/%2e%2e/a', 'file://BASE/a/%2E./b'], []],
    ['accepts localhost as the host', ['a'], ['file://localhostBASE/a'], ['a']],
    ['ignores URIs with an encoded slash', ['a'], ['file://BASE/a%2Fx', 'file://BASE%2Fa'], []],
    ['ignores a drive that does not exist', ['a'], ['file:///c%3A/x', 'file:///C:/x'], []],
    ['returns a directory once if it is named twice', ['a'], ['a', 'a'], ['a']],
    ['makes the roots the boundary if the operator named no directory', [], ['a'], ['a']],
    ['ignores links to outside', ['a'], ['a/out'], []],
  ])('%s', async (_, operator, client, left) => {
    const base = await tree('a/x', 'ab', 'b', 'a b');
    await writeFile(path.join(base, 'a/file.txt'), '');
    await symlink(path.join(base, 'b'), path.join(base, 'a/out'));
    expect(await narrowed(base, operator, client)).toEqual(left);
  });

  it('limits every path, and the error names the party that allows nothing', async () => {
    const base = await tree('a/x', 'a/y');
    const roots = await openRoots([path.join(base, 'a')]);
    const some = await roots.narrowedTo([pathToFileURL(path.join(base, 'a/x')).href]);
    await expect(some.resolveExisting(path.join(base, 'a/y'))).rejects.toMatchObject({ code: 'PATH_OUTSIDE_ROOTS' });
    const none = await roots.narrowedTo([]);
    await expect(none.resolveExisting('x')).rejects.toMatchObject({
      code: 'PATH_OUTSIDE_ROOTS',
      hint: `the client reports no roots, and the server requires roots that limit its directories (${path.join(base, 'a')}), so no path is allowed\nadd a root in the client, or start the server with --roots narrow`,
    });
  });

  it('does not change the roots that it narrows', async () => {
    const base = await tree('a/x');
    const roots = await openRoots([path.join(base, 'a')]);
    await roots.narrowedTo([]);
    expect((await roots.resolveExisting('x')).shown).toBe(path.join(base, 'a/x'));
  });
});
