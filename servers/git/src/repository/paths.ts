import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import type { Repository } from './repository.ts';
import { quoted } from '../text/visible.ts';

/**
 * Paths inside the work tree, relative to its top, with `/` between their parts. They are names, not patterns.
 *
 * @param given relative to the top, or absolute
 * @throws ToolError PATH_OUTSIDE_ROOTS, INVALID_PATH
 */
export function pathsInside(repository: Repository, given: readonly string[]): readonly string[] {
  return given.map((each) => pathInside(repository, each));
}

export function pathInside({ ground, shown }: Repository, given: string): string {
  if (given === '' || given.includes('\0')) throw new ToolError('INVALID_PATH', `${quoted(given)} is not a path`);
  const tops = [ground.top, shown];
  for (const top of tops) {
    const relative = path.relative(top, path.resolve(top, given));
    if (/^\.git(?:[\\/]|$)/i.test(relative)) throw new ToolError('INVALID_PATH', `${quoted(given)} is part of the git directory`);
    if (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
      return relative === '' ? '.' : relative.split(path.sep).join('/');
  }
  throw new ToolError('PATH_OUTSIDE_ROOTS', `${quoted(given)} is not inside the repository`, { hint: `its top is ${shown}` });
}
