import path from 'node:path';

import { foldName } from './fold-name.ts';

/** How a platform splits paths and which names it treats as equal. */
export interface Naming {
  /** `path.posix` or `path.win32`. The versions of the types of Node.js differ in the name of this type. */
  readonly paths: typeof path.posix;
  readonly areEqual: (one: string, other: string) => boolean;
  /** `true` if names with different texts are never equal; otherwise absent. */
  readonly isExact?: true;
}

export const POSIX: Naming = { paths: path.posix, areEqual: (one, other) => one === other, isExact: true };

/** File systems of macOS preserve the case and the normal form of a name, but ignore both in comparisons. */
export const MACOS: Naming = {
  paths: path.posix,
  areEqual: (one, other) => areEqualIgnoringCase(one.normalize('NFC'), other.normalize('NFC')),
};

export const WINDOWS: Naming = { paths: path.win32, areEqual: areEqualIgnoringCase };

/** The naming of real paths. The file system has spelled them, so different texts are different files. */
export const REAL: Naming = { paths: path, areEqual: POSIX.areEqual, isExact: true };

/** Treats names as equal if some file system does. Only for deny rules, never for allow rules. */
export const FOLDED: Naming = { paths: path, areEqual: (one, other) => one === other || foldName(one) === foldName(other) };

/** The naming of the current platform. */
export const NAMING: Naming = selectNaming(process.platform);

function selectNaming(platform: NodeJS.Platform): Naming {
  if (platform === 'win32') return WINDOWS;
  return platform === 'darwin' ? MACOS : POSIX;
}

/** Compares both cases: the Kelvin sign equals `k` only in lower case, and no file system treats these two as equal. */
function areEqualIgnoringCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase() && one.toUpperCase() === other.toUpperCase();
}
