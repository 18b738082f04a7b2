import { randomUUID } from 'node:crypto';
import { appendFile, lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { isRunning, thisProcess } from '@org/mcp-host';
import type { OpenDirectory, Roots } from '@org/mcp-roots';

import { ownerIn } from './owner.ts';
import type { StateDirectory } from './state-directory.ts';

/** What `NewFile` names its files, with the number of the process. */
const TEMPORARY = /^\.mcp-(\d+)-[\da-f-]{36}\.tmp$/;
const NOTES = 'writing';
/** Milliseconds: no write takes longer. */
const STALE = 3_600_000;
/** Milliseconds for which a note is kept whose directories nobody serves any more. */
const FORGOTTEN = 30 * 86_400_000;
/** Entries that are looked at in one directory, and directories that are remembered. */
const MOST = 10_000;

/** Tells of the process whose number a temporary file has, and of the file's age in milliseconds, whether the file may go. */
type IsStale = (pid: number, age: number) => boolean;

/** Whether a name is that of a file which is being written, or was when its process ended. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

/**
 * Removes the temporary files of processes that were killed in the middle of a write. Each process notes in the state directory where
 * it writes; the next one that starts removes what is left there, and where no note tells of them they go when they are an hour old.
 */
export class StaleFiles implements AsyncDisposable {
  readonly #state: StateDirectory;
  readonly #entered = new Map<string, number>();
  #note: Promise<string> | undefined;
  #removing: Promise<void> | undefined;

  constructor(state: StateDirectory) {
    this.#state = state;
  }

  /** Has to be called before a file is made in a directory. */
  async enter(directory: OpenDirectory): Promise<void> {
    const key = `${directory.self.dev}:${directory.self.ino}`;
    if (Date.now() - (this.#entered.get(key) ?? 0) < STALE) return;
    if (this.#entered.size >= MOST) this.#entered.clear();
    this.#entered.set(key, Date.now());
    // A note that cannot be made, a directory that cannot be read, a file that is gone: none of it keeps anybody from writing.
    await this.#noteDown(directory.shown).catch(() => (this.#note = undefined));
    await removeStale(directory, (pid, age) => age >= STALE && !mayRun(pid)).catch(() => undefined);
  }

  /** Removes, meanwhile, what others have left in directories that are in the roots. */
  removeLeftBehind(roots: Roots): void {
    this.#removing = this.#removeLeftBehind(roots).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#removing;
    const note = await this.#note?.catch(() => undefined);
    if (note !== undefined) await rm(note, { force: true });
  }

  async #noteDown(directory: string): Promise<void> {
    this.#note ??= this.#beginNote();
    await appendFile(await this.#note, `${JSON.stringify(directory)}\n`);
  }

  async #beginNote(): Promise<string> {
    const note = path.join(await this.#state.folder(NOTES), randomUUID());
    await writeFile(note, `${JSON.stringify(thisProcess())}\n`, { flag: 'wx', mode: 0o600 });
    return note;
  }

  async #removeLeftBehind(roots: Roots): Promise<void> {
    const folder = path.join(this.#state.path, NOTES);
    // Another process that starts may remove it first.
    for (const name of await readdir(folder)) await removeNote(path.join(folder, name), roots).catch(() => undefined);
  }
}

/** With what was left where it says; not before that is done. */
async function removeNote(note: string, roots: Roots): Promise<void> {
  const facts = await lstat(note);
  if (!facts.isFile()) return;
  if ((await isDone(note, roots)) || Date.now() - facts.mtimeMs > FORGOTTEN) await rm(note, { force: true });
}

/** Whether a note is of no more use: nothing is left where it says. */
async function isDone(note: string, roots: Roots): Promise<boolean> {
  const [first = '', ...directories] = (await readFile(note, 'utf8')).trimEnd().split('\n');
  const owner = ownerIn(first);
  // Another process may have got its number, and write where it wrote.
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
    // The end of the note may be missing, and directories go.
    return error instanceof SyntaxError || (ToolError.is(error) && GONE.has(error.code));
  }
}

const GONE: ReadonlySet<string> = new Set(['NOT_FOUND', 'NOT_DIRECTORY']);

async function removeStale(directory: OpenDirectory, isStale: IsStale): Promise<void> {
  let seen = 0;
  for await (const { name } of directory.entries()) {
    if ((seen += 1) > MOST) return;
    const pid = TEMPORARY.exec(name)?.[1];
    if (pid === undefined) continue;
    const facts = await directory.facts(name);
    if (facts?.isFile() === true && isStale(Number(pid), Date.now() - Number(facts.mtimeMs))) await directory.unlink(name);
  }
}

function mayRun(pid: number): boolean {
  return isRunning({ ...thisProcess(), pid, started: undefined }) !== false;
}
