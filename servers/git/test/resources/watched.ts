import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { ResourceUpdates, Session } from '@org/mcp-testing';

import { idOf, repositoryOf, writeIn } from '../temporary.ts';

/** A repository in which an edit of `rest.txt` changes a diff, and no status. */
export async function watchedRepository(directory?: string): Promise<string> {
  const top = await repositoryOf(
    [['Begin', { 'a.txt': 'x', 'deep/er/b.txt': 'x', 'rest.txt': 'x', '.gitignore': 'ignored/\n*.log\n' }]],
    directory,
  );
  await writeIn(top, 'rest.txt', 'edited');
  return top;
}

/** A subscribed status, and the way to know that everything until now has been looked at. */
export class WatchedStatus implements AsyncDisposable {
  readonly uri: string;
  readonly #top: string;
  readonly #updates: ResourceUpdates;
  readonly #diff: ResourceUpdates;
  #edits = 0;

  private constructor(top: string, uri: string, [updates, diff]: readonly [ResourceUpdates, ResourceUpdates]) {
    this.#top = top;
    this.uri = uri;
    this.#updates = updates;
    this.#diff = diff;
  }

  static async of(session: Session, top: string, id?: string): Promise<WatchedStatus> {
    const at = `git://${id ?? (await idOf(session))}`;
    const updates = await session.subscribe(`${at}/status`);
    return new WatchedStatus(top, `${at}/status`, [updates, await session.subscribe(`${at}/diff/unstaged`)]);
  }

  get count(): number {
    return this.#updates.count;
  }

  next(): Promise<void> {
    return this.#updates.next();
  }

  /**
   * Resolves when the diff was told to have changed by an edit that the status does not show: twice where it may have changed before,
   * which the first edit may be told with.
   */
  async rest(edits: number = 2): Promise<void> {
    for (let edit = 0; edit < edits; edit += 1) {
      const before = this.#diff.count;
      this.#edits += 1;
      await writeFile(path.join(this.#top, 'rest.txt'), `edit ${this.#edits}`);
      while (this.#diff.count === before) await this.#diff.next();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#updates[Symbol.asyncDispose]();
    await this.#diff[Symbol.asyncDispose]();
  }
}
