import path from 'node:path';

import { isContained, namesBelow } from '../paths/containment.ts';
import { FOLDED, REAL } from '../paths/naming.ts';
import type { FileSystemCalls } from '../pinning/file-system-calls.ts';
import { findListedNames } from '../pinning/listed-name.ts';
import type { Boundary } from './root-directory.ts';

/** A directory whose listed path is known. */
interface ListedBase {
  readonly realPath: string;
  readonly names: readonly string[];
}

/**
 * Returns a real path with each name as its directory lists it. A path outside all roots does not change.
 * @param real the path in the spelling that the kernel reports
 * @throws Error ENOENT for a name that exists but that its directory does not list
 */
export async function findListedPathBelow(roots: readonly Boundary[], real: string, calls: FileSystemCalls): Promise<string> {
  const base = findNearestRoot(roots, real) ?? (await findRespelledRoot(roots, real));
  if (base === undefined) return real;
  const location = base.names.length === 0 ? real : path.join(real, ...base.names.map(() => '..'));
  return path.join(base.realPath, ...(await findListedNames(calls, location, base.names)));
}

function findNearestRoot(roots: readonly Boundary[], real: string): ListedBase | undefined {
  let best: ListedBase | undefined;
  for (const { realPath } of roots) {
    const names = namesBelow(realPath, real, REAL);
    if (names !== undefined && names.length < (best?.names.length ?? Infinity)) best = { realPath, names };
  }
  return best;
}

/**
 * Finds the root of a path that the kernel reports in another spelling: it may report the spelling under which any process opened
 * the root. The path is therefore compared with the spelling that the kernel reports for the pinned root.
 */
async function findRespelledRoot(roots: readonly Boundary[], real: string): Promise<ListedBase | undefined> {
  for (const root of roots) {
    if (!isContained(root.realPath, real, FOLDED)) continue;
    const kernelPath = await root.kernelPath();
    const names = isContained(root.realPath, kernelPath, FOLDED) ? namesBelow(kernelPath, real, REAL) : undefined;
    if (names !== undefined) return { realPath: root.realPath, names };
  }
  return undefined;
}
