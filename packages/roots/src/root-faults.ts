import path from 'node:path';

import { clientDirectory } from './client-root.ts';
import { callsFor } from './hold/mounts.ts';
import type { OperatorRoot } from './operator-root.ts';
import { isContained } from './paths/contained.ts';
import { pathOfUri } from './paths/file-uri.ts';

/** A root of a client, and why it cannot be used whatever the operator's directories are. */
export interface CheckedRoot {
  /** Its path, or the URI if the URI has no path. */
  readonly name: string;
  readonly fault: RootFault | undefined;
}

type RootFault = 'is not a file: URI' | 'is not a valid file: URI' | 'does not exist' | 'is not a directory';

/** Checks for existence inside the operator's directories only, so that a client cannot probe paths elsewhere. */
export async function checkRoots(uris: readonly string[], operators: readonly OperatorRoot[]): Promise<readonly CheckedRoot[]> {
  return Promise.all(
    uris.map(async (uri) => {
      const named = pathOfUri(uri);
      if (named === undefined) return { name: uri, fault: faultOfUri(uri) };
      const isInside = operators.some(({ path: one, realPath }) => isContained(one, named) || isContained(realPath, named));
      const isUsable = !isInside || (await clientDirectory(uri, operators)) !== undefined;
      return { name: named, fault: isUsable ? undefined : await faultOfPath(path.resolve(named)) };
    }),
  );
}

function faultOfUri(uri: string): RootFault {
  return uri.startsWith('file:') ? 'is not a valid file: URI' : 'is not a file: URI';
}

async function faultOfPath(absolute: string): Promise<RootFault> {
  try {
    await callsFor(absolute).stat(absolute);
    return 'is not a directory';
  } catch {
    return 'does not exist';
  }
}
