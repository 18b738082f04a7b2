import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { SECRET } from './arena.mjs';

/** What is attempted at the roots, each with the pair that is exchanged meanwhile; `prepare` gives it something to do. */
export function rootsAttempts(roots) {
  return {
    read: { pair: 'directory', attempt: () => read(roots, 'place/file.txt') },
    'read, file exchanged': { pair: 'file', attempt: () => read(roots, 'file.txt') },
    'read, root exchanged': { pair: 'root', attempt: () => read(roots, 'file.txt') },
    'read a name that is near': { pair: 'directory', attempt: () => read(roots, `place/${SECRET.slice(1)}`) },
    find: { pair: 'directory', attempt: () => find(roots) },
    list: { pair: 'directory', attempt: () => list(roots) },
    walk: { pair: 'directory', attempt: () => walk(roots) },
    'write new': { pair: 'directory', prepare: without('new.txt', '.new'), attempt: () => write(roots, 'place/new.txt') },
    'write new, root exchanged': { pair: 'root', prepare: without('new.txt', '.new'), attempt: () => write(roots, 'new.txt') },
    overwrite: { pair: 'directory', prepare: without('.new'), attempt: () => write(roots, 'place/file.txt') },
    'overwrite, file exchanged': { pair: 'file', prepare: relinked, attempt: () => write(roots, 'file.txt') },
    'make directories': { pair: 'directory', prepare: without('made'), attempt: () => make(roots) },
    'move out': { pair: 'directory', prepare: withVictim, attempt: () => move(roots, 'place/victim.txt', 'moved') },
    'move in': { pair: 'directory', prepare: withMoving, attempt: () => move(roots, 'moving', 'place/moved') },
    delete: { pair: 'directory', prepare: withVictim, attempt: () => remove(roots) },
    'delete directory': { pair: 'directory', prepare: withEmpty, attempt: () => removeDirectory(roots) },
    'set times': { pair: 'directory', attempt: () => touch(roots) },
  };
}

/** What everybody writes first; it shows that the races are real. */
export function naiveAttempts(root) {
  const checked = async (given) => {
    const target = path.join(root, given);
    const real = await realpath(target);
    if (!real.startsWith(`${root}/`)) throw new ToolError('PATH_OUTSIDE_ROOTS', 'it is outside');
    return target;
  };
  return {
    'check, then read by path': {
      pair: 'directory',
      wanted: true,
      attempt: async () => readFile(await checked('place/file.txt'), 'utf8'),
    },
    'check, then write by path': {
      pair: 'directory',
      wanted: true,
      attempt: async () => writeFile(await checked('place/file.txt'), 'written'),
    },
  };
}

async function read(roots, given) {
  await using file = await roots.openFile(given);
  return file.readAt(0, 64);
}
