import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, linkSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { isRunning, thisProcess } from '@org/mcp-host';

import { errorCode } from './error-code.ts';
import { parseOwner } from './owner.ts';

/** Age in milliseconds after which a lock counts as abandoned if this machine cannot find out whether the owning process runs. */
const ABANDONED = 120_000;
const OWNERS = '.owner';

/**
 * Lock files in a directory that all processes share. Each lock is a hard link to the owner file of its process, so a lock never
 * exists without its content. If the file system has no hard links, a lock is a copy of the owner file. A process takes over the
 * locks of processes that have ended.
 *
 * The calls are synchronous, because a lock needs only a few calls, and a promise takes longer than such a call.
 */
export class LockFiles {
  readonly #folder: string;
  readonly #owner: string;

  /** @param folder an existing directory */
  constructor(folder: string) {
    this.#folder = folder;
    this.#owner = path.join(folder, `${randomUUID()}${OWNERS}`);
    removeAbandonedOwners(folder);
    writeFileSync(this.#owner, JSON.stringify(thisProcess()), { flag: 'wx', mode: 0o600 });
  }

  /** Takes a lock if the lock is free or abandoned. Returns whether this process has taken the lock. */
  tryTake(name: string): boolean {
    const lock = this.#path(name);
    return this.#link(lock) || (isAbandoned(lock) && this.#takeOver(lock));
  }

  release(name: string): void {
    remove(this.#path(name));
  }

  /** Requests the lock from the process that holds it. */
  requestHandover(name: string): void {
    this.#link(`${this.#path(name)}.wanted`);
  }

  /** Returns whether another process requested the lock, and deletes the request. */
  takeHandoverRequest(name: string): boolean {
    return remove(`${this.#path(name)}.wanted`);
  }

  close(): void {
    remove(this.#owner);
  }

  #path(name: string): string {
    return path.join(this.#folder, name);
  }

  /**
   * Removes an abandoned lock and takes it, unless another process does so at the same time. If two processes removed the lock,
   * the second process could remove the new lock of the first process.
   */
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
      return copyExclusively(this.#owner, lock);
    }
  }
}

const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function copyExclusively(owner: string, lock: string): boolean {
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
    const owner = parseOwner(readFileSync(lock, 'utf8'));
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

/** Removes the owner files of processes that ended without closing. */
function removeAbandonedOwners(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (name.endsWith(OWNERS) && isAbandoned(file)) remove(file);
  }
}
