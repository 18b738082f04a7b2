import { randomUUID } from 'node:crypto';
import { appendFile, lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { isRunning, thisProcess } from '@org/mcp-host';
import type { OpenDirectory, Roots } from '@org/mcp-roots';

import { parseOwner } from './owner.ts';
import type { StateDirectory } from './state-directory.ts';

/** Matches the names that `NewFile` gives its files; the group is the process id. */
const TEMPORARY = /^\.mcp-(\d+)-[\da-f-]{36}\.tmp$/;
const NOTES = 'writing';
/**
 * A write removes temporary files in its directory that have at least this age in milliseconds, and whose process has ended. A
 * process usually cleans up a directory at most once in this time.
 */
const STALE = 3_600_000;
/** Milliseconds after which a note expires, because its directories may no longer be served. */
const NOTE_LIFETIME = 30 * 86_400_000;
/**
 * Maximum number of examined entries of a directory, and of remembered directories. A further directory replaces all of these.
 */
const LIMIT = 10_000;

/** Returns whether a temporary file can be removed. */
type IsStale = (pid: number, ageMs: number) => boolean;

/** Returns whether a name has the form of a temporary file of an atomic write. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

/**
 * Removes the temporary files of processes that were killed during a write. Each process writes a note in the state directory,
 * which lists the directories of its writes. A process that starts later cleans up the listed directories. In addition, a write
 * removes such files from its directory if they are at least one hour old.
 */
export class StaleFiles implements AsyncDisposable {
  readonly #state: StateDirectory;
  readonly #entered = new Map<string, number>();
  #note: Promise<string> | undefined;
  #removing: Promise<void> | undefined;

  constructor(state: StateDirectory) {
    this.#state = state;
  }

  /**
   * Notes a directory and removes old temporary files from it. Does nothing if this was done within the last hour. Must be called
   * before a file is created in the directory.
   */
  async enter(directory: OpenDirectory): Promise<void> {
    const key = `${directory.self.dev}:${directory.self.ino}`;
    if (Date.now() - (this.#entered.get(key) ?? 0) < STALE) return;
    if (this.#entered.size >= LIMIT) this.#entered.clear();
    this.#entered.set(key, Date.now());
    // Errors are ignored, because cleaning up must never prevent a write.
    await this.#addNote(directory.shown).catch(() => (this.#note = undefined));
    await removeStale(directory, (pid, age) => age >= STALE && !mayRun(pid)).catch(() => undefined);
  }

  /** Starts to remove temporary files of ended processes from noted directories inside the roots. */
  removeLeftBehind(roots: Roots): void {
    this.#removing = this.#removeLeftBehind(roots).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#removing;
    const note = await this.#note?.catch(() => undefined);
    if (note !== undefined) await rm(note, { force: true });
  }

  async #addNote(directory: string): Promise<void> {
    this.#note ??= this.#createNote();
    await appendFile(await this.#note, `${JSON.stringify(directory)}\n`);
  }

  async #createNote(): Promise<string> {
    const note = path.join(await this.#state.folder(NOTES), randomUUID());
    await writeFile(note, `${JSON.stringify(thisProcess())}\n`, { flag: 'wx', mode: 0o600 });
    return note;
  }

  async #removeLeftBehind(roots: Roots): Promise<void> {
    const folder = path.join(this.#state.path, NOTES);
    // Errors are ignored: another starting process may remove the note first.
    for (const name of await readdir(folder)) await removeNote(path.join(folder, name), roots).catch(() => undefined);
  }
}

/**
 * Removes the temporary files in the noted directories. Then removes the note, unless a directory could not be cleaned up and
 * the note has not expired.
 */
async function removeNote(note: string, roots: Roots): Promise<void> {
  const facts = await lstat(note);
  if (!facts.isFile()) return;
  if ((await cleanUpNoted(note, roots)) || Date.now() - facts.mtimeMs > NOTE_LIFETIME) await rm(note, { force: true });
}

/**
 * Removes the temporary files of an ended process. Returns whether each noted directory was cleaned up or no longer exists.
 * Returns `false` if the process may still run.
 */
async function cleanUpNoted(note: string, roots: Roots): Promise<boolean> {
  const [first = '', ...directories] = (await readFile(note, 'utf8')).trimEnd().split('\n');
  const owner = parseOwner(first);
  // If another process has the same id now, nothing is removed, because the temporary files may belong to this process.
  if (owner === undefined || isRunning(owner) !== false || mayRun(owner.pid)) return false;
  let isDone = true;
  for (const directory of directories) isDone = (await removeNoted(directory, owner.pid, roots)) && isDone;
  return isDone;
}

async function removeNoted(noted: string, killed: number, roots: Roots): Promise<boolean> {
  try {
    await using directory = await roots.openDirectory(String(JSON.parse(noted)));
    await removeStale(directory, (pid) => pid === killed);
    return true;
  } catch (error) {
    // An incomplete line at the end of the note, and a directory that no longer exists, need no cleanup.
    return error instanceof SyntaxError || (ToolError.is(error) && GONE.has(error.code));
  }
}

const GONE: ReadonlySet<string> = new Set(['NOT_FOUND', 'NOT_DIRECTORY']);

async function removeStale(directory: OpenDirectory, isStale: IsStale): Promise<void> {
  let seen = 0;
  for await (const { name } of directory.entries()) {
    if ((seen += 1) > LIMIT) return;
    const pid = TEMPORARY.exec(name)?.[1];
    if (pid === undefined) continue;
    const facts = await directory.facts(name);
    if (facts?.isFile() === true && isStale(Number(pid), Date.now() - Number(facts.mtimeMs))) await directory.unlink(name);
  }
}

function mayRun(pid: number): boolean {
  return isRunning({ ...thisProcess(), pid, started: undefined }) !== false;
}
