import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { WatchHub } from '@org/mcp-watch';

import { trimBlanks } from '../rows/blank.ts';
import { visible } from '../rows/shown-value.ts';
import type { QueryFile, QueryDirectory } from './query-directory.ts';
import type { SavedQuery } from './saved-query.ts';
import { parseSavedText, SavedProblem, type SavedText } from './saved-text.ts';

/** A file of the directory, with its query or its problem. */
export interface SavedEntry {
  readonly file: string;
  /** Name of the query; the file name without `.sql` if the file cannot be read or parsed. */
  readonly name: string;
  readonly text: string | undefined;
  /** Either `query` or `problem` is present. */
  readonly query?: SavedQuery;
  readonly problem?: SavedProblem;
}

/** Collaborators of a `SavedQueryScanner`. */
export interface ScannerDependencies {
  readonly directory: QueryDirectory;
  readonly hub: WatchHub;
  /** Lets the database describe a query. */
  readonly describe: (text: SavedText, signal: AbortSignal) => Promise<SavedQuery>;
  /** Returns whether a tool or a set of tools has this name. */
  readonly isTaken: (name: string) => boolean;
  /** Called after each scan that found a difference. */
  readonly changed: (before: readonly SavedEntry[], now: readonly SavedEntry[]) => void;
  readonly onError: (error: unknown) => void;
}

/** The result of scanning a file. `isTransient` means that a later scan may succeed without a change of the file. */
interface Known {
  readonly entry: SavedEntry;
  readonly isTransient: boolean;
}

/** The queries of a directory, which follow the changes of its files and of the database. */
export class SavedQueryScanner implements AsyncDisposable {
  #entries: readonly SavedEntry[] = [];
  readonly #dependencies: ScannerDependencies;
  readonly #ended = new AbortController();
  #known: ReadonlyMap<string, Known> = new Map();
  #watch: AsyncDisposable | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: { all: boolean } | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(dependencies: ScannerDependencies) {
    this.#dependencies = dependencies;
  }

  get entries(): readonly SavedEntry[] {
    return this.#entries;
  }

  /** Scans the files, and scans them again after each change. */
  async start(): Promise<void> {
    this.#watch = await this.#dependencies.hub.watch(
      this.#dependencies.directory.watchedResource,
      () => void this.scan({ all: false }),
    );
    await this.scan({ all: false });
  }

  /** Scans the files. With `all`, unchanged files are described again, because the schema of the database may have changed. */
  scan({ all }: { readonly all: boolean }): Promise<void> {
    // All requests that arrive during a scan share the next scan.
    if (this.#next !== undefined) {
      this.#next.all ||= all;
      return this.#running;
    }
    const next = { all };
    this.#next = next;
    this.#running = this.#running
      .then(() => {
        this.#next = undefined;
        return this.#ended.signal.aborted ? undefined : this.#load(next.all);
      })
      .catch((error: unknown) => {
        if (!this.#ended.signal.aborted) this.#dependencies.onError(error);
      });
    return this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    clearTimeout(this.#retry);
    await this.#watch?.[Symbol.asyncDispose]();
    await this.#running;
    await this.#dependencies.directory[Symbol.asyncDispose]();
  }

  async #load(all: boolean): Promise<void> {
    const known = new Map<string, Known>();
    const names = new Set<string>();
    for (const file of await this.#dependencies.directory.read()) {
      const found = (all ? undefined : this.#unchanged(file, names)) ?? (await this.#find(file, names));
      if (found.entry.query !== undefined) names.add(found.entry.name);
      known.set(file.file, found);
    }
    this.#keep(known);
  }

  /**
   * Returns the last result for a file if the result was a query and the text is unchanged. Returns `undefined` otherwise, and if
   * an earlier file of this scan has the name of the query.
   */
  #unchanged({ file, text }: QueryFile, names: ReadonlySet<string>): Known | undefined {
    const before = this.#known.get(file);
    const isSame = before?.isTransient === false && before.entry.query !== undefined && before.entry.text === text;
    return isSame && !names.has(before.entry.name) ? before : undefined;
  }

  #keep(known: ReadonlyMap<string, Known>): void {
    this.#known = known;
    const before = this.#entries;
    this.#entries = [...known.values()].map(({ entry }) => entry);
    if (JSON.stringify(before.map(toPublicEntry)) !== JSON.stringify(this.#entries.map(toPublicEntry)))
      this.#dependencies.changed(before, this.#entries);
    clearTimeout(this.#retry);
    if ([...known.values()].some(({ isTransient }) => isTransient))
      this.#retry = setTimeout(() => void this.scan({ all: false }), RETRY_MS).unref();
  }

  async #find({ file, text }: QueryFile, names: ReadonlySet<string>): Promise<Known> {
    const stem = path.parse(file).name;
    if (text instanceof SavedProblem) return { entry: { file, name: stem, text: undefined, problem: text }, isTransient: false };
    let name = stem;
    try {
      const saved = parseSavedText(text, stem);
      name = saved.name;
      const query = await this.#describe(saved, names);
      return { entry: { file, name, text, query }, isTransient: false };
    } catch (error) {
      this.#ended.signal.throwIfAborted();
      return { entry: { file, name, text, problem: toProblem(error) }, isTransient: !(error instanceof SavedProblem) };
    }
  }

  async #describe(saved: SavedText, names: ReadonlySet<string>): Promise<SavedQuery> {
    if (names.has(saved.name)) throw new SavedProblem(`another file has a query "${saved.name}"`);
    if (this.#dependencies.isTaken(saved.name)) throw new SavedProblem(`a tool or a set of tools has the name "${saved.name}"`);
    try {
      // Each description gets a new signal. When the description ends, the listeners of the signal are released with the signal.
      return await this.#dependencies.describe(saved, AbortSignal.any([this.#ended.signal]));
    } catch (error) {
      throw isTransient(error) ? error : locateError(error, saved);
    }
  }
}

/** Pause before another scan after a transient error, such as an unreachable database. */
const RETRY_MS = 5000;

const TRANSIENT = new Set(['CONNECTION', 'OVERLOADED', 'TIMEOUT', 'LOCK_TIMEOUT']);

function isTransient(error: unknown): boolean {
  return !(error instanceof SavedProblem) && !(ToolError.is(error) && !TRANSIENT.has(error.code));
}

function toProblem(error: unknown): SavedProblem {
  if (error instanceof SavedProblem) return error;
  return new SavedProblem(ToolError.is(error) ? error.text : 'the query could not be checked because of an internal error');
}

/** Converts a database error to a problem with its position in the file. Returns any other error unchanged. */
function locateError(error: unknown, { before }: SavedText): unknown {
  if (!ToolError.is(error)) return error;
  const { line, column } = readPosition(error);
  const message = `${error.code}: ${withoutPosition(error.message)}`;
  return new SavedProblem(message, { line: line + before, column });
}

function withoutPosition(message: string): string {
  const start = message.endsWith(')') ? message.search(/ \(line \d+, column \d+: /) : -1;
  return start === -1 ? message : message.slice(0, start);
}

function readPosition({ data }: ToolError): { readonly line: number; readonly column: number } {
  const position: unknown = data?.['position'];
  if (typeof position !== 'object' || position === null) return { line: 1, column: 1 };
  const number = (name: string): number => Number(Reflect.get(position, name)) || 1;
  return { line: number('line'), column: number('column') };
}

/** Returns the facts about an entry that the resource of the saved query shows. */
export function toPublicEntry({ file, name, text, query, problem }: SavedEntry): object {
  return {
    name,
    file,
    ...(query !== undefined && {
      description: query.text.description,
      sql: visible(trimBlanks(query.text.sql)),
      inputSchema: query.inputSchema,
      outputSchema: query.outputSchema,
      maxRows: query.text.maxRows,
      database: query.text.database,
    }),
    ...(problem !== undefined && {
      text: text === undefined ? undefined : visible(text),
      problem: { line: problem.line, column: problem.column, message: visible(problem.message) },
    }),
  };
}
