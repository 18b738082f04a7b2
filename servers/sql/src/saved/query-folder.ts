import { createHash } from 'node:crypto';

import { ToolError } from '@org/mcp-decorators';
import { Roots, type OpenDirectory } from '@org/mcp-roots';
import type { Subject } from '@org/mcp-watch';

import { oneLine } from '../rows/shown-value.ts';
import { SavedProblem } from './saved-text.ts';

/** A file of the folder: its text, or why it is not read. */
export interface FolderFile {
  /** With its ending. */
  readonly file: string;
  readonly text: string | SavedProblem;
}

const MAX_BYTES = 65_536;
const MAX_FILES = 200;
/** Files that are too many, by name; the others are counted. */
const MAX_LEFT_OUT = 20;

/** The `*.sql` files directly in a directory; links are not followed. */
export class QueryFolder implements AsyncDisposable {
  readonly #roots: Roots;

  private constructor(roots: Roots) {
    this.#roots = roots;
  }

  /** @throws RootError for a path that cannot be a directory */
  static async open(directory: string): Promise<QueryFolder> {
    return new QueryFolder(await Roots.open([{ path: directory, mode: 'ro' }], { followSymlinks: false }));
  }

  /** Changes of the texts. */
  get subject(): Subject {
    const { realPath } = this.#directory;
    return {
      key: `queries:${realPath}`,
      places: [{ kind: 'tree', path: realPath, ignores: () => true }],
      fingerprint: async () => digestOf(await this.read()),
    };
  }

  /** Whether it is there now. @throws ToolError where it cannot be read */
  async isThere(): Promise<boolean> {
    return (await this.#inside(() => Promise.resolve(true))) ?? false;
  }

  /** All files, by name; a folder that is not there has none. @throws ToolError where it cannot be read */
  async read(): Promise<readonly FolderFile[]> {
    return (await this.#inside(async (directory) => readAll(directory, await firstNamesIn(directory)))) ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#roots[Symbol.asyncDispose]();
  }

  /** Works in the folder; `undefined` if it is not there. */
  async #inside<Outcome>(work: (directory: OpenDirectory) => Promise<Outcome>): Promise<Outcome | undefined> {
    try {
      await using directory = await this.#roots.openDirectory(this.#directory.realPath);
      return await work(directory);
    } catch (error) {
      if (ToolError.is(error) && error.code === 'ROOT_UNAVAILABLE') return undefined;
      throw error;
    }
  }

  get #directory(): Roots['directories'][number] {
    const [directory] = this.#roots.directories;
    if (directory === undefined) throw new Error('there is no folder');
    return directory;
  }
}

interface FirstNames {
  /** In order, at most `MAX_FILES + MAX_LEFT_OUT`. */
  readonly names: readonly string[];
  /** Of all files of queries in the directory. */
  readonly count: number;
}

/** The first names in order, whatever order the file system lists them in. */
async function firstNamesIn(directory: OpenDirectory): Promise<FirstNames> {
  const most = MAX_FILES + MAX_LEFT_OUT;
  let names: string[] = [];
  let count = 0;
  for await (const { name } of directory.entries()) {
    // Editors keep their own files beside: `.x.sql.swp`, `#x.sql#`.
    if (!/^[^.#].*\.sql$/is.test(name)) continue;
    count += 1;
    names.push(name);
    // Memory stays bounded, and most names are not sorted again.
    if (names.length > 10 * most) names = names.toSorted().slice(0, most);
  }
  return { names: names.toSorted().slice(0, most), count };
}

async function readAll(directory: OpenDirectory, { names, count }: FirstNames): Promise<readonly FolderFile[]> {
  const files: FolderFile[] = [];
  for (const [index, file] of names.entries()) {
    const isLeftOut = index >= MAX_FILES;
    const text = isLeftOut
      ? new SavedProblem(`not read: the folder has more than ${MAX_FILES} files, ${count} in all`)
      : await read(directory, file);
    // A name is shown to models and operators, and never opened again.
    if (text !== undefined) files.push({ file: oneLine(file), text });
  }
  return files;
}

/** `undefined` for one that is gone meanwhile. */
async function read(directory: OpenDirectory, name: string): Promise<string | SavedProblem | undefined> {
  try {
    await using file = await directory.openFile(name);
    // A byte more than fits says that it is too long, whatever its size was.
    const bytes = await file.readAt(0, MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) return new SavedProblem(`not read: it is longer than ${MAX_BYTES} bytes`);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new SavedProblem('not read: it is not UTF-8');
    if (!ToolError.is(error)) throw error;
    if (error.code === 'NOT_FOUND') return undefined;
    return new SavedProblem(UNREADABLE[error.code] ?? `not read: ${error.message}`);
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  NOT_REGULAR_FILE: 'not read: it is not a regular file; links are not followed',
  IS_DIRECTORY: 'not read: it is a directory',
};

function digestOf(files: readonly FolderFile[]): string {
  const texts = files.map(({ file, text }) => [file, typeof text === 'string' ? text : text.message]);
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
}
