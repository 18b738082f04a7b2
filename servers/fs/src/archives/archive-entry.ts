import { ToolError } from '@org/mcp-decorators';
import { foldName } from '@org/mcp-roots';

/** An entry of an archive, before its name and type are checked. */
export interface ArchiveEntry {
  /** Name as the archive contains it. */
  readonly name: string;
  readonly type: 'file' | 'directory' | 'link' | 'other';
  /** Size of the content according to the archive. */
  readonly bytes: number;
  readonly isExecutable: boolean;
  /** Reads the content of a file. Must be called before the next entry is requested. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** Maximum number of bytes of the path of an entry. */
const MAX_PATH = 4096;
/** Maximum number of bytes of each name in a path. */
const MAX_NAME = 255;

/**
 * Returns the names on the path of an entry.
 *
 * @throws ToolError INVALID_ARCHIVE for an absolute name, a name that is too long, and a name with a dot segment, an empty
 * segment, a backslash, a control character or U+FFFD
 */
export function parseEntryName(name: string): readonly string[] {
  const problem = findNameProblem(name);
  if (problem !== undefined) throw invalidArchive(name, problem);
  return splitName(name);
}

function splitName(name: string): readonly string[] {
  return name
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/$/, '')
    .split('/');
}

function findNameProblem(name: string): string | undefined {
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'has an absolute name';
  if (/[\\\p{Cc}\uFFFD]/u.test(name)) return 'has a name with a backslash or a control character';
  if (Buffer.byteLength(name) > MAX_PATH) return 'has a name that is too long';
  const names = splitName(name);
  if (names.includes('..') || names.includes('.')) return 'has a name with a dot segment';
  if (names.includes('')) return 'has a name with an empty segment';
  return names.some((each) => Buffer.byteLength(each) > MAX_NAME) ? 'has a name that is too long' : undefined;
}

/** Detects entries that would replace each other, also on file systems that ignore letter case and Unicode normal form. */
export class EntryNames {
  readonly #types = new Map<string, 'file' | 'directory'>();

  /**
   * Adds an entry. A directory may occur several times.
   *
   * @throws ToolError INVALID_ARCHIVE if an earlier entry, or a directory above an earlier entry, has the same name, unless both
   * are directories; INVALID_ARCHIVE for a name inside a file
   */
  add(names: readonly string[], type: 'file' | 'directory'): void {
    const folded = names.map(foldName);
    const place = folded.join('/');
    if (this.#types.has(place) && !(type === 'directory' && this.#types.get(place) === 'directory'))
      throw invalidArchive(names.join('/'), 'has the same name as another entry, except perhaps for letter case');
    this.#types.set(place, type);
    for (let length = 1; length < folded.length; length += 1) {
      const above = folded.slice(0, length).join('/');
      if (this.#types.get(above) === 'file') throw invalidArchive(names.join('/'), 'is inside another entry that is a file');
      this.#types.set(above, 'directory');
    }
  }
}

export function invalidArchive(name: string, problem: string): ToolError {
  return new ToolError('INVALID_ARCHIVE', `the entry ${JSON.stringify(name.slice(0, 200))} ${problem}`, {
    hint: 'nothing was extracted; include selects the entries to extract',
  });
}
