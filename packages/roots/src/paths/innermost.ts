import { namesBelow } from './contained.ts';
import type { Named } from './locate.ts';

/** A directory that holds a path, and the names that lead there. */
export interface Holding<Directory> {
  readonly directory: Directory;
  readonly names: readonly string[];
}

/** Returns the directories that contain a path, by their real path or by their given path. */
export function holdingsOf<Directory extends Named>(
  directories: readonly Directory[],
  absolute: string,
): readonly Holding<Directory>[] {
  const holdings: Holding<Directory>[] = [];
  for (const directory of directories) {
    const names = namesBelow(directory.realPath, absolute) ?? namesBelow(directory.path, absolute);
    if (names !== undefined) holdings.push({ directory, names });
  }
  return holdings;
}

/** Returns the innermost directory that contains a path. */
export function innermost<Directory extends Named>(
  directories: readonly Directory[],
  absolute: string,
): Holding<Directory> | undefined {
  let nearest: Holding<Directory> | undefined;
  for (const holding of holdingsOf(directories, absolute)) {
    if (holding.names.length < (nearest?.names.length ?? Infinity)) nearest = holding;
  }
  return nearest;
}
