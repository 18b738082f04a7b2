import { realpathSync } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

import { parseFileUri, type Roots } from '@org/mcp-roots';
import { directoryResource, fileResource, type WatchTarget, type WatchedResource } from '@org/mcp-watch';

/**
 * Creates the watch target of a `file:` URI: the content of a file or the entries of a directory. Returns `undefined` for any
 * other URI, and for a path that is missing or outside the roots.
 *
 * While the roots do not allow the path, the resource counts as removed.
 */
export async function createWatchTarget(roots: Roots, uri: string): Promise<WatchedResource | undefined> {
  const given = parseFileUri(uri);
  const real = given && (await resolvePath(roots, given));
  if (given === undefined || real === undefined) return undefined;
  const watched = await createTargetAt(real, findRoot(roots, real));
  return {
    key: `${watched.key}:${given}`,
    targets: [...watched.targets, ...(await findLinks(given, real))],
    fingerprint: fingerprintAllowed(roots, { given, real, watched }),
  };
}

/** Creates the watch target of all roots. It changes when a root appears, disappears or is replaced. */
export function createRootsTarget({ directories }: Roots): WatchedResource {
  return {
    key: 'roots',
    targets: directories.map(({ realPath }) => ({ kind: 'file', path: realPath })),
    fingerprint: async () => (await Promise.all(directories.map((root) => root.state()))).join(' '),
  };
}

interface Watched {
  readonly given: string;
  /** Real path at the time of the subscription. */
  readonly real: string;
  /** The resource that watches {@link Watched.real}. */
  readonly watched: WatchedResource;
}

/**
 * Returns a function that computes the fingerprint of the resource. The function resolves the path in the roots again, unless the
 * state is unchanged and the path last resolved to `real`. Checks of thousands of unchanged files must be fast.
 */
function fingerprintAllowed(roots: Roots, { given, real, watched }: Watched): WatchedResource['fingerprint'] {
  let last: { readonly state: string; readonly path: string | undefined; readonly fingerprint: string } | undefined;
  const check = async (state: string): Promise<string> => {
    const current = await resolvePath(roots, given);
    const fingerprint = current === undefined ? 'absent' : `${current} ${current === real ? state : await readState(current)}`;
    last = { state, path: current, fingerprint };
    return fingerprint;
  };
  const checkIfChanged = (state: string): string | Promise<string> =>
    last?.state === state && last.path === real ? last.fingerprint : check(state);
  const readRealPath = given === real ? () => '' : () => resolveLinks(given);
  return () => {
    const realPath = readRealPath();
    const state = watched.fingerprint();
    return typeof state === 'string' ? checkIfChanged(realPath + state) : state.then((later) => checkIfChanged(realPath + later));
  };
}

async function resolvePath(roots: Roots, given: string): Promise<string | undefined> {
  return roots.resolveExisting(given).then(
    ({ real }) => real,
    () => undefined,
  );
}

async function createTargetAt(real: string, root?: string): Promise<WatchedResource> {
  const facts = await stat(real).catch(() => undefined);
  return facts?.isDirectory() === true ? directoryResource(real, root) : fileResource(real, root);
}

async function readState(real: string): Promise<string> {
  return (await createTargetAt(real)).fingerprint();
}

function findRoot({ directories }: Roots, real: string): string | undefined {
  return directories.map(({ realPath }) => realPath).find((root) => real === root || real.startsWith(path.join(root, path.sep)));
}

/** Finds the links on a path: a new target of a link is a change of the resource. */
async function findLinks(given: string, real: string): Promise<readonly WatchTarget[]> {
  const links: WatchTarget[] = [];
  for (let at = given; given !== real && at !== path.dirname(at); at = path.dirname(at)) {
    const facts = await lstat(at).catch(() => undefined);
    if (facts?.isSymbolicLink() !== true) continue;
    links.push({ kind: 'file', path: path.join(await realpath(path.dirname(at)), path.basename(at)) });
  }
  return links;
}

function resolveLinks(given: string): string {
  try {
    return realpathSync.native(given);
  } catch {
    return '';
  }
}
