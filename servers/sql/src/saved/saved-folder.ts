import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { WatchHub } from '@org/mcp-watch';

import { withoutBlanks } from '../policy/blank.ts';
import { visible } from '../rows/shown-value.ts';
import type { FolderFile, QueryFolder } from './query-folder.ts';
import type { SavedQuery } from './saved-query.ts';
import { readSavedText, SavedProblem, type SavedText } from './saved-text.ts';

/** A file of the folder, and what came of it. */
export interface SavedEntry {
  readonly file: string;
  /** Of the query; of a file without a readable head, its own without `.sql`. */
  readonly name: string;
  readonly text: string | undefined;
  /** One of these is there. */
  readonly query?: SavedQuery;
  readonly problem?: SavedProblem;
}

/** What a folder of saved queries needs. */
export interface SavedGround {
  readonly folder: QueryFolder;
  readonly hub: WatchHub;
  /** Has PostgreSQL describe a query. */
  readonly describe: (text: SavedText, signal: AbortSignal) => Promise<SavedQuery>;
  /** Whether a tool or a set of tools has this name. */
  readonly isTaken: (name: string) => boolean;
  /** Told of each look at the folder after which something is different. */
  readonly changed: (before: readonly SavedEntry[], now: readonly SavedEntry[]) => void;
  readonly onError: (error: unknown) => void;
}

/** A file as it was looked at, and whether looking again may find something else. */
interface Known {
  readonly entry: SavedEntry;
  readonly isPassing: boolean;
}

/** The queries of a folder, as its files and the database are now. */
export class SavedFolder implements AsyncDisposable {
  #entries: readonly SavedEntry[] = [];
  readonly #ground: SavedGround;
  readonly #ended = new AbortController();
  #known: ReadonlyMap<string, Known> = new Map();
  #watch: AsyncDisposable | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: { anew: boolean } | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(ground: SavedGround) {
    this.#ground = ground;
  }

  get entries(): readonly SavedEntry[] {
    return this.#entries;
  }

  /** Looks at the files, and from now on again when they change. */
  async start(): Promise<void> {
    this.#watch = await this.#ground.hub.watch(this.#ground.folder.subject, () => void this.look({ anew: false }));
    await this.look({ anew: false });
  }

  /** Looks at the files; `anew` at all of them, because the database is another. */
  look({ anew }: { readonly anew: boolean }): Promise<void> {
    // One look follows the one that runs, however many ask for it.
    if (this.#next !== undefined) {
      this.#next.anew ||= anew;
      return this.#running;
    }
    const next = { anew };
    this.#next = next;
    this.#running = this.#running
      .then(() => {
        this.#next = undefined;
        return this.#ended.signal.aborted ? undefined : this.#load(next.anew);
      })
      .catch((error: unknown) => {
        if (!this.#ended.signal.aborted) this.#ground.onError(error);
      });
    return this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    clearTimeout(this.#retry);
    await this.#watch?.[Symbol.asyncDispose]();
    await this.#running;
    await this.#ground.folder[Symbol.asyncDispose]();
  }

  async #load(anew: boolean): Promise<void> {
    const known = new Map<string, Known>();
    const names = new Set<string>();
    for (const file of await this.#ground.folder.read()) {
      const found = (anew ? undefined : this.#unchanged(file, names)) ?? (await this.#find(file, names));
      if (found.entry.query !== undefined) names.add(found.entry.name);
      known.set(file.file, found);
    }
    this.#keep(known);
  }

  /** What was found of a file before, if looking again would find the same. */
  #unchanged({ file, text }: FolderFile, names: ReadonlySet<string>): Known | undefined {
    const before = this.#known.get(file);
    const isSame = before?.isPassing === false && before.entry.query !== undefined && before.entry.text === text;
    return isSame && !names.has(before.entry.name) ? before : undefined;
  }

  #keep(known: ReadonlyMap<string, Known>): void {
    this.#known = known;
    const before = this.#entries;
    this.#entries = [...known.values()].map(({ entry }) => entry);
    if (JSON.stringify(before.map(shown)) !== JSON.stringify(this.#entries.map(shown)))
      this.#ground.changed(before, this.#entries);
    clearTimeout(this.#retry);
    if ([...known.values()].some(({ isPassing }) => isPassing))
      this.#retry = setTimeout(() => void this.look({ anew: false }), RETRY_MS).unref();
  }

  async #find({ file, text }: FolderFile, names: ReadonlySet<string>): Promise<Known> {
    const stem = path.parse(file).name;
    if (text instanceof SavedProblem) return { entry: { file, name: stem, text: undefined, problem: text }, isPassing: false };
    let name = stem;
    try {
      const saved = readSavedText(text, stem);
      name = saved.name;
      const query = await this.#describe(saved, names);
      return { entry: { file, name, text, query }, isPassing: false };
    } catch (error) {
      this.#ended.signal.throwIfAborted();
      return { entry: { file, name, text, problem: problemOf(error) }, isPassing: !(error instanceof SavedProblem) };
    }
  }

  async #describe(saved: SavedText, names: ReadonlySet<string>): Promise<SavedQuery> {
    if (names.has(saved.name)) throw new SavedProblem(`another file has a query "${saved.name}"`);
    if (this.#ground.isTaken(saved.name)) throw new SavedProblem(`a tool or a set of tools has the name "${saved.name}"`);
    try {
      // One of its own: what waits for it is let go with it.
      return await this.#ground.describe(saved, AbortSignal.any([this.#ended.signal]));
    } catch (error) {
      throw isPassing(error) ? error : placed(error, saved);
    }
  }
}

/** The database may have been out of reach, or may get what was missing. */
const RETRY_MS = 5000;

const PASSING = new Set(['CONNECTION', 'OVERLOADED', 'TIMEOUT', 'LOCK_TIMEOUT']);

function isPassing(error: unknown): boolean {
  return !(error instanceof SavedProblem) && !(ToolError.is(error) && !PASSING.has(error.code));
}

function problemOf(error: unknown): SavedProblem {
  if (error instanceof SavedProblem) return error;
  return new SavedProblem(ToolError.is(error) ? error.text : 'it could not be looked at because of an internal error');
}

/** An error of PostgreSQL, where it stands in the file. */
function placed(error: unknown, { before }: SavedText): unknown {
  if (!ToolError.is(error)) return error;
  const { line, column } = positionOf(error);
  const message = `${error.code}: ${withoutPosition(error.message)}`;
  return new SavedProblem(message, { line: line + before, column });
}

function withoutPosition(message: string): string {
  const start = message.endsWith(')') ? message.search(/ \(line \d+, column \d+: /) : -1;
  return start === -1 ? message : message.slice(0, start);
}

function positionOf({ data }: ToolError): { readonly line: number; readonly column: number } {
  const position: unknown = data?.['position'];
  if (typeof position !== 'object' || position === null) return { line: 1, column: 1 };
  const number = (name: string): number => Number(Reflect.get(position, name)) || 1;
  return { line: number('line'), column: number('column') };
}

/** All of an entry that can be told from outside. */
export function shown({ file, name, text, query, problem }: SavedEntry): object {
  return {
    name,
    file,
    ...(query !== undefined && {
      description: query.text.description,
      sql: visible(withoutBlanks(query.text.sql)),
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
