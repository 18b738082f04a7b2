import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';

import { findNearestDirectory, type Directory } from '../directories/directory.ts';
import { isMissing } from '../system/watch-errors.ts';
import { listTargetsBetween, type WatchedResource } from './watched-resource.ts';

/**
 * Creates a resource for the entries of a directory, whether or not the directory exists. It changes if entries are added,
 * removed or change their type, not if file contents change.
 *
 * @param directory absolute real path; behind a symbolic link, the directory counts as missing
 * @param within absolute real path of a parent or of the directory itself, with the same effect as for `fileResource`
 */
export function directoryResource(directory: string, within: string = directory): WatchedResource {
  const entries = new EntryDigest(directory);
  return {
    key: `directory:${within}:${directory}`,
    targets: [...listTargetsBetween(within, directory), { kind: 'directory', path: directory }],
    fingerprint: () => entries.fingerprint(),
  };
}

/** Digest of the entries. The directory is read again only if it changed. */
class EntryDigest {
  readonly #path: string;
  #digest = '';
  #digested: Directory | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  fingerprint(): string | Promise<string> {
    const found = findNearestDirectory(this.#path);
    if (found.path !== this.#path) return 'absent';
    return this.#isUnchanged(found) ? this.#digest : this.#read(found);
  }

  #isUnchanged({ changeTime, identity }: Directory): boolean {
    return changeTime !== undefined && this.#digested?.changeTime === changeTime && this.#digested.identity === identity;
  }

  async #read(found: Directory): Promise<string> {
    try {
      const digest = digestEntries(await readdir(this.#path, { withFileTypes: true }));
      if (findNearestDirectory(this.#path).path !== this.#path) return 'absent';
      this.#digest = digest;
      this.#digested = found;
      return digest;
    } catch (error) {
      if (isMissing(error)) return 'absent';
      throw error;
    }
  }
}

function digestEntries(entries: readonly Dirent[]): string {
  const lines = entries.map((entry) => `${getTypeLetter(entry)}${entry.name}`).toSorted();
  return createHash('sha256').update(lines.join('\0')).digest('base64url');
}

function getTypeLetter(entry: Dirent): string {
  if (entry.isFile()) return 'f';
  if (entry.isDirectory()) return 'd';
  return entry.isSymbolicLink() ? 'l' : 'o';
}
