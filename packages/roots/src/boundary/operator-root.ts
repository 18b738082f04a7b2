import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { errorCode } from '../errors/error-code.ts';
import { createRootChangedError, createRootUnavailableError } from '../errors/path-errors.ts';
import type { MaybePromise } from '../pinning/file-system-calls.ts';
import { findListedPath } from '../pinning/listed-name.ts';
import {
  isSameFile,
  type PinnedPath,
  type Guarantee,
  createBackend,
  createPooledBackend,
  type RootBackend,
} from '../pinning/pinned-path.ts';
import type { Boundary, RootMode, RootState } from './root-directory.ts';

/**
 * Thrown at server start for a directory of the operator that cannot be a root. The message is for the operator and contains
 * the path.
 */
export class RootError extends Error {
  override readonly name: string = 'RootError';
}

/**
 * A directory that the operator allows. It is pinned at the start or, if it is missing then, at the first use after it exists.
 * Afterwards, no other directory can take its place.
 */
export class OperatorRoot implements Boundary {
  readonly path: string;
  readonly uri: string;
  readonly mode: RootMode;
  readonly from = 'operator';
  readonly #guarantee: Guarantee;
  #realPath: string;
  #backend: RootBackend;
  #pinned: PinnedPath | undefined;
  #pinning: Promise<void> | undefined;

  private constructor(absolute: string, mode: RootMode, guarantee: Guarantee) {
    this.path = absolute;
    this.uri = pathToFileURL(absolute).href;
    this.mode = mode;
    this.#guarantee = guarantee;
    this.#realPath = absolute;
    this.#backend = createPooledBackend(guarantee);
  }

  /**
   * Pins the directory if it exists.
   *
   * @throws RootError for an empty path, a path that is not a directory, and a path that cannot be examined or
   *   whose real path is not valid UTF-8
   */
  static async open(given: string, mode: RootMode, guarantee: Guarantee): Promise<OperatorRoot> {
    // An empty path usually results from an unset variable in a client's configuration. It must not be resolved to the
    // working directory.
    if (given === '') throw new RootError('a directory is given as an empty string');
    const root = new OperatorRoot(path.resolve(given), mode, guarantee);
    try {
      await root.#pin();
    } catch (error) {
      if (error instanceof RootError) throw error;
      throw new RootError(`the directory ${root.path} cannot be used: ${String(error)}`, { cause: error });
    }
    return root;
  }

  get realPath(): string {
    return this.#realPath;
  }

  get backend(): RootBackend {
    return this.#backend;
  }

  get device(): bigint | undefined {
    return this.#pinned?.facts.dev;
  }

  async state(): Promise<RootState> {
    if (this.#pinned === undefined) await this.#pin().catch(() => undefined);
    if (this.#pinned === undefined) return 'unavailable';
    try {
      return isSameFile(await this.#backend.calls.stat(this.path), this.#pinned.facts) ? 'available' : 'changed';
    } catch {
      return 'unavailable';
    }
  }

  kernelPath(): MaybePromise<string> {
    return this.#pinned?.realPath() ?? this.#realPath;
  }

  async accessPath(names: readonly string[]): Promise<string> {
    const state = await this.state();
    if (state === 'changed') throw createRootChangedError(this.path);
    if (state === 'unavailable' || this.#pinned === undefined) throw createRootUnavailableError(this.path);
    try {
      return await this.#pinned.pathTo(...(names.length === 0 ? [] : [names.join(path.sep)]));
    } catch {
      throw createRootChangedError(this.path);
    }
  }

  async close(): Promise<void> {
    const pinned = this.#pinned;
    this.#pinned = undefined;
    await pinned?.close();
  }

  /** Pins the directory if it exists. Concurrent calls share one attempt, so that no descriptor leaks. */
  #pin(): Promise<void> {
    this.#pinning ??= this.#pinOnce().finally(() => (this.#pinning = undefined));
    return this.#pinning;
  }

  async #pinOnce(): Promise<void> {
    const pinned = await this.#backend.pin(this.path, true).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (pinned === undefined) return;
    try {
      const real = await this.#requireUsable(pinned);
      this.#backend = createBackend(real, this.#guarantee);
      this.#realPath = await findListedPath(this.#backend.calls, real);
    } catch (error) {
      await pinned.close();
      throw error;
    }
    this.#pinned = pinned;
  }

  async #requireUsable(pinned: PinnedPath): Promise<string> {
    if (!pinned.facts.isDirectory()) throw new RootError(`${this.path} is not a directory`);
    const real = await pinned.realPath();
    // Paths are compared as text, but different names that are not valid UTF-8 may decode to the same text.
    if (real.includes('\uFFFD')) throw new RootError(`the real path of ${this.path} is not valid UTF-8`);
    return real;
  }
}
