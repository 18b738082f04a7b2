import path from 'node:path';

import type { Place } from '@org/mcp-watch';

import type { Ground } from '../repository/places.ts';
import type { IgnoredDirectories } from './ignored-directories.ts';

/** In the git directory of a submodule, where nothing shows that its commit is another one. */
const SILENT = new Set(['objects', 'hooks', 'info', 'lfs']);

/** Where it shows that HEAD, a branch or a tag moves. */
export function refPlaces({ gitDir, commonDir }: Ground): readonly Place[] {
  return [
    { kind: 'file', path: path.join(gitDir, 'HEAD') },
    { kind: 'file', path: path.join(commonDir, 'config') },
    { kind: 'file', path: path.join(commonDir, 'packed-refs') },
    everythingIn(path.join(commonDir, 'refs')),
    ...[...new Set([gitDir, commonDir])].map((directory) => everythingIn(path.join(directory, 'reftable'))),
  ];
}

/** And that something is staged, or an operation begins or ends: a commit may show in the git directory alone. */
export function indexPlaces(ground: Ground): readonly Place[] {
  return [...refPlaces(ground), { kind: 'directory', path: ground.gitDir }];
}

/** And that a file is edited, in a directory that is not ignored; in a submodule, that its commit is another one. */
export function workTreePlaces(ground: Ground, ignored: IgnoredDirectories): readonly Place[] {
  const { top, commonDir } = ground;
  return [
    ...indexPlaces(ground),
    { kind: 'file', path: path.join(commonDir, 'info/exclude') },
    { kind: 'tree', path: path.join(commonDir, 'modules'), ignores: (relative) => SILENT.has(path.posix.basename(relative)) },
    { kind: 'tree', path: top, ignores: (relative) => ignored.has(relative), rules: '.gitignore' },
  ];
}

function everythingIn(directory: string): Place {
  return { kind: 'tree', path: directory, ignores: () => false };
}
