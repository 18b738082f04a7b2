import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { spelled, type OpenDirectory } from '@org/mcp-roots';

import { entryTypeOf } from '../entry-type.ts';
import { etagOf } from '../etag.ts';
import type { Changes } from '../write/changes.ts';
import { conflict } from '../write/unchanged.ts';
import { writeAtomically, type Written } from '../write/write-atomically.ts';
import { hashOf, type Contents } from './contents.ts';
import { hashesIn, NONE, type DirectorySnapshot, type FileSnapshot, type Snapshot } from './snapshot.ts';

/** A name in a directory. */
interface Name {
  readonly directory: OpenDirectory;
  readonly name: string;
}

/** Makes names stand for what they stood for in a snapshot. */
export class Restoring {
  readonly #contents: Contents;
  readonly #writing: Pick<Changes, 'durability' | 'stale' | 'attributes'>;
  readonly #signal: AbortSignal;

  constructor({ journal, durability, stale, attributes }: Changes, signal: AbortSignal) {
    this.#contents = journal.contents;
    this.#writing = { durability, stale, attributes };
    this.#signal = signal;
  }

  /** Whether all that is there now is as in one of the snapshots, as a change leaves it that was made, not made, or broken off. */
  async isOneOf(at: Name, snapshots: readonly [Snapshot, Snapshot]): Promise<boolean> {
    for (const snapshot of snapshots) if (snapshot.type !== 'directory' && (await this.#is(at, snapshot))) return true;
    const isDirectory = snapshots.some(({ type }) => type === 'directory') && (await typeAt(at)) === 'directory';
    return isDirectory && this.#isEachOneOf(at, snapshots);
  }

  async #isEachOneOf({ directory: above, name }: Name, [one, other]: readonly [Snapshot, Snapshot]): Promise<boolean> {
    await using directory = await above.openDirectory(name);
    const [first, second] = [entriesOf(one), entriesOf(other)];
    for (const entry of await namesIn(directory)) {
      const known = [first.get(entry) ?? NONE, second.get(entry) ?? NONE] as const;
      if (!(await this.isOneOf({ directory, name: entry }, known))) return false;
    }
    return true;
  }

  /** @throws ToolError NOT_FOUND if a content is no longer kept */
  async requireContents(snapshot: Snapshot): Promise<void> {
    for (const hash of hashesIn(snapshot)) {
      if (await this.#contents.has(hash)) continue;
      throw new ToolError('NOT_FOUND', 'what was there before is no longer kept', {
        hint: 'the operator raises --max-journal-bytes',
      });
    }
  }

  /** Replaces what is there; what is as it should be stays. */
  async restore(at: Name, snapshot: Snapshot): Promise<void> {
    this.#signal.throwIfAborted();
    if (snapshot.type === 'directory') return this.#restoreDirectory(at, snapshot);
    if ((await this.#is(at, snapshot)) && (await this.#hasMode(at, snapshot))) return;
    const { directory, name } = at;
    if (snapshot.type === 'file') return this.#restoreFile(at, snapshot);
    if ((await directory.facts(name)) !== undefined) await this.remove(at);
    if (snapshot.type === 'symlink') await directory.makeLink(name, snapshot.target);
  }

  /** Removes a name, of a directory with all that is in it. */
  async remove({ directory, name }: Name): Promise<void> {
    this.#signal.throwIfAborted();
    if ((await typeAt({ directory, name })) !== 'directory') return directory.unlink(name);
    await this.#removeEntries(directory, name);
    return directory.removeDirectory(name);
  }

  /** Removes what is as it was when a snapshot was taken. @throws ToolError CONFLICT where something is not, and removes no more then */
  async removeUnchanged(at: Name, snapshot: Snapshot): Promise<void> {
    const { directory: above, name } = at;
    const facts = await above.facts(name);
    const isFile = snapshot.type === 'file';
    if (facts === undefined || snapshot.type !== entryTypeOf(facts) || (isFile && snapshot.etag !== etagOf(facts)))
      throw conflict(path.join(above.shown, name), isFile ? snapshot.etag : undefined, facts && etagOf(facts));
    if (snapshot.type !== 'directory') return this.remove(at);
    await this.#removeEntriesUnchanged(at, snapshot);
    return above.removeDirectory(name);
  }

  /** Puts back what is not there any more; what is there stays as it is. */
  async restoreMissing(at: Name, snapshot: Snapshot): Promise<void> {
    const type = await typeAt(at);
    if (type === undefined) return this.restore(at, snapshot);
    if (type !== 'directory' || snapshot.type !== 'directory') return;
    await using directory = await at.directory.openDirectory(at.name);
    for (const [name, entry] of snapshot.entries) await this.restoreMissing({ directory, name }, entry);
  }

  async #removeEntriesUnchanged({ directory: above, name }: Name, { entries }: DirectorySnapshot): Promise<void> {
    await using directory = await above.openDirectory(name);
    for (const [own, entry] of entries) {
      this.#signal.throwIfAborted();
      await this.removeUnchanged({ directory, name: own }, entry);
    }
  }

  async #removeEntries(above: OpenDirectory, name: string): Promise<void> {
    await using directory = await above.openDirectory(name);
    for (const entry of await namesIn(directory)) await this.remove({ directory, name: entry });
  }

  async #restoreFile({ directory, name }: Name, { hash, mode }: FileSnapshot): Promise<void> {
    const found = await directory.facts(name);
    if (found !== undefined && !found.isFile()) await this.remove({ directory, name });
    const facts = found?.isFile() === true ? found : undefined;
    const target = { directory, name, shown: path.join(directory.shown, name), facts };
    await writeAtomically(target, this.#contents.read(hash), {
      ...this.#writing,
      mode,
      beforeSaving: (written) => requireWhole(written, hash, target.shown),
    });
  }

  async #restoreDirectory(at: Name, snapshot: DirectorySnapshot): Promise<void> {
    const { directory: above, name } = at;
    const type = await typeAt(at);
    if (type !== 'directory' && type !== undefined) await this.remove(at);
    if (type !== 'directory') await above.makeDirectory(name);
    await using directory = await above.openDirectory(name);
    const wanted = entriesOf(snapshot);
    for (const entry of new Set([...(await namesIn(directory)), ...wanted.keys()]))
      await this.restore({ directory, name: entry }, wanted.get(entry) ?? NONE);
    await directory.setMode(snapshot.mode);
  }

  async #is({ directory, name }: Name, snapshot: Exclude<Snapshot, DirectorySnapshot>): Promise<boolean> {
    const facts = await directory.facts(name);
    if (facts === undefined) return snapshot.type === 'none';
    if (snapshot.type === 'none' || snapshot.type !== entryTypeOf(facts)) return false;
    if (snapshot.type === 'symlink') return (await directory.readLink(name)) === snapshot.target;
    if (Number(facts.size) !== snapshot.size) return false;
    await using file = await directory.openFile(name);
    return (await hashOf(file, this.#signal)) === snapshot.hash;
  }

  async #hasMode({ directory, name }: Name, snapshot: Snapshot): Promise<boolean> {
    if (snapshot.type !== 'file') return true;
    return (Number((await directory.facts(name))?.mode) & 0o777) === snapshot.mode;
  }
}

/** @returns the conflict of what is neither as it was before a change nor as after it */
export function changedSince(shown: string, hint = 'force undoes it nevertheless, and that can be undone, too'): ToolError {
  return new ToolError('CONFLICT', `${spelled(shown)} was changed since`, {
    hint,
  });
}

/** Whoever takes back a change wants what was there, and what is there now rather than something else. */
async function requireWhole(written: Written, hash: string, shown: string): Promise<void> {
  if (written.hash !== hash) throw new ToolError('IO', `what was kept of ${spelled(shown)} is damaged; the file stays as it is`);
}

async function typeAt({ directory, name }: Name): Promise<string | undefined> {
  const facts = await directory.facts(name);
  return facts && entryTypeOf(facts);
}

async function namesIn(directory: OpenDirectory): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of directory.entries()) names.push(name);
  return names;
}

function entriesOf(snapshot: Snapshot): ReadonlyMap<string, Snapshot> {
  return new Map(snapshot.type === 'directory' ? snapshot.entries : []);
}
