import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { rootUnavailable } from './failures.ts';
import type { Guarantee } from './hold/anchor.ts';
import { groundOf, type Ground } from './hold/ground.ts';
import { listedPath } from './hold/listed-name.ts';
import { callsFor } from './hold/mounts.ts';
import { listedBelow } from './listed-below.ts';
import type { OperatorRoot } from './operator-root.ts';
import { isContained, namesBelow } from './paths/contained.ts';
import { pathOfUri } from './paths/file-uri.ts';
import { REAL } from './paths/naming.ts';
import type { Boundary, RootMode, RootState } from './root-directory.ts';

/** A directory that the client names, inside one of the operator's if there are any. It counts for one call. */
export class ClientRoot implements Boundary {
  readonly path: string;
  readonly realPath: string;
  readonly uri: string;
  readonly from = 'client';
  readonly ground: Ground;
  readonly device: bigint;
  readonly #heldPath: string;
  readonly #within: OperatorRoot | undefined;

  /** @param within the operator's directory that holds it */
  constructor(
    { path: named, realPath, heldPath, device }: NamedDirectory,
    within: OperatorRoot | undefined,
    guarantee: Guarantee,
  ) {
    this.path = named;
    this.realPath = realPath;
    this.device = device;
    this.#heldPath = heldPath;
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

  heldPath(): string {
    return this.#heldPath;
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
  /** {@link NamedDirectory.realPath} in the spelling that the kernel reports. */
  readonly heldPath: string;
  readonly device: bigint;
}

/**
 * Resolves the directory of a client's URI, inside a directory of the operator or not. Resolves to `undefined` unless the URI names
 * an existing directory of this machine.
 */
export async function clientDirectory(uri: string, operators: readonly OperatorRoot[]): Promise<NamedDirectory | undefined> {
  const named = pathOfUri(uri);
  if (named === undefined) return undefined;
  const absolute = path.resolve(named);
  const calls = callsFor(absolute);
  try {
    const heldPath = await calls.realpath(absolute);
    const facts = await calls.stat(heldPath);
    if (!facts.isDirectory() || heldPath.includes('\uFFFD')) return undefined;
    const isWithin = operators.some(({ realPath }) => isContained(realPath, heldPath, REAL));
    const realPath = isWithin ? await listedBelow(operators, heldPath, calls) : await listedPath(calls, heldPath);
    return { path: absolute, realPath, heldPath, device: facts.dev };
  } catch {
    return undefined;
  }
}
