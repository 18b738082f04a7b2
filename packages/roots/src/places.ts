import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import {
  ambiguous,
  denied,
  gitConfiguration,
  invalidPath,
  isDirectory,
  noDirectory,
  readOnly,
  refused,
  spelled,
} from './failures.ts';
import { openDirectoryOf, type OpenDirectory } from './handles/open-directory.ts';
import { Place } from './handles/place.ts';
import { isSame } from './hold/anchor.ts';
import { aboveLast, namesOnDisk } from './names-on-disk.ts';
import { isGitConfiguration } from './policy/git-names.ts';
import type { Resolver } from './resolver.ts';

/** As often a path is looked at again that leads elsewhere each time. */
const LOOKS = 5;

/** Where content is to go: what a link at the end leads to. */
export async function placeToWrite(resolver: Resolver, given: string): Promise<Place> {
  if (resolver.locate(given).names.length === 0) throw isDirectory(given);
  if (given.endsWith(path.sep)) throw invalidPath('the path ends like that of a directory');
  requireNoConfiguration(resolver, given);
  for (let look = 0; look < LOOKS; look += 1) {
    const place = await entryOf(resolver, given);
    const target = place.facts?.isSymbolicLink() === true ? await leaving(place, () => targetOf(resolver, given)) : place;
    if (target !== undefined) return writable(target, given);
  }
  throw new ToolError('IO', `${spelled(given)} leads elsewhere each time it is looked at`);
}

/** Finds the entry itself, without following a link, to examine it. */
export async function entryAt(resolver: Resolver, given: string): Promise<Place> {
  if (resolver.locate(given).names.length === 0) throw denied(given, 'is an allowed directory');
  return entryOf(resolver, given);
}

/** The entry itself, for it to be moved or removed, or for another one to come there. */
export async function placeToMove(resolver: Resolver, given: string): Promise<Place> {
  requireNoConfiguration(resolver, given);
  return writable(await entryAt(resolver, given), given);
}

/** A directory and all that leads to it, made where they are missing. */
export async function makeDirectories(resolver: Resolver, given: string): Promise<OpenDirectory> {
  const located = resolver.locate(given);
  const { names, twins } = await namesOnDisk(located);
  const top = { ...located, names: [], target: located.directory.path };
  let directory = await openDirectoryOf(await resolver.find(given, top), resolver);
  for (const [index, name] of names.entries()) {
    const way = names.slice(0, index + 1);
    const below = { ...located, names: way, target: path.join(located.directory.path, ...way) };
    directory = await leaving(directory, async () => {
      if (twins?.index === index) throw ambiguous(given, twins.names);
      const facts = await directory.facts(name);
      if (facts === undefined) await makeUnlessThere(directory, name);
      if (facts?.isSymbolicLink() !== true) return directory.openDirectory(name);
      return openDirectoryOf(await resolver.find(given, below), resolver);
    });
  }
  return directory;
}

/** A name in the directory that its path leads to. */
async function entryOf(resolver: Resolver, given: string): Promise<Place> {
  const located = resolver.locate(given);
  const onDisk = await namesOnDisk(located);
  const { names, twins, unlisted } = onDisk;
  const name = names.at(-1) ?? '';
  const above = { ...located, names: names.slice(0, -1), target: path.dirname(located.target) };
  const found = await resolver.find(given, above, aboveLast(onDisk)).catch((error: unknown) => {
    throw ToolError.is(error) && error.code === 'NOT_FOUND' ? noDirectory(given, error) : error;
  });
  const directory = await openDirectoryOf(found, resolver);
  try {
    if (twins?.index === names.length - 1) throw ambiguous(given, twins.names);
    const facts = await directory.facts(name);
    if (unlisted !== undefined && facts !== undefined) throw unlisted.error;
    const asked = located.names.at(-1) ?? name;
    return new Place(directory, name, { shown: path.join(directory.shown, name), facts, asked });
  } catch (error) {
    await directory[Symbol.asyncDispose]();
    throw refused(given, error);
  }
}

/** Where a link leads; `undefined` if that changed meanwhile. */
async function targetOf(resolver: Resolver, given: string): Promise<Place | undefined> {
  const { anchor, real, shown } = await resolver.find(given);
  try {
    if (anchor.facts.isDirectory()) throw isDirectory(given);
    const above = resolver.locateReal(path.dirname(real), given);
    const directory = await openDirectoryOf(await resolver.find(given, above), resolver);
    const name = path.basename(real);
    const facts = await directory.facts(name);
    if (facts !== undefined && isSame(facts, anchor.facts)) return new Place(directory, name, { shown, facts, asked: name });
    await directory[Symbol.asyncDispose]();
    return undefined;
  } finally {
    await anchor.close();
  }
}

/**
 * The path that git opens counts, whatever its links lead to. A link at another path of the same file is not recognised.
 *
 * @throws ToolError DENIED_BY_POLICY
 */
function requireNoConfiguration(resolver: Resolver, given: string): void {
  if (resolver.bounded.gitDirectories === 'allow') return;
  if (isGitConfiguration(resolver.locate(given).target.split(path.sep))) throw gitConfiguration(given);
}

async function writable(place: Place, given: string): Promise<Place> {
  if (place.directory.mode === 'rw') return place;
  await place[Symbol.asyncDispose]();
  throw readOnly(given);
}

async function makeUnlessThere(directory: OpenDirectory, name: string): Promise<void> {
  try {
    await directory.makeDirectory(name);
  } catch (error) {
    if (!ToolError.is(error) || error.code !== 'ALREADY_EXISTS') throw error;
  }
}

/** Does what comes next, and lets go of what was held for it. */
async function leaving<Value>(held: AsyncDisposable, next: () => Promise<Value>): Promise<Value> {
  try {
    return await next();
  } finally {
    await held[Symbol.asyncDispose]();
  }
}
