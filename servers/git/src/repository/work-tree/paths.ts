import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { quoteInput } from '../../text/visible.ts';
import { decodePath, encodePath } from '../parse/path-bytes.ts';
import type { Repository } from '../repository.ts';

/**
 * Resolves paths inside the work tree to paths relative to its top, with `/` as the separator. The results are written as {@link
 * decodePath} does. They are names, not patterns, and may be passed to git after `--`, to `Repository.object`, and with
 * `encodePathList` to stdin.
 *
 * @param given paths that are absolute or relative to the top
 * @throws ToolError PATH_OUTSIDE_ROOTS, INVALID_PATH
 */
export function resolvePaths(repository: Repository, given: readonly string[]): readonly string[] {
  return given.map((each) => resolvePath(repository, each));
}

export function resolvePath({ layout, shown }: Repository, given: string): string {
  const bytes = encodePath(given);
  if (bytes.length === 0 || bytes.includes(0)) throw new ToolError('INVALID_PATH', `${quoteInput(given)} is not a valid path`);
  // In Latin-1, each byte is one character and survives path operations.
  const name = bytes.toString('latin1');
  for (const top of [layout.top, shown].map((each) => Buffer.from(each).toString('latin1'))) {
    const relative = path.relative(top, path.resolve(top, name));
    if (/^\.git(?:[\\/]|$)/i.test(relative))
      throw new ToolError('INVALID_PATH', `${quoteInput(given)} is inside a git directory`);
    if (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
      return relative === '' ? '.' : decodePath(Buffer.from(relative.split(path.sep).join('/'), 'latin1'));
  }
  throw new ToolError('PATH_OUTSIDE_ROOTS', `${quoteInput(given)} is outside the repository`, {
    hint: `the top of the repository is ${shown}`,
  });
}

/** Whether a directory of the work tree exists, and no part of its path is a link. */
export async function isInPlace(repository: Repository, directory: string): Promise<boolean> {
  const place = directory === '.' ? Buffer.from(repository.layout.top) : toDiskPath(repository, directory);
  const real = await realpath(place, { encoding: 'buffer' }).catch(() => undefined);
  return real?.equals(place) === true;
}

/** Converts a path of the work tree to an absolute path in bytes, for calls to `node:fs`. */
export function toDiskPath({ layout }: Repository, inside: string): Buffer {
  return Buffer.concat([Buffer.from(layout.top + path.sep), encodePath(inside)]);
}

/** @throws ToolError NO_WORK_TREE for a bare repository */
export function requireWorkTree({ layout }: Repository): void {
  if (layout.isBare)
    throw new ToolError('NO_WORK_TREE', 'the repository is bare: it has no work tree and no index', {
      hint: 'clone the repository with git_clone to get a work tree',
    });
}
