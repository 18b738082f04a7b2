import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { errorCode } from './error-code.ts';
import { rootChanged, rootUnavailable } from './failures.ts';
import { isSame, type Anchor, type Guarantee } from './hold/anchor.ts';
import type { Answer } from './hold/calls.ts';
import { groundOf, patientGround, type Ground } from './hold/ground.ts';
import { listedPath } from './hold/listed-name.ts';
import type { Boundary, RootMode, RootState } from './root-directory.ts';

/** A directory given at start that cannot be a root; for the operator, so its path is named. */
export class RootError extends Error {
  override readonly name: string = 'RootError';
}

/** A directory of the operator's, held from the moment it is there: no other one takes its place. */
export class OperatorRoot implements Boundary {
  readonly path: string;
  readonly uri: string;
  readonly mode: RootMode;
  readonly from = 'operator';
  readonly #guarantee: Guarantee;
  #realPath: string;
  #ground: Ground;
  #anchor: Anchor | undefined;
  #pinning: Promise<void> | undefined;

  private constructor(absolute: string, mode: RootMode, guarantee: Guarantee) {
    this.path = absolute;
    this.uri = pathToFileURL(absolute).href;
    this.mode = mode;
    this.#guarantee = guarantee;
    this.#realPath = absolute;
    this.#ground = patientGround(guarantee);
  }

  /**
   * Holds the directory if it is there.
   *
   * @throws RootError for an empty text, a path that is no directory, and one that cannot be looked at
   */
  static async open(given: string, mode: RootMode, guarantee: Guarantee): Promise<OperatorRoot> {
    // An unset variable in a client's configuration: the working directory was not meant.
    if (given === '') throw new RootError('a directory is given as an empty text');
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

  get ground(): Ground {
    return this.#ground;
  }

  get device(): bigint | undefined {
    return this.#anchor?.facts.dev;
  }

  async state(): Promise<RootState> {
    if (this.#anchor === undefined) await this.#pin().catch(() => undefined);
    if (this.#anchor === undefined) return 'unavailable';
    try {
      return isSame(await this.#ground.calls.stat(this.path), this.#anchor.facts) ? 'available' : 'changed';
    } catch {
      return 'unavailable';
    }
  }

  heldPath(): Answer<string> {
    return this.#anchor?.real() ?? this.#realPath;
  }

  async reach(names: readonly string[]): Promise<string> {
    const state = await this.state();
    if (state === 'changed') throw rootChanged(this.path);
    if (state === 'unavailable' || this.#anchor === undefined) throw rootUnavailable(this.path);
    try {
      return await this.#anchor.at(...(names.length === 0 ? [] : [names.join(path.sep)]));
    } catch {
      throw rootChanged(this.path);
    }
  }

  async close(): Promise<void> {
    const anchor = this.#anchor;
    this.#anchor = undefined;
    await anchor?.close();
  }

  /** One at a time: what is held twice is released once. */
  #pin(): Promise<void> {
    this.#pinning ??= this.#find().finally(() => (this.#pinning = undefined));
    return this.#pinning;
  }

  async #find(): Promise<void> {
    const anchor = await this.#ground.hold(this.path, true).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (anchor === undefined) return;
    try {
      const real = await this.#requireUsable(anchor);
      this.#ground = groundOf(real, this.#guarantee);
      this.#realPath = await listedPath(this.#ground.calls, real);
    } catch (error) {
      await anchor.close();
      throw error;
    }
    this.#anchor = anchor;
  }

  async #requireUsable(anchor: Anchor): Promise<string> {
    if (!anchor.facts.isDirectory()) throw new RootError(`${this.path} is not a directory`);
    const real = await anchor.real();
    // Paths are compared as text, and there all such names are alike.
    if (real.includes('\uFFFD')) throw new RootError(`${this.path} has a name that is not UTF-8`);
    return real;
  }
}
