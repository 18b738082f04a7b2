import path, { type PlatformPath } from 'node:path';

/** How a platform takes paths apart, and which names it holds for the same. */
export interface Naming {
  readonly paths: PlatformPath;
  readonly same: (one: string, other: string) => boolean;
}

export const POSIX: Naming = { paths: path.posix, same: (one, other) => one === other };

/** Its file systems keep the case and the normal form of a name and ask for neither. */
export const MACOS: Naming = { paths: path.posix, same: (one, other) => folded(one) === folded(other) };

export const WINDOWS: Naming = { paths: path.win32, same: (one, other) => one.toLowerCase() === other.toLowerCase() };

/** The naming of this machine. */
export const NAMING: Naming = namingOf(process.platform);

function namingOf(platform: NodeJS.Platform): Naming {
  if (platform === 'win32') return WINDOWS;
  return platform === 'darwin' ? MACOS : POSIX;
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
