import path from 'node:path';

import type { Calls } from './hold/calls.ts';
import { listedNames } from './hold/listed-name.ts';
import { isContained, namesBelow } from './paths/contained.ts';
import { FOLDED, REAL } from './paths/naming.ts';
import type { Boundary } from './root-directory.ts';

/** A directory whose listed path is known. */
interface Base {
  readonly realPath: string;
  readonly names: readonly string[];
}

/**
 * Returns a real path with each name as its directory lists it. A path outside all roots does not change.
 *
 * @param real the path in the spelling that the kernel reports
 * @throws Error ENOENT for a name that exists and is not listed
 */
export async function listedBelow(roots: readonly Boundary[], real: string, calls: Calls): Promise<string> {
  const base = nearest(roots, real) ?? (await respelled(roots, real));
  if (base === undefined) return real;
  const way = base.names.length === 0 ? real : path.join(real, ...base.names.map(() => '..'));
  return path.join(base.realPath, ...(await listedNames(calls, way, base.names)));
}

function nearest(roots: readonly Boundary[], real: string): Base | undefined {
  let best: Base | undefined;
  for (const { realPath } of roots) {
    const names = namesBelow(realPath, real, REAL);
    if (names !== undefined && names.length < (best?.names.length ?? Infinity)) best = { realPath, names };
  }
  return best;
}

/**
 * The kernel may report another spelling of a root after a process has opened the root by it. The open root gives the current one.
 */
async function respelled(roots: readonly Boundary[], real: string): Promise<Base | undefined> {
  for (const root of roots) {
    if (!isContained(root.realPath, real, FOLDED)) continue;
    const held = await root.heldPath();
    const names = isContained(root.realPath, held, FOLDED) ? namesBelow(held, real, REAL) : undefined;
    if (names !== undefined) return { realPath: root.realPath, names };
  }
  return undefined;
}
