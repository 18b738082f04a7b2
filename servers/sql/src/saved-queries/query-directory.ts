import { createHash } from 'node:crypto';

import { ToolError } from '@org/mcp-decorators';
import { Roots, type OpenDirectory } from '@org/mcp-roots';
import type { WatchedResource } from '@org/mcp-watch';

import { oneLine } from '../rows/shown-value.ts';
import { SavedProblem } from './saved-text.ts';

/** A file of the directory, with its text or the reason why it is not read. */
export interface QueryFile {
  /** File name with its extension. */
  readonly file: string;
  readonly text: string | SavedProblem;
}

const MAX_BYTES = 65_536;
const MAX_FILES = 200;
/** Maximum number of files beyond `MAX_FILES` that are listed by name; further files are only counted. */
const MAX_LEFT_OUT = 20;

/** The `*.sql` files of a directory, without subdirectories; links are not followed. */
export class QueryDirectory implements AsyncDisposable {
  readonly #roots: Roots;

  private constructor(roots: Roots) {
    this.#roots = roots;
  }

  /** @throws RootError for a path that cannot be a directory */
  static async open(directory: string): Promise<QueryDirectory> {
    return new QueryDirectory(await Roots.open([{ path: directory, mode: 'ro' }], { followSymlinks: false }));
  }

  /** The resource that the watcher observes: the texts and problems of the files that `read` returns. */
  get watchedResource(): WatchedResource {
    const { realPath } = this.#directory;
    return {
      key: `queries:${realPath}`,
      targets: [{ kind: 'tree', path: realPath, ignores: () => true }],
      fingerprint: async () => digestFiles(await this.read()),
    };
  }

  /** Whether the directory exists. @throws ToolError if the directory cannot be read */
  async exists(): Promise<boolean> {
    return (await this.#inside(() => Promise.resolve(true))) ?? false;
  }

  /**
   * Reads the first 200 query files, sorted by name. The next 20 files, and files that cannot be read, get a problem instead of
   * their text. Returns an empty list if the directory does not exist.
   *
   * @throws ToolError if the directory cannot be read
   */
  async read(): Promise<readonly QueryFile[]> {
    return (await this.#inside(async (directory) => readAll(directory, await listFirstNames(directory)))) ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#roots[Symbol.asyncDispose]();
  }

  /** Does work in the directory. Returns `undefined` if the directory does not exist. */
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
    if (directory === undefined) throw new Error('the directory is not open');
    return directory;
  }
}

interface FirstNames {
  /** Sorted names, at most `MAX_FILES + MAX_LEFT_OUT`. */
  readonly names: readonly string[];
  /** Number of all query files in the directory. */
  readonly count: number;
}

/** Returns the alphabetically first `MAX_FILES + MAX_LEFT_OUT` names of query files, and the number of all query files. */
async function listFirstNames(directory: OpenDirectory): Promise<FirstNames> {
  const most = MAX_FILES + MAX_LEFT_OUT;
  let names: string[] = [];
  let count = 0;
  for await (const { name } of directory.entries()) {
    // Hidden files and files of editors, such as `.#x.sql`, are not query files.
    if (!/^[^.#].*\.sql$/is.test(name)) continue;
    count += 1;
    names.push(name);
    // This limit bounds the memory and the number of sorts.
    if (names.length > 10 * most) names = names.toSorted().slice(0, most);
  }
  return { names: names.toSorted().slice(0, most), count };
}

async function readAll(directory: OpenDirectory, { names, count }: FirstNames): Promise<readonly QueryFile[]> {
  const files: QueryFile[] = [];
  for (const [index, file] of names.entries()) {
    const isLeftOut = index >= MAX_FILES;
    const text = isLeftOut
      ? new SavedProblem(`not read: the directory has more than ${MAX_FILES} files, ${count} in all`)
      : await read(directory, file);
    // The escaped name is only shown. The file is opened by its real name.
    if (text !== undefined) files.push({ file: oneLine(file), text });
  }
  return files;
}

/** Reads a file. Returns `undefined` if the file was removed after the directory was listed. */
async function read(directory: OpenDirectory, name: string): Promise<string | SavedProblem | undefined> {
  try {
    await using file = await directory.openFile(name);
    // One additional byte shows whether the file is too long, even if its size changes during the read.
    const bytes = await file.readAt(0, MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) return new SavedProblem(`not read: the file is longer than ${MAX_BYTES} bytes`);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new SavedProblem('not read: the file is not valid UTF-8');
    if (!ToolError.is(error)) throw error;
    if (error.code === 'NOT_FOUND') return undefined;
    return new SavedProblem(UNREADABLE[error.code] ?? `not read: ${error.message}`);
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  NOT_REGULAR_FILE: 'not read: the path is not a regular file; links are not followed',
  IS_DIRECTORY: 'not read: the path is a directory',
};

function digestFiles(files: readonly QueryFile[]): string {
  const texts = files.map(({ file, text }) => [file, typeof text === 'string' ? text : text.message]);
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
}
