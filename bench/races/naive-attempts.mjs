import { readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { INSIDE } from './arena.mjs';

/**
 * Returns attempts of the usual naive code, which checks a path and then uses it. The leaks of this code show that the
 * races really occur.
 */
export function naiveAttempts(root) {
  return {
    'check, then read by path': {
      pair: 'directory',
      wanted: true,
      attempt: async () => readFile(await checked(root, 'place/file.txt'), 'utf8'),
    },
    'check, then write by path': {
      pair: 'directory',
      wanted: true,
      attempt: async () => writeFile(await checked(root, 'place/file.txt'), INSIDE),
    },
  };
}

async function checked(root, given) {
  const target = path.join(root, given);
  if (!(await realpath(target)).startsWith(`${root}${path.sep}`)) throw new ToolError('PATH_OUTSIDE_ROOTS', 'it is outside');
  return target;
}
