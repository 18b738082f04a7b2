import { ToolError } from '@org/mcp-decorators';
import { spelled, type OpenDirectory, type OpenFile } from '@org/mcp-roots';

import { entryTypeOf } from '../entry-type.ts';
import { etagOf } from '../etag.ts';
import { holdsDenied, holdsGit } from '../write/nothing-denied.ts';
import { hashOf } from './contents.ts';

/** What a name stood for, with all that was in it; plain JSON. */
export type Snapshot =
  | { readonly type: 'none' }
  | FileSnapshot
  | { readonly type: 'symlink'; readonly target: string }
  | DirectorySnapshot;

export interface FileSnapshot {
  readonly type: 'file';
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
  readonly size: number;
  readonly mode: number;
  /** As it was then; of a file that is put back it is another one. */
  readonly etag?: string;
}

export interface DirectorySnapshot {
  readonly type: 'directory';
  readonly mode: number;
  readonly entries: readonly (readonly [name: string, Snapshot])[];
}

export const NONE: Snapshot = { type: 'none' };

/** How deep a directory may be: each level is held open. */
const MAX_DEPTH = 100;
const PERMISSIONS = 0o777;

/** How snapshots are taken. */
export interface Taking {
  readonly signal: AbortSignal;
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** What is done with a file's content. */
  readonly keep: (file: OpenFile, signal: AbortSignal) => Promise<string>;
  /** Whether denied names and protected git directories are skipped and counted. By default the snapshot fails. */
  readonly skipsDenied?: boolean;
}

/** A snapshot, and how much it took. */
export interface Taken {
  readonly snapshot: Snapshot;
  readonly entries: number;
  readonly bytes: number;
  readonly skipped: number;
}

/** Content is only looked at, not kept. */
export const onlyHash: Taking['keep'] = hashOf;

/**
 * What a name stands for now.
 *
 * @throws ToolError TOO_LARGE, DENIED_BY_POLICY, NOT_REGULAR_FILE
 */
export async function takeSnapshot(directory: OpenDirectory, name: string, taking: Taking): Promise<Taken> {
  const taker = new Taker(taking);
  const snapshot = await taker.take(directory, name, 0);
  return { snapshot, ...taker.sums };
}

/** What a directory is now. @throws ToolError as {@link takeSnapshot} */
export async function takeDirectorySnapshot(
  directory: OpenDirectory,
  taking: Taking,
): Promise<Taken & { readonly snapshot: DirectorySnapshot }> {
  const taker = new Taker(taking);
  const snapshot = await taker.takeAll(directory, 0);
  return { snapshot, ...taker.sums };
}

class Taker {
  readonly sums = { entries: 0, bytes: 0, skipped: 0 };
  readonly #taking: Taking;

  constructor(taking: Taking) {
    this.#taking = taking;
  }

  async take(directory: OpenDirectory, name: string, depth: number): Promise<Snapshot> {
    this.#taking.signal.throwIfAborted();
    const facts = await directory.facts(name);
    if (facts === undefined) return NONE;
    const type = entryTypeOf(facts);
    if (type === 'symlink') return { type, target: await directory.readLink(name) };
    if (type === 'file') return this.#file(directory, name);
    if (type === 'directory') return this.#directory(directory, name, depth);
    throw new ToolError('NOT_REGULAR_FILE', `${spelled(`${directory.shown}/${name}`)} is neither a file nor a directory`);
  }

  async #file(directory: OpenDirectory, name: string): Promise<Snapshot> {
    await using file = await directory.openFile(name);
    const { size, facts } = file;
    this.sums.bytes += size;
    if (this.sums.bytes > this.#taking.maxBytes) throw tooLarge(`has more than ${this.#taking.maxBytes} bytes`);
    const hash = await this.#taking.keep(file, this.#taking.signal);
    return { type: 'file', hash, size, mode: Number(facts.mode) & PERMISSIONS, etag: etagOf(facts) };
  }

  async #directory(above: OpenDirectory, name: string, depth: number): Promise<Snapshot> {
    if (depth === MAX_DEPTH) throw tooLarge(`is more than ${MAX_DEPTH} directories deep`);
    await using directory = await above.openDirectory(name);
    return await this.takeAll(directory, depth);
  }

  async takeAll(directory: OpenDirectory, depth: number): Promise<DirectorySnapshot> {
    const entries: [string, Snapshot][] = [];
    for (const entry of await this.#namesIn(directory)) entries.push([entry, await this.take(directory, entry, depth + 1)]);
    return { type: 'directory', mode: Number(directory.self.mode) & PERMISSIONS, entries };
  }

  async #namesIn(directory: OpenDirectory): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const { name } of directory.entries()) {
      if (directory.isDenied(name)) this.#deny(holdsDenied(directory));
      else if (await directory.isGuardedGit(name)) this.#deny(holdsGit(directory));
      else names.push(name);
      this.sums.entries += 1;
      if (this.sums.entries > this.#taking.maxEntries) throw tooLarge(`has more than ${this.#taking.maxEntries} entries`);
    }
    return names.sort();
  }

  #deny(reason: ToolError): void {
    if (this.#taking.skipsDenied !== true) throw reason;
    this.sums.skipped += 1;
  }
}

/** What has to be kept for a snapshot to be restored. */
export function* hashesIn(snapshot: Snapshot): Generator<string> {
  if (snapshot.type === 'file') yield snapshot.hash;
  if (snapshot.type === 'directory') for (const [, entry] of snapshot.entries) yield* hashesIn(entry);
}

export function isSnapshot(value: unknown): value is Snapshot {
  return isRecord(value) && SNAPSHOTS[String(value['type'])]?.(value) === true;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

const HASH = /^[\da-f]{64}$/;

const SNAPSHOTS: Readonly<Record<string, (value: Readonly<Record<string, unknown>>) => boolean>> = {
  none: () => true,
  file: ({ hash, size, mode }) => HASH.test(String(hash)) && Number.isInteger(size) && Number.isInteger(mode),
  symlink: ({ target }) => typeof target === 'string',
  directory: ({ mode, entries }) => Number.isInteger(mode) && isListOf(entries, isEntry),
};

function isEntry(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === 'string' && isSnapshot(value[1]);
}

function tooLarge(reason: string): ToolError {
  return new ToolError('TOO_LARGE', `what is there ${reason}`, {
    hint: 'that is too much to keep for undo_change; permanent makes the change and keeps nothing',
  });
}
