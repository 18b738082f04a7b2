import { once, EventEmitter } from 'node:events';
import fs, { mkdirSync, readdirSync, readFileSync, writeFileSync, type FSWatcher } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { onTestFinished } from 'vitest';

import { WatchHub, type Subject, type WatchHubOptions } from '../src/index.ts';

/** How a hub ends its complaint of what cannot be watched. */
export const POLLED = 'what cannot be watched is looked at every second';

/** A directory by its real path; it goes with the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-watch-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A file that holds `old`, alone in its directory. */
export async function oneFile(): Promise<string> {
  const file = path.join(await temporaryDirectory(), 'a.txt');
  write(file, 'old');
  return file;
}

/** Writes a file, and the directories it needs. Changes are synchronous, so that no look of the hub can come in the middle. */
export function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A hub that goes with the test, and what it complained of. */
export function openHub(options: WatchHubOptions = {}): { readonly hub: WatchHub; readonly errors: Heard } {
  let latest = '';
  const errors = new Heard(() => latest);
  const hub = new WatchHub({
    ...options,
    onError: (error) => {
      latest = error instanceof Error ? error.message : String(error);
      errors.changed();
    },
  });
  onTestFinished(() => hub[Symbol.asyncDispose]());
  return { hub, errors };
}

/** A listener that notes what it sees at each announcement. */
export class Heard {
  readonly seen: string[] = [];
  readonly #look: () => string;
  readonly #announced: EventEmitter = new EventEmitter().setMaxListeners(0);

  constructor(look: () => string) {
    this.#look = look;
  }

  readonly changed = (): void => {
    this.seen.push(this.#look());
    this.#announced.emit('changed');
  };

  /** Resolves at the first announcement that sees this; all so far are in {@link Heard.seen}. */
  async until(state: string): Promise<void> {
    while (this.seen.at(-1) !== state) await once(this.#announced, 'changed');
  }
}

/** A listener that sees a file's text, or `absent`. */
export function heardOf(file: string): Heard {
  return new Heard(() => textOf(file));
}

export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'absent';
  }
}

/** A listener that sees the names in a directory. */
export function heardIn(directory: string): Heard {
  return new Heard(() => namesIn(directory));
}

function namesIn(directory: string): string {
  try {
    return readdirSync(directory).toSorted().join(' ');
  } catch {
    return 'absent';
  }
}

/** A subject that no watcher hears of, and that changes as the test says. */
export function unheard(key: string = 'unheard'): { readonly subject: Subject; state: string } {
  const held = { state: 'one', subject: { key, places: [], fingerprint: async () => held.state } };
  return held;
}

/** How many things the system watches for this process. */
export function systemWatches(): number {
  const infos = readdirSync('/proc/self/fdinfo').map((descriptor) => textOf(`/proc/self/fdinfo/${descriptor}`));
  return infos.join('').split('inotify wd').length - 1;
}

/** Handles of `fs.watch` that would keep this process alive. */
export async function openWatchers(): Promise<number> {
  // One that is closed goes at the end of the event loop's turn.
  for (let turn = 0; turn < 2; turn++) await setImmediate();
  return process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
}

/** Until the test ends the system refuses every watch after so many. */
export function refuseWatches(code: string, allowed: number = 0): void {
  const { watch } = fs;
  let count = 0;
  replaceWatch((...given: Parameters<typeof watch>) => {
    if (count++ < allowed) return watch(...given);
    throw Object.assign(new Error(`${code}: no watch`), { code });
  });
}

/** All watchers that are started until the test ends. */
export function collectWatchers(): readonly FSWatcher[] {
  const watchers: FSWatcher[] = [];
  const { watch } = fs;
  replaceWatch((...given: Parameters<typeof watch>) => {
    const watcher = watch(...given);
    watchers.push(watcher);
    return watcher;
  });
  return watchers;
}

function replaceWatch(replacement: (...given: Parameters<typeof fs.watch>) => FSWatcher): void {
  const original = fs.watch;
  const set = (watch: unknown): void => {
    Object.assign(fs, { watch });
    syncBuiltinESMExports();
  };
  set(replacement);
  onTestFinished(() => set(original));
}
