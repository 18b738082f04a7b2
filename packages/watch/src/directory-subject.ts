import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';

import { isMissing } from './error-code.ts';
import type { Subject } from './subject.ts';

/**
 * A directory, there or not, by the names and types of its entries: it hears of entries added and removed, not of changes inside files.
 *
 * @param directory absolute and real; one that comes to lie behind a symbolic link counts as gone
 */
export function directorySubject(directory: string): Subject {
  return {
    key: `directory:${directory}`,
    places: [{ kind: 'directory', path: directory }],
    fingerprint: () => fingerprint(directory),
  };
}

async function fingerprint(directory: string): Promise<string> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    if ((await realpath(directory)) !== directory) return 'absent';
    const lines = entries.map((entry) => `${typeOf(entry)}${entry.name}`).toSorted();
    return createHash('sha256').update(lines.join('\0')).digest('base64url');
  } catch (error) {
    if (isMissing(error)) return 'absent';
    throw error;
  }
}

function typeOf(entry: Dirent): string {
  if (entry.isFile()) return 'f';
  if (entry.isDirectory()) return 'd';
  return entry.isSymbolicLink() ? 'l' : 'o';
}
