import path, { type PlatformPath } from 'node:path';

import { foldName } from './fold-name.ts';

/** How a platform takes paths apart, and which names it holds for the same. */
export interface Naming {
  readonly paths: PlatformPath;
  readonly same: (one: string, other: string) => boolean;
  /** Present if names are equal only if their texts are. */
  readonly isExact?: true;
}

export const POSIX: Naming = { paths: path.posix, same: (one, other) => one === other, isExact: true };

/** Its file systems keep the case and the normal form of a name and ask for neither. */
export const MACOS: Naming = {
  paths: path.posix,
  same: (one, other) => isSameLetters(one.normalize('NFC'), other.normalize('NFC')),
};

export const WINDOWS: Naming = { paths: path.win32, same: isSameLetters };

/** The naming of real paths: the file system has spelled them, so what differs is not the same. */
export const REAL: Naming = { paths: path, same: POSIX.same, isExact: true };

/** Treats names as equal if some file system does. For deny rules only, never for allow rules. */
export const FOLDED: Naming = { paths: path, same: (one, other) => one === other || foldName(one) === foldName(other) };

/** The naming of this machine. */
export const NAMING: Naming = namingOf(process.platform);

function namingOf(platform: NodeJS.Platform): Naming {
  if (platform === 'win32') return WINDOWS;
  return platform === 'darwin' ? MACOS : POSIX;
}

/** In both cases: the sign of Kelvin is like `k` in the lower one only, and no file system holds the two for the same. */
function isSameLetters(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase() && one.toUpperCase() === other.toUpperCase();
}
