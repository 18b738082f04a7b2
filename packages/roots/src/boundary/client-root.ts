import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { createRootUnavailableError } from '../errors/path-errors.ts';
import { isContained, namesBelow } from '../paths/containment.ts';
import { parseFileUri } from '../paths/file-uri.ts';
import { REAL } from '../paths/naming.ts';
import { findListedPath } from '../pinning/listed-name.ts';
import { selectCalls } from '../pinning/mounts.ts';
import { type Guarantee, createBackend, type RootBackend } from '../pinning/pinned-path.ts';
import { findListedPathBelow } from './listed-path-below.ts';
import type { OperatorRoot } from './operator-root.ts';
import type { Boundary, RootMode, RootState } from './root-directory.ts';

/**
 * The directory of a client's root, for one call. The directory is inside a directory of the operator, unless the operator gave
 * no directories.
 */
export class ClientRoot implements Boundary {
  readonly path: string;
  readonly realPath: string;
  readonly uri: string;
  readonly from = 'client';
  readonly backend: RootBackend;
  readonly device: bigint;
  readonly #kernelPath: string;
  readonly #within: OperatorRoot | undefined;

  /** @param within the operator's directory that contains the root; `undefined` if the operator named no directories */
  constructor(
    { path: named, realPath, kernelPath, device }: ClientDirectory,
    within: OperatorRoot | undefined,
    guarantee: Guarantee,
  ) {
    this.path = named;
    this.realPath = realPath;
    this.device = device;
    this.#kernelPath = kernelPath;
    this.uri = pathToFileURL(named).href;
    this.backend = within?.backend ?? createBackend(realPath, guarantee);
    this.#within = within;
  }

  get mode(): RootMode {
    return this.#within?.mode ?? 'rw';
  }

  async state(): Promise<RootState> {
    if (this.#within !== undefined) return this.#within.state();
    try {
      const facts = await this.backend.calls.stat(this.realPath);
      return facts.isDirectory() ? 'available' : 'unavailable';
    } catch {
      return 'unavailable';
    }
  }

  kernelPath(): string {
    return this.#kernelPath;
  }

  async accessPath(names: readonly string[]): Promise<string> {
    if (this.#within === undefined) return path.join(this.realPath, ...names);
    const location = namesBelow(this.#within.realPath, this.realPath);
    if (location === undefined) throw createRootUnavailableError(this.path);
    return this.#within.accessPath([...location, ...names]);
  }
}

/** The existing directory of a client's root. */
export interface ClientDirectory {
  readonly path: string;
  readonly realPath: string;
  /** {@link ClientDirectory.realPath} in the spelling that the kernel reports. */
  readonly kernelPath: string;
  readonly device: bigint;
}

/**
 * Resolves the URI of a client's root, whether or not a directory of the operator contains it. Resolves to `undefined`
 * unless the URI names an existing directory on this machine.
 */
export async function resolveClientDirectory(
  uri: string,
  operators: readonly OperatorRoot[],
): Promise<ClientDirectory | undefined> {
  const named = parseFileUri(uri);
  if (named === undefined) return undefined;
  const absolute = path.resolve(named);
  const calls = selectCalls(absolute);
  try {
    const kernelPath = await calls.realpath(absolute);
    const facts = await calls.stat(kernelPath);
    if (!facts.isDirectory() || kernelPath.includes('\uFFFD')) return undefined;
    const isWithin = operators.some(({ realPath }) => isContained(realPath, kernelPath, REAL));
    const realPath = isWithin ? await findListedPathBelow(operators, kernelPath, calls) : await findListedPath(calls, kernelPath);
    return { path: absolute, realPath, kernelPath, device: facts.dev };
  } catch {
    return undefined;
  }
}
