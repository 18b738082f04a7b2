import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { quoted } from '../text/visible.ts';
import { bytesOfPath, spellPath } from './path-bytes.ts';
import type { Repository } from './repository.ts';

/**
 * Paths inside the work tree, relative to its top, with `/` between their parts. They are names, not patterns, and spelled as
 * {@link spellPath} says: as such they go behind `--`, into `repository.object` and, by `pathList`, to stdin.
 *
 * @param given relative to the top, or absolute
 * @throws ToolError PATH_OUTSIDE_ROOTS, INVALID_PATH
 */
export function pathsInside(repository: Repository, given: readonly string[]): readonly string[] {
  return given.map((each) => pathInside(repository, each));
}

export function pathInside({ ground, shown }: Repository, given: string): string {
  const bytes = bytesOfPath(given);
  if (bytes.length === 0 || bytes.includes(0)) throw new ToolError('INVALID_PATH', `${quoted(given)} is not a path`);
  // As Latin-1, every byte is a character and stays one.
  const name = bytes.toString('latin1');
  for (const top of [ground.top, shown].map((each) => Buffer.from(each).toString('latin1'))) {
    const relative = path.relative(top, path.resolve(top, name));
    if (/^\.git(?:[\\/]|$)/i.test(relative)) throw new ToolError('INVALID_PATH', `${quoted(given)} is part of the git directory`);
    if (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
      return relative === '' ? '.' : spellPath(Buffer.from(relative.split(path.sep).join('/'), 'latin1'));
  }
  throw new ToolError('PATH_OUTSIDE_ROOTS', `${quoted(given)} is not inside the repository`, { hint: `its top is ${shown}` });
}

/** Whether a directory of the work tree is where its path says, and not behind a link. */
export async function isInPlace(repository: Repository, directory: string): Promise<boolean> {
  const place = directory === '.' ? Buffer.from(repository.ground.top) : onDisk(repository, directory);
  const real = await realpath(place, { encoding: 'buffer' }).catch(() => undefined);
  return real?.equals(place) === true;
}

/** A path of the work tree for calls to `node:fs`, which take bytes. */
export function onDisk({ ground }: Repository, inside: string): Buffer {
  return Buffer.concat([Buffer.from(ground.top + path.sep), bytesOfPath(inside)]);
}
