import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';

import { nearestDirectory, type Directory } from './directories/directory.ts';
import { isMissing } from './error-code.ts';
import { placesBetween } from './places-between.ts';
import type { Subject } from './subject.ts';

/**
 * A directory, there or not, by the names and types of its entries: it hears of entries added and removed, not of changes inside files.
 *
 * @param directory absolute and real; one that comes to lie behind a symbolic link counts as gone
 * @param within absolute and real, a directory above or the same: as for a file
 */
export function directorySubject(directory: string, within: string = directory): Subject {
  const entries = new Entries(directory);
  return {
    key: `directory:${within}:${directory}`,
    places: [...placesBetween(within, directory), { kind: 'directory', path: directory }],
    fingerprint: () => entries.fingerprint(),
  };
}

/** The entries of a directory, read again only if the directory was changed. */
class Entries {
  readonly #path: string;
  #digest = '';
  #of: Directory | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  fingerprint(): string | Promise<string> {
    const found = nearestDirectory(this.#path);
    if (found.path !== this.#path) return 'absent';
    return this.#isUnchanged(found) ? this.#digest : this.#read(found);
  }

  #isUnchanged({ stamp, identity }: Directory): boolean {
    return stamp !== undefined && this.#of?.stamp === stamp && this.#of.identity === identity;
  }

  async #read(found: Directory): Promise<string> {
    try {
      const digest = digestOf(await readdir(this.#path, { withFileTypes: true }));
      if (nearestDirectory(this.#path).path !== this.#path) return 'absent';
      this.#digest = digest;
      this.#of = found;
      return digest;
    } catch (error) {
      if (isMissing(error)) return 'absent';
      throw error;
    }
  }
}

function digestOf(entries: readonly Dirent[]): string {
  const lines = entries.map((entry) => `${typeOf(entry)}${entry.name}`).toSorted();
  return createHash('sha256').update(lines.join('\0')).digest('base64url');
}

function typeOf(entry: Dirent): string {
  if (entry.isFile()) return 'f';
  if (entry.isDirectory()) return 'd';
  return entry.isSymbolicLink() ? 'l' : 'o';
}
