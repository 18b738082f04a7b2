import { once, EventEmitter } from 'node:events';
import fs, { mkdirSync, readdirSync, readFileSync, writeFileSync, type FSWatcher } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { onTestFinished } from 'vitest';

import { WatchHub, type WatchedResource, type WatchHubOptions } from '../src/index.ts';

/** The end of the error message for resources that cannot be watched. */
export const POLLING_NOTE = 'resources that cannot be watched are polled every second';

/** Creates a directory and returns its real path; it is removed after the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-watch-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Creates a directory with one file, which contains `old`. */
export async function createFile(): Promise<string> {
  const file = path.join(await temporaryDirectory(), 'a.txt');
  write(file, 'old');
  return file;
}

/** Writes a file and its missing parents. Changes are synchronous, so that no check of the hub can run in between. */
export function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Opens a hub that is disposed of after the test, and records its errors. */
export function openHub(options: WatchHubOptions = {}): { readonly hub: WatchHub; readonly errors: RecordingListener } {
  let latest = '';
  const errors = new RecordingListener(() => latest);
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

/** Calls `look` at each announcement of a change, and records the results. */
export class RecordingListener {
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

  /** Resolves when the latest announcement has seen this state. All states so far are in {@link RecordingListener.seen}. */
  async until(state: string): Promise<void> {
    while (this.seen.at(-1) !== state) await once(this.#announced, 'changed');
  }
}

/** Creates a listener that records a file's text, or `absent`. */
export function recordFile(file: string): RecordingListener {
  return new RecordingListener(() => readText(file));
}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'absent';
  }
}

/** Creates a listener that records the names in a directory. */
export function recordDirectory(directory: string): RecordingListener {
  return new RecordingListener(() => readNames(directory));
}

function readNames(directory: string): string {
  try {
    return readdirSync(directory).toSorted().join(' ');
  } catch {
    return 'absent';
  }
}

/** Creates a resource without watchers whose fingerprint the test sets. */
export function createUnwatchedResource(key: string = 'unheard'): { readonly subject: WatchedResource; state: string } {
  const held = { state: 'one', subject: { key, targets: [], fingerprint: async () => held.state } };
  return held;
}

/** Returns the number of inotify watches of this process, which only Linux has. */
export function countSystemWatches(): number {
  const infos = readdirSync('/proc/self/fdinfo').map((descriptor) => readText(`/proc/self/fdinfo/${descriptor}`));
  return infos.join('').split('inotify wd').length - 1;
}

/** Returns the number of `fs.watch` handles that would keep this process alive. */
export async function countOpenWatchers(): Promise<number> {
  // A closed handle is counted until the current iteration of the event loop ends.
  for (let turn = 0; turn < 2; turn++) await setImmediate();
  return process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
}

/** Makes `fs.watch` throw an error with this code after the allowed number of calls, until the test ends. */
export function refuseWatches(code: string, allowed: number = 0): void {
  const { watch } = fs;
  let count = 0;
  replaceWatch((...given: Parameters<typeof watch>) => {
    if (count++ < allowed) return watch(...given);
    throw Object.assign(new Error(`${code}: no watch`), { code });
  });
}

/** Collects all watchers that are started until the test ends. */
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
