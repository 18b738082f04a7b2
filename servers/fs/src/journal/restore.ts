import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { quotePath, type OpenDirectory } from '@org/mcp-roots';

import { toEntryType } from '../storage/entry-type.ts';
import { computeEtag } from '../storage/etag.ts';
import { conflict } from '../storage/target.ts';
import { writeAtomically, type WriteSettings, type Written } from '../storage/write-atomically.ts';
import { hashFile, type ContentStore, type NamedPlace } from './contents.ts';
import type { Journal } from './journal.ts';
import {
  DEFAULT_MODE,
  listEntries,
  listHashes,
  NONE,
  type DirectorySnapshot,
  type FileSnapshot,
  type Snapshot,
} from './snapshot.ts';

/** Compares names with snapshots and restores them. */
export class SnapshotRestorer {
  readonly #contents: ContentStore;
  readonly #settings: WriteSettings;
  readonly #signal: AbortSignal;

  constructor({ journal, settings }: { readonly journal: Journal; readonly settings: WriteSettings }, signal: AbortSignal) {
    this.#contents = journal.contents;
    this.#settings = settings;
    this.#signal = signal;
  }

  /**
   * Returns whether a name matches the snapshot from before a change or the snapshot from after the change. In a directory,
   * each entry may match either snapshot.
   *
   * @param isPartial whether entries that neither snapshot names are ignored
   */
  async matchesAny(at: NamedPlace, snapshots: readonly [Snapshot, Snapshot], isPartial = false): Promise<boolean> {
    for (const snapshot of snapshots) if (snapshot.type !== 'directory' && (await this.#matches(at, snapshot))) return true;
    const isDirectory = snapshots.some(({ type }) => type === 'directory') && (await readType(at)) === 'directory';
    return isDirectory && this.#allMatchAny(at, snapshots, isPartial);
  }

  async #allMatchAny(
    { directory: above, name }: NamedPlace,
    [one, other]: readonly [Snapshot, Snapshot],
    isPartial: boolean,
  ): Promise<boolean> {
    await using directory = await above.openDirectory(name);
    const [first, second] = [listEntries(one), listEntries(other)];
    for (const entry of await readNames(directory)) {
      if (isPartial && !first.has(entry) && !second.has(entry)) continue;
      const known = [first.get(entry) ?? NONE, second.get(entry) ?? NONE] as const;
      if (!(await this.matchesAny({ directory, name: entry }, known, isPartial))) return false;
    }
    return true;
  }

  /** @throws ToolError NOT_FOUND if a content is no longer stored */
  async requireContents(snapshot: Snapshot): Promise<void> {
    for (const hash of listHashes(snapshot)) await this.requireContent(hash);
  }

  /** @throws ToolError NOT_FOUND if the content is no longer stored */
  async requireContent(hash: string): Promise<void> {
    if (await this.#contents.has(hash)) return;
    throw new ToolError('NOT_FOUND', 'the previous content is no longer stored', {
      hint: 'the operator can raise --max-journal-bytes',
    });
  }

  /**
   * Restores a snapshot. Files and links that match the snapshot are not written again. Removes entries of a directory that the
   * snapshot does not name.
   */
  async restore(at: NamedPlace, snapshot: Snapshot): Promise<void> {
    this.#signal.throwIfAborted();
    if (snapshot.type === 'directory') return this.#restoreDirectory(at, snapshot);
    if ((await this.#matches(at, snapshot)) && (await this.#hasMode(at, snapshot))) return;
    const { directory, name } = at;
    if (snapshot.type === 'file') return this.#restoreFile(at, snapshot);
    if ((await directory.facts(name)) !== undefined) await this.remove(at);
    if (snapshot.type === 'symlink') await directory.makeLink(name, snapshot.target);
  }

  /**
   * Restores a snapshot, but leaves entries as they are that neither `snapshot` nor `previous` names. If `snapshot` or `previous`
   * is a directory, an existing entry that is not a directory also stays.
   */
  async restorePartially(at: NamedPlace, snapshot: Snapshot, previous: Snapshot): Promise<void> {
    if (snapshot.type !== 'directory' && previous.type !== 'directory') return this.restore(at, snapshot);
    this.#signal.throwIfAborted();
    const type = await readType(at);
    if (type === undefined && snapshot.type === 'directory') await at.directory.makeDirectory(at.name);
    else if (type !== 'directory') return;
    const [wanted, known] = [listEntries(snapshot), listEntries(previous)];
    await this.#restoreEntries(at, wanted, known);
    if (snapshot.type === 'none') return removeIfEmpty(at);
    await using directory = await at.directory.openDirectory(at.name);
    if (type === undefined && snapshot.type === 'directory') await setMode(directory, snapshot);
  }

  async #restoreEntries(
    at: NamedPlace,
    wanted: ReadonlyMap<string, Snapshot>,
    known: ReadonlyMap<string, Snapshot>,
  ): Promise<void> {
    await using directory = await at.directory.openDirectory(at.name);
    for (const name of new Set([...wanted.keys(), ...known.keys()]))
      await this.restorePartially({ directory, name }, wanted.get(name) ?? NONE, known.get(name) ?? NONE);
  }

  /** Removes a file, a link, or a directory with all its entries. */
  async remove({ directory, name }: NamedPlace): Promise<void> {
    this.#signal.throwIfAborted();
    if ((await readType({ directory, name })) !== 'directory') return directory.unlink(name);
    await this.#removeEntries(directory, name);
    return directory.removeDirectory(name);
  }

  /**
   * Removes an entry that has not changed since its snapshot.
   *
   * @throws ToolError CONFLICT at the first changed entry; later entries stay
   */
  async removeUnchanged(at: NamedPlace, snapshot: Snapshot): Promise<void> {
    const { directory: above, name } = at;
    const facts = await above.facts(name);
    const isFile = snapshot.type === 'file';
    if (facts === undefined || snapshot.type !== toEntryType(facts) || (isFile && snapshot.etag !== computeEtag(facts)))
      throw conflict(path.join(above.shown, name), isFile ? snapshot.etag : undefined, facts && computeEtag(facts));
    if (snapshot.type !== 'directory') return this.remove(at);
    await this.#removeEntriesUnchanged(at, snapshot);
    return above.removeDirectory(name);
  }

  /** Restores missing entries of a snapshot. Existing entries stay as they are. */
  async restoreMissing(at: NamedPlace, snapshot: Snapshot): Promise<void> {
    const type = await readType(at);
    if (type === undefined) return this.restore(at, snapshot);
    if (type !== 'directory' || snapshot.type !== 'directory') return;
    await using directory = await at.directory.openDirectory(at.name);
    for (const [name, entry] of snapshot.entries) await this.restoreMissing({ directory, name }, entry);
  }

  async #removeEntriesUnchanged({ directory: above, name }: NamedPlace, { entries }: DirectorySnapshot): Promise<void> {
    await using directory = await above.openDirectory(name);
    for (const [own, entry] of entries) {
      this.#signal.throwIfAborted();
      await this.removeUnchanged({ directory, name: own }, entry);
    }
  }

  async #removeEntries(above: OpenDirectory, name: string): Promise<void> {
    await using directory = await above.openDirectory(name);
    for (const entry of await readNames(directory)) await this.remove({ directory, name: entry });
  }

  async #restoreFile({ directory, name }: NamedPlace, { hash, mode }: FileSnapshot): Promise<void> {
    const found = await directory.facts(name);
    if (found !== undefined && !found.isFile()) await this.remove({ directory, name });
    const facts = found?.isFile() === true ? found : undefined;
    const target = { directory, name, shown: path.join(directory.shown, name), facts };
    await writeAtomically(target, this.#contents.read(hash), {
      ...this.#settings,
      mode,
      beforeSaving: (written) => requireIntact(written, hash, target.shown),
    });
  }

  async #restoreDirectory(at: NamedPlace, snapshot: DirectorySnapshot): Promise<void> {
    const { directory: above, name } = at;
    const type = await readType(at);
    if (type !== 'directory' && type !== undefined) await this.remove(at);
    if (type !== 'directory') await above.makeDirectory(name);
    await using directory = await above.openDirectory(name);
    const wanted = listEntries(snapshot);
    for (const entry of new Set([...(await readNames(directory)), ...wanted.keys()]))
      await this.restore({ directory, name: entry }, wanted.get(entry) ?? NONE);
    await setMode(directory, snapshot);
  }

  async #matches({ directory, name }: NamedPlace, snapshot: Exclude<Snapshot, DirectorySnapshot>): Promise<boolean> {
    const facts = await directory.facts(name);
    if (facts === undefined) return snapshot.type === 'none';
    if (snapshot.type === 'none' || snapshot.type !== toEntryType(facts)) return false;
    if (snapshot.type === 'symlink') return (await directory.readLink(name)) === snapshot.target;
    if (Number(facts.size) !== snapshot.size) return false;
    await using file = await directory.openFile(name);
    return (await hashFile(file, this.#signal)) === snapshot.hash;
  }

  async #hasMode({ directory, name }: NamedPlace, snapshot: Snapshot): Promise<boolean> {
    if (snapshot.type !== 'file') return true;
    return (Number((await directory.facts(name))?.mode) & 0o777) === snapshot.mode;
  }
}

/** Creates the error for a path that matches neither the state before a change nor the state after it. */
export function changedSince(shown: string, hint = 'force undoes the change anyway, and this undo can be undone'): ToolError {
  return new ToolError('CONFLICT', `${quotePath(shown)} was modified after the change`, { hint });
}

/** Requires the expected hash, because a damaged copy must not replace the current content. @throws ToolError IO */
async function requireIntact(written: Written, hash: string, shown: string): Promise<void> {
  if (written.hash !== hash)
    throw new ToolError('IO', `the stored content of ${quotePath(shown)} is damaged; the file was not changed`);
}

async function setMode(directory: OpenDirectory, { mode }: DirectorySnapshot): Promise<void> {
  if (mode !== DEFAULT_MODE) await directory.setMode(mode);
}

async function removeIfEmpty({ directory, name }: NamedPlace): Promise<void> {
  await directory.removeDirectory(name).catch((error: unknown) => {
    if (!ToolError.is(error) || error.code !== 'NOT_EMPTY') throw error;
  });
}

async function readType({ directory, name }: NamedPlace): Promise<string | undefined> {
  const facts = await directory.facts(name);
  return facts && toEntryType(facts);
}

async function readNames(directory: OpenDirectory): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of directory.entries()) names.push(name);
  return names;
}
