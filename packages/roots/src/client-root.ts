import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { rootUnavailable } from './failures.ts';
import type { Guarantee } from './hold/anchor.ts';
import { groundOf, type Ground } from './hold/ground.ts';
import { callsFor } from './hold/mounts.ts';
import type { OperatorRoot } from './operator-root.ts';
import { namesBelow } from './paths/contained.ts';
import { pathOfUri } from './paths/file-uri.ts';
import type { Boundary, RootMode, RootState } from './root-directory.ts';

/** A directory that the client names, inside one of the operator's if there are any. It counts for one call. */
export class ClientRoot implements Boundary {
  readonly path: string;
  readonly realPath: string;
  readonly uri: string;
  readonly from = 'client';
  readonly ground: Ground;
  readonly device: bigint;
  readonly #within: OperatorRoot | undefined;

  /** @param within the operator's directory that holds it */
  constructor({ path: named, realPath, device }: NamedDirectory, within: OperatorRoot | undefined, guarantee: Guarantee) {
    this.path = named;
    this.realPath = realPath;
    this.device = device;
    this.uri = pathToFileURL(named).href;
    this.ground = within?.ground ?? groundOf(realPath, guarantee);
    this.#within = within;
  }

  get mode(): RootMode {
    return this.#within?.mode ?? 'rw';
  }

  async state(): Promise<RootState> {
    if (this.#within !== undefined) return this.#within.state();
    try {
      const facts = await this.ground.calls.stat(this.realPath);
      return facts.isDirectory() ? 'available' : 'unavailable';
    } catch {
      return 'unavailable';
    }
  }

  async reach(names: readonly string[]): Promise<string> {
    if (this.#within === undefined) return path.join(this.realPath, ...names);
    const way = namesBelow(this.#within.realPath, this.realPath);
    if (way === undefined) throw rootUnavailable(this.path);
    return this.#within.reach([...way, ...names]);
  }
}

/** A directory that exists. */
export interface NamedDirectory {
  readonly path: string;
  readonly realPath: string;
  readonly device: bigint;
}

/** The directory of a client's URI; `undefined` for anything else than an existing directory of this machine. */
export async function clientDirectory(uri: string): Promise<NamedDirectory | undefined> {
  const named = pathOfUri(uri);
  if (named === undefined) return undefined;
  const absolute = path.resolve(named);
  const calls = callsFor(absolute);
  try {
    const realPath = await calls.realpath(absolute);
    const facts = await calls.stat(realPath);
    const isUsable = facts.isDirectory() && !realPath.includes('\uFFFD');
    return isUsable ? { path: absolute, realPath, device: facts.dev } : undefined;
  } catch {
    return undefined;
  }
}
