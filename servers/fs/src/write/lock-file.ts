import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, linkSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { isRunning, thisProcess } from '@org/mcp-host';

import { errorCode } from '../error-code.ts';
import { ownerIn } from './owner.ts';

/** Milliseconds after which a lock counts as left behind of whose owner nobody here can tell whether it runs. */
const ABANDONED = 120_000;
const OWNERS = '.owner';

/**
 * Locks that are files in a directory which all processes share. Each is a second name of one file that says who has it, so it is
 * there with its content or not at all. What a process has left behind that ended is taken over.
 *
 * Its calls are direct: they are few, and a promise costs more than any of them.
 */
export class LockFiles {
  readonly #folder: string;
  readonly #owner: string;

  /** @param folder a directory that is there */
  constructor(folder: string) {
    this.#folder = folder;
    this.#owner = path.join(folder, `${randomUUID()}${OWNERS}`);
    removeOwners(folder);
    writeFileSync(this.#owner, JSON.stringify(thisProcess()), { flag: 'wx', mode: 0o600 });
  }

  /** Whether it could be had at once. */
  take(name: string): boolean {
    const lock = this.#pathOf(name);
    return this.#link(lock) || (isAbandoned(lock) && this.#takeOver(lock));
  }

  release(name: string): void {
    remove(this.#pathOf(name));
  }

  /** Tells who has it that another process waits. */
  want(name: string): void {
    this.#link(`${this.#pathOf(name)}.wanted`);
  }

  /** Whether another process waits; it is told to only once. */
  isWanted(name: string): boolean {
    return remove(`${this.#pathOf(name)}.wanted`);
  }

  close(): void {
    remove(this.#owner);
  }

  #pathOf(name: string): string {
    return path.join(this.#folder, name);
  }

  /** Of several that found it abandoned one removes it: the others might remove the lock that this one then has. */
  #takeOver(lock: string): boolean {
    const turn = `${lock}.turn`;
    if (!this.#link(turn)) {
      if (isAbandoned(turn)) remove(turn);
      return false;
    }
    try {
      if (isAbandoned(lock)) remove(lock);
      return this.#link(lock);
    } finally {
      remove(turn);
    }
  }

  #link(lock: string): boolean {
    try {
      linkSync(this.#owner, lock);
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      if (!WITHOUT_LINKS.has(errorCode(error) ?? '')) throw error;
      return copied(this.#owner, lock);
    }
  }
}

const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function copied(owner: string, lock: string): boolean {
  try {
    copyFileSync(owner, lock, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(lock: string): boolean {
  try {
    const owner = ownerIn(readFileSync(lock, 'utf8'));
    const runs = owner && isRunning(owner);
    return runs === undefined ? Date.now() - statSync(lock).mtimeMs > ABANDONED : !runs;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function remove(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** What processes have left behind that ended without closing. */
function removeOwners(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (name.endsWith(OWNERS) && isAbandoned(file)) remove(file);
  }
}
