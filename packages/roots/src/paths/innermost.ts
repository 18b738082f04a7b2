import { namesBelow } from './contained.ts';
import type { Named } from './locate.ts';

/** A directory that holds a path, and the names that lead there. */
export interface Holding<Directory> {
  readonly directory: Directory;
  readonly names: readonly string[];
}

/** The one nearest to a path of the directories that hold it, by either of their names. */
export function innermost<Directory extends Named>(
  directories: readonly Directory[],
  absolute: string,
): Holding<Directory> | undefined {
  let nearest: Holding<Directory> | undefined;
  for (const directory of directories) {
    const names = namesBelow(directory.realPath, absolute) ?? namesBelow(directory.path, absolute);
    if (names !== undefined && names.length < (nearest?.names.length ?? Infinity)) nearest = { directory, names };
  }
  return nearest;
}
