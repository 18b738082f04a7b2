import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { OpenDirectory, PathEntry, Roots } from '@org/mcp-roots';

import { hashFile } from '../journal/contents.ts';
import { areEqual, NO_LEAF, type Leaf } from './leaf.ts';

const PERMISSIONS = 0o777;

export interface VirtualFilesOptions {
  readonly roots: Roots;
  readonly signal: AbortSignal;
  /** Maximum number of paths that are read from the disk. */
  readonly maxEntries: number;
}

/** Files on the disk with changes that are not made yet. A path is read from the disk when it is first examined. */
export class VirtualFiles {
  readonly #options: VirtualFilesOptions;
  readonly #onDisk = new Map<string, Leaf>();
  readonly #changed = new Map<string, Leaf>();

  constructor(options: VirtualFilesOptions) {
    this.#options = options;
  }

  /** The paths whose state was set, whether or not the state differs from the disk. */
  get known(): readonly string[] {
    return [...this.#changed.keys()].sort();
  }

  async get(place: string): Promise<Leaf> {
    return this.#changed.get(place) ?? this.readDisk(place);
  }

  async set(place: string, leaf: Leaf): Promise<void> {
    await this.readDisk(place);
    this.#changed.set(place, leaf);
  }

  /** Returns the paths whose state differs from the disk. */
  async listChanged(): Promise<readonly string[]> {
    const changed: string[] = [];
    for (const place of this.known) if (!areEqual(await this.get(place), await this.readDisk(place))) changed.push(place);
    return changed;
  }

  /**
   * Returns the state that a path had on the disk when the path was first examined.
   *
   * @throws ToolError TOO_LARGE, READ_ONLY, DENIED_BY_POLICY, IO
   */
  async readDisk(place: string): Promise<Leaf> {
    const known = this.#onDisk.get(place);
    if (known !== undefined) return known;
    const { maxEntries, signal } = this.#options;
    signal.throwIfAborted();
    if (this.#onDisk.size >= maxEntries)
      throw new ToolError('TOO_LARGE', `the changes concern more than ${maxEntries} paths`, {
        hint: 'nothing was changed; rewind to a later moment, or ask the operator to raise --max-tree-entries',
      });
    const leaf = await this.#read(place);
    this.#onDisk.set(place, leaf);
    return leaf;
  }

  /**
   * Returns a path and the paths of all entries below it, as they are after the changes that are not made yet.
   *
   * @throws ToolError DENIED_BY_POLICY for an entry that may not be moved
   */
  async listBelow(place: string): Promise<readonly string[]> {
    if ((await this.get(place)).type !== 'directory') return [place];
    const names = new Set(await this.#readNames(place));
    for (const each of this.known) if (path.dirname(each) === place) names.add(path.basename(each));
    const below: string[] = [place];
    for (const name of names) {
      const entry = path.join(place, name);
      if ((await this.get(entry)).type !== 'none') below.push(...(await this.listBelow(entry)));
    }
    return below;
  }

  async #readNames(place: string): Promise<readonly string[]> {
    if ((await this.readDisk(place)).type !== 'directory') return [];
    await using directory = await this.#options.roots.openDirectory(place);
    const names: string[] = [];
    for await (const { name } of directory.entries()) {
      if (directory.isDenied(name) || (await directory.isGuardedGit(name)))
        throw new ToolError('DENIED_BY_POLICY', `${place} contains an entry that may not be moved`);
      names.push(name);
    }
    return names;
  }

  async #read(place: string): Promise<Leaf> {
    const { roots, signal } = this.#options;
    const root = roots.directories.find((each) => each.path === place || each.realPath === place);
    if (root !== undefined) return { type: 'directory', mode: PERMISSIONS };
    await using entry = await findEntry(roots, place);
    return entry === undefined ? NO_LEAF : await readLeaf(entry.directory, entry, place, signal);
  }
}

async function findEntry(roots: Roots, place: string): Promise<PathEntry | undefined> {
  try {
    return await roots.findEntryToMove(place);
  } catch (error) {
    if (ToolError.is(error) && (error.code === 'NOT_FOUND' || error.code === 'NOT_DIRECTORY')) return undefined;
    throw error;
  }
}

async function readLeaf(
  directory: OpenDirectory,
  { name, facts }: Pick<PathEntry, 'name' | 'facts'>,
  place: string,
  signal: AbortSignal,
): Promise<Leaf> {
  if (facts === undefined) return NO_LEAF;
  const mode = Number(facts.mode) & PERMISSIONS;
  if (facts.isDirectory()) return { type: 'directory', mode };
  if (facts.isSymbolicLink()) return { type: 'symlink', target: await directory.readLink(name) };
  await using file = await directory.openFile(name);
  return { type: 'file', hash: await hashFile(file, signal), size: file.size, mode, place };
}
