import { ToolError } from '@org/mcp-decorators';
import { quotePath, type OpenDirectory, type OpenFile } from '@org/mcp-roots';

import { toEntryType } from '../storage/entry-type.ts';
import { computeEtag } from '../storage/etag.ts';
import { containsDenied, containsGit } from '../storage/nothing-denied.ts';

/** @throws ToolError DENIED_BY_POLICY if the snapshot to create at `shown` contains a protected git directory or configuration */
export function requireNoGit(directory: OpenDirectory, snapshot: Snapshot, shown: string): void {
  if (snapshot.type !== 'directory') return;
  if (directory.wouldGuardGit(snapshot.entries.map(([name]) => name))) throw containsGit({ shown });
  for (const [, entry] of snapshot.entries) requireNoGit(directory, entry, shown);
}

/** The state of a name, with all entries of a directory. Plain JSON. */
export type Snapshot =
  | { readonly type: 'none' }
  | FileSnapshot
  | { readonly type: 'symlink'; readonly target: string }
  | DirectorySnapshot;

export interface FileSnapshot {
  readonly type: 'file';
  /** SHA-256, hexadecimal */
  readonly hash: string;
  readonly size: number;
  readonly mode: number;
  /** Etag at the time of the snapshot. A restored file has another etag. */
  readonly etag?: string;
}

export interface DirectorySnapshot {
  readonly type: 'directory';
  readonly mode: number;
  readonly entries: readonly (readonly [name: string, Snapshot])[];
}

export const NONE: Snapshot = { type: 'none' };

/** Stands for the permissions that the system gives to a new directory. */
export const DEFAULT_MODE = -1;

/** Maximum depth of a directory; each level keeps a handle open. */
const MAX_DEPTH = 100;
const PERMISSIONS = 0o777;

/** How a snapshot is taken. */
export interface SnapshotOptions {
  readonly signal: AbortSignal;
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** Resolves to the hash of the content of a file; may also store the content. */
  readonly keep: (file: OpenFile, signal: AbortSignal) => Promise<string>;
  /**
   * Whether denied names, and protected git directories and configuration of git, are skipped and counted. Default: `false`;
   * one such entry makes the snapshot fail.
   */
  readonly skipsDenied?: boolean;
  /** Snapshots of the same name; only the entries that one of them names are examined. Default: all entries are examined. */
  readonly only?: readonly Snapshot[] | undefined;
}

/** A snapshot and its totals. */
export interface TakenSnapshot {
  readonly snapshot: Snapshot;
  readonly entries: number;
  readonly bytes: number;
  readonly skipped: number;
}

/**
 * Takes a snapshot of a name.
 *
 * @throws ToolError TOO_LARGE beyond the limits; DENIED_BY_POLICY for a denied or protected entry unless `skipsDenied` is set;
 * NOT_REGULAR_FILE for a socket, FIFO or device
 */
export async function takeSnapshot(directory: OpenDirectory, name: string, options: SnapshotOptions): Promise<TakenSnapshot> {
  const taker = new SnapshotTaker(options);
  const snapshot = await taker.take(directory, name, { depth: 0, only: options.only });
  return { snapshot, ...taker.sums };
}

/** Takes a snapshot of an open directory. @throws ToolError the codes of {@link takeSnapshot} */
export async function takeDirectorySnapshot(
  directory: OpenDirectory,
  options: SnapshotOptions,
): Promise<TakenSnapshot & { readonly snapshot: DirectorySnapshot }> {
  const taker = new SnapshotTaker(options);
  const snapshot = await taker.takeAll(directory, { depth: 0, only: options.only });
  return { snapshot, ...taker.sums };
}

/** Depth of an entry, and the snapshots of the entry that limit which entries below it are examined. */
interface Level {
  readonly depth: number;
  readonly only: SnapshotOptions['only'];
}

class SnapshotTaker {
  readonly sums = { entries: 0, bytes: 0, skipped: 0 };
  readonly #options: SnapshotOptions;

  constructor(options: SnapshotOptions) {
    this.#options = options;
  }

  async take(directory: OpenDirectory, name: string, level: Level): Promise<Snapshot> {
    this.#options.signal.throwIfAborted();
    const facts = await directory.facts(name);
    if (facts === undefined) return NONE;
    const type = toEntryType(facts);
    if (type === 'symlink') return { type, target: await directory.readLink(name) };
    if (type === 'file') return this.#file(directory, name);
    if (type === 'directory') return this.#directory(directory, name, level);
    throw new ToolError('NOT_REGULAR_FILE', `${quotePath(`${directory.shown}/${name}`)} is neither a file nor a directory`);
  }

  async #file(directory: OpenDirectory, name: string): Promise<Snapshot> {
    await using file = await directory.openFile(name);
    const { size, facts } = file;
    this.sums.bytes += size;
    if (this.sums.bytes > this.#options.maxBytes) throw tooLarge(`has more than ${this.#options.maxBytes} bytes`);
    const hash = await this.#options.keep(file, this.#options.signal);
    return { type: 'file', hash, size, mode: Number(facts.mode) & PERMISSIONS, etag: computeEtag(facts) };
  }

  async #directory(above: OpenDirectory, name: string, level: Level): Promise<Snapshot> {
    if (level.depth === MAX_DEPTH) throw tooLarge(`is more than ${MAX_DEPTH} directories deep`);
    await using directory = await above.openDirectory(name);
    return await this.takeAll(directory, level);
  }

  async takeAll(directory: OpenDirectory, { depth, only }: Level): Promise<DirectorySnapshot> {
    const entries: [string, Snapshot][] = [];
    const known = only?.map(listEntries);
    for (const name of await this.#readNames(directory, (entry) => known?.some((each) => each.has(entry)) !== false)) {
      const below = { depth: depth + 1, only: known?.map((each) => each.get(name) ?? NONE) };
      entries.push([name, await this.take(directory, name, below)]);
    }
    return { type: 'directory', mode: Number(directory.self.mode) & PERMISSIONS, entries };
  }

  async #readNames(directory: OpenDirectory, isIncluded: (name: string) => boolean): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const { name } of directory.entries()) {
      if (!isIncluded(name)) continue;
      if (directory.isDenied(name)) this.#deny(containsDenied(directory));
      else if (await directory.isGuardedGit(name)) this.#deny(containsGit(directory));
      else names.push(name);
      this.sums.entries += 1;
      if (this.sums.entries > this.#options.maxEntries) throw tooLarge(`has more than ${this.#options.maxEntries} entries`);
    }
    return names.sort();
  }

  #deny(reason: ToolError): void {
    if (this.#options.skipsDenied !== true) throw reason;
    this.sums.skipped += 1;
  }
}

/** Returns the entries of a directory by name; empty for any other snapshot. */
export function listEntries(snapshot: Snapshot): ReadonlyMap<string, Snapshot> {
  return new Map(snapshot.type === 'directory' ? snapshot.entries : []);
}

/** Yields the hashes of all contents that restoring a snapshot needs. */
export function* listHashes(snapshot: Snapshot): Generator<string> {
  if (snapshot.type === 'file') yield snapshot.hash;
  if (snapshot.type === 'directory') for (const [, entry] of snapshot.entries) yield* listHashes(entry);
}

export function isSnapshot(value: unknown): value is Snapshot {
  return isRecord(value) && SNAPSHOTS[String(value['type'])]?.(value) === true;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function isArrayOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

const HASH = /^[\da-f]{64}$/;

export function isHash(value: unknown): value is string {
  return typeof value === 'string' && HASH.test(value);
}

const SNAPSHOTS: Readonly<Record<string, (value: Readonly<Record<string, unknown>>) => boolean>> = {
  none: () => true,
  file: ({ hash, size, mode }) => HASH.test(String(hash)) && Number.isInteger(size) && Number.isInteger(mode),
  symlink: ({ target }) => typeof target === 'string',
  directory: ({ mode, entries }) => Number.isInteger(mode) && isArrayOf(entries, isEntry),
};

function isEntry(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === 'string' && isSnapshot(value[1]);
}

/** Creates the error for a content that the journal cannot store. */
export function tooLarge(reason: string): ToolError {
  return new ToolError('TOO_LARGE', `the previous content ${reason}`, {
    hint: 'the undo journal cannot store this content. If the tool has the argument permanent, set it to make the change without undo',
  });
}
