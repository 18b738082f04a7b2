import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { repositoryOf } from './temporary.ts';

/** A repository of two commits and three files, one of them in a directory. */
export function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n', 'b.txt': 'b\n', 'd/c.txt': 'c\n' }],
    ['Extend', { 'a.txt': 'one\ntwo\n' }],
  ]);
}

export function read(top: string, name: string): Promise<string> {
  return readFile(path.join(top, name), 'utf8');
}
