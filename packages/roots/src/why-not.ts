import type { BigIntStats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';

import { nearest, ToolError } from '@org/mcp-decorators';

import { errorCode } from './error-code.ts';
import { notFound, refused } from './failures.ts';
import type { Hold } from './hold/anchor.ts';
import type { Calls } from './hold/calls.ts';

/** As many links as Linux follows before it answers ELOOP. */
const MAX_LINKS = 40;

/** In a directory with more entries no similar name is looked for: that would take long. */
const MOST_GUESSES = 1000;

/** A path that could not be found. */
export interface Lost {
  /** As the caller spelled it. */
  readonly given: string;
  /** Absolute and normalised. */
  readonly target: string;
  readonly error: unknown;
}

/** What of the roots an explanation needs. */
export interface Bounds {
  readonly calls: Calls;
  readonly hold: Hold;
  /** The error for a path that is not inside. */
  readonly outside: ToolError;
  readonly holds: (real: string) => boolean;
  /** Why what is there may not be looked into; `undefined`: it may. */
  readonly refusal: (real: string, facts: BigIntStats) => ToolError | undefined;
  /** Returns a real path with each name as its directory lists it. */
  readonly listed: (real: string) => Promise<string>;
  readonly isRoot: (absolute: string) => boolean;
  readonly forbids: (absolute: string) => string | undefined;
}

/** Why a path did not resolve. A link that leads out must not tell what is there, whichever error it came to. */
export async function whyNot({ given, target, error }: Lost, bounds: Bounds): Promise<ToolError> {
  const entry = await deepestEntry(target, bounds);
  const code = errorCode(error);
  if (code !== 'ENOTDIR' && code !== 'ENOENT')
    return (await staysInside(entry, bounds, MAX_LINKS)) ? refused(given, error) : bounds.outside;
  const [missing] = path.relative(entry, target).split(path.sep);
  const near = await namesNear(missing ?? '', entry, bounds);
  if (near === undefined) return bounds.outside;
  return ToolError.is(near) ? near : notFound(given, near);
}

/** Names of an entry that are like one it has not, or why it may not be looked into; `undefined` if that cannot be told. */
async function namesNear(
  missing: string,
  entry: string,
  { hold, listed, refusal, forbids }: Bounds,
): Promise<readonly string[] | ToolError | undefined> {
  // What is listed is what was held: somebody may put another directory in its place.
  const anchor = await attempt((target) => hold(target, true), entry);
  if (anchor === undefined) return undefined;
  try {
    const real = await listed(await anchor.real());
    const refused = refusal(real, anchor.facts);
    if (refused !== undefined) return refused;
    const names = missing === '' ? [] : await namesIn(await anchor.at());
    // Without a descriptor, another directory may have been listed.
    await anchor.real();
    const near = nearest(
      missing,
      names.filter((name) => forbids(path.join(real, name)) === undefined),
    );
    return near === undefined ? [] : [near];
  } catch {
    return undefined;
  } finally {
    await anchor.close();
  }
}

/** Whether an entry that does not resolve is inside as far as its links can be followed. */
async function staysInside(entry: string, bounds: Bounds, hops: number): Promise<boolean> {
  if (bounds.isRoot(entry)) return true;
  const directory = await attempt(bounds.calls.realpath, path.dirname(entry));
  const listed = directory && (await attempt(bounds.listed, path.join(directory, path.basename(entry))));
  if (directory === undefined || listed === undefined || !bounds.holds(listed)) return false;
  const link = await attempt(bounds.calls.readlink, entry);
  if (link === undefined || hops === 0) return true;
  return staysInside(await deepestEntry(path.resolve(directory, link), bounds), bounds, hops - 1);
}

/** The deepest part of a path that is there at all, a dangling link included. */
export async function deepestEntry(target: string, { calls }: Pick<Bounds, 'calls'>): Promise<string> {
  // From the top: a path of a million levels that are not there costs one look.
  let current = path.parse(target).root;
  for (const name of target.slice(current.length).split(path.sep)) {
    const next = path.join(current, name);
    if ((await attempt(calls.lstat, next)) === undefined) break;
    current = next;
  }
  return current;
}

async function attempt<Value>(call: (target: string) => Value | Promise<Value>, target: string): Promise<Value | undefined> {
  try {
    return await call(target);
  } catch {
    return undefined;
  }
}

/** None of one that is large or cannot be read. */
async function namesIn(directory: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(directory)) {
      if (names.push(name) > MOST_GUESSES) return [];
    }
  } catch {
    return [];
  }
  return names;
}
