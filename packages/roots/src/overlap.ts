import path from 'node:path';

import { callsFor } from './hold/mounts.ts';
import type { Calls } from './hold/calls.ts';
import { isContained } from './paths/contained.ts';
import { pathOfUri } from './paths/file-uri.ts';
import type { Named } from './paths/locate.ts';
import { deepestEntry } from './why-not.ts';

/** Longer chains of links end with ELOOP on every platform. */
const MAX_LINKS = 40;

/**
 * Whether a root of a client is, contains or is inside one of the directories, even if nothing exists at the root now: a project
 * that was deleted must not lift the limits that its client had. A `file:` URI that names no path, such as one with `..`, counts as
 * an overlap for the same reason.
 */
export async function overlapsAny(uris: readonly string[], directories: readonly Named[]): Promise<boolean> {
  if (uris.some((uri) => /^file:/i.test(uri) && pathOfUri(uri) === undefined)) return true;
  const places = await Promise.all(uris.map(placeOf));
  return places.some((place) => place !== undefined && directories.some(({ realPath }) => overlap(place, realPath)));
}

function overlap(one: string, other: string): boolean {
  return isContained(one, other) || isContained(other, one);
}

async function placeOf(uri: string): Promise<string | undefined> {
  const named = pathOfUri(uri);
  if (named === undefined) return undefined;
  const absolute = path.resolve(named);
  return realPlaceOf(absolute, callsFor(absolute));
}

/** Real path of a name, whose last parts may be missing. */
async function realPlaceOf(absolute: string, calls: Calls, links = 0): Promise<string> {
  const entry = await deepestEntry(absolute, { calls });
  const missing = path.relative(entry, absolute);
  const real = await attempt(() => calls.realpath(entry));
  if (real !== undefined) return path.join(real, missing);
  // A link to something that was deleted.
  const target = links < MAX_LINKS ? await attempt(() => calls.readlink(entry)) : undefined;
  if (target === undefined) return absolute;
  return realPlaceOf(path.join(path.resolve(path.dirname(entry), target), missing), calls, links + 1);
}

async function attempt(call: () => string | Promise<string>): Promise<string | undefined> {
  try {
    return await call();
  } catch {
    return undefined;
  }
}
