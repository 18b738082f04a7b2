import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { ResourceUpdates, Session } from '@org/mcp-testing';

import { idOf, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

/** Creates a repository in which an edit of `rest.txt` changes a diff, but not the status. */
export async function watchedRepository(directory?: string): Promise<string> {
  const top = await repositoryOf(
    [['Begin', { 'a.txt': 'x', 'deep/er/b.txt': 'x', 'rest.txt': 'x', '.gitignore': 'ignored/\n*.log\n' }]],
    directory,
  );
  await writeIn(top, 'rest.txt', 'edited');
  return top;
}

/** A subscription to a status, with a method that waits until all earlier changes have been processed. */
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
   * Edits a file without changing the status, and resolves when the diff has been notified. Edits twice by default, because the
   * first notification may result from an earlier change.
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
