import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import {
  createAmbiguousNameError,
  createDeniedError,
  createGitConfigurationError,
  createInvalidPathError,
  createIsDirectoryError,
  createParentNotFoundError,
  createReadOnlyError,
  toToolError,
  quotePath,
} from '../errors/path-errors.ts';
import { isSameFile } from '../pinning/pinned-path.ts';
import { isGitConfiguration } from '../policy/git-names.ts';
import { removeLastName, findNamesOnDisk } from '../resolving/names-on-disk.ts';
import type { Resolver } from '../resolving/resolver.ts';
import { openResolvedDirectory, type OpenDirectory } from './open-directory.ts';

/** A name in a verified directory, as the directory lists it, whether or not the name exists. */
export class PathEntry implements AsyncDisposable {
  readonly directory: OpenDirectory;
  readonly name: string;
  /** The path as clients see it. */
  readonly shown: string;
  /** Stats at the time of the lookup (of a link, not of its target); `undefined` if the name does not exist. */
  readonly facts: BigIntStats | undefined;

  /**
   * The name as the caller wrote it. It differs from {@link PathEntry.name} if the file system treats both as equal.
   * Used only by a rename that changes the spelling.
   */
  readonly asked: string;

  constructor(directory: OpenDirectory, name: string, { shown, facts, asked }: Pick<PathEntry, 'shown' | 'facts' | 'asked'>) {
    this.directory = directory;
    this.name = name;
    this.shown = shown;
    this.facts = facts;
    this.asked = asked;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.directory[Symbol.asyncDispose]();
  }
}

/** Maximum number of attempts for a link whose target changes during each attempt. */
const MAX_ATTEMPTS = 5;

/** Finds the entry to which content is written. A link at the end of the path is followed. */
export async function findEntryToWrite(resolver: Resolver, given: string): Promise<PathEntry> {
  if (resolver.locate(given).names.length === 0) throw createIsDirectoryError(given);
  if (given.endsWith(path.sep)) throw createInvalidPathError('the path ends with a separator, like the path of a directory');
  requireNoConfiguration(resolver, given);
  for (let look = 0; look < MAX_ATTEMPTS; look += 1) {
    const place = await resolveEntry(resolver, given);
    const target =
      place.facts?.isSymbolicLink() === true ? await disposeAfter(place, () => findLinkTarget(resolver, given)) : place;
    if (target !== undefined) return requireWritable(target, given);
  }
  throw new ToolError('IO', `${quotePath(given)} is a link whose target keeps changing`);
}

/** Finds the entry itself, without following a link, for a call that examines the entry. */
export async function findEntry(resolver: Resolver, given: string): Promise<PathEntry> {
  if (resolver.locate(given).names.length === 0) throw createDeniedError(given, 'is an allowed directory');
  return resolveEntry(resolver, given);
}

/** Finds the entry itself, without following a link, for a call that moves, removes or creates the entry. */
export async function findEntryToMove(resolver: Resolver, given: string): Promise<PathEntry> {
  requireNoConfiguration(resolver, given);
  return requireWritable(await findEntry(resolver, given), given);
}

export async function makeDirectories(resolver: Resolver, given: string): Promise<OpenDirectory> {
  const located = resolver.locate(given);
  const { names, conflict } = await findNamesOnDisk(located);
  const top = { ...located, names: [], target: located.directory.path };
  let directory = await openResolvedDirectory(await resolver.resolve(given, top), resolver);
  for (const [index, name] of names.entries()) {
    const location = names.slice(0, index + 1);
    const below = { ...located, names: location, target: path.join(located.directory.path, ...location) };
    directory = await disposeAfter(directory, async () => {
      if (conflict?.index === index) throw createAmbiguousNameError(given, conflict.names);
      const facts = await directory.facts(name);
      if (facts === undefined) await makeIfMissing(directory, name);
      if (facts?.isSymbolicLink() !== true) return directory.openDirectory(name);
      return openResolvedDirectory(await resolver.resolve(given, below), resolver);
    });
  }
  return directory;
}

async function resolveEntry(resolver: Resolver, given: string): Promise<PathEntry> {
  const located = resolver.locate(given);
  const onDisk = await findNamesOnDisk(located);
  const { names, conflict, unlisted } = onDisk;
  const name = names.at(-1) ?? '';
  const above = { ...located, names: names.slice(0, -1), target: path.dirname(located.target) };
  const resolved = await resolver.resolve(given, above, { onDisk: removeLastName(onDisk) }).catch((error: unknown) => {
    throw ToolError.is(error) && error.code === 'NOT_FOUND' ? createParentNotFoundError(given, error) : error;
  });
  const directory = await openResolvedDirectory(resolved, resolver);
  try {
    if (conflict?.index === names.length - 1) throw createAmbiguousNameError(given, conflict.names);
    const facts = await directory.facts(name);
    if (unlisted !== undefined && facts !== undefined) throw unlisted.error;
    const asked = located.names.at(-1) ?? name;
    return new PathEntry(directory, name, { shown: path.join(directory.shown, name), facts, asked });
  } catch (error) {
    await directory[Symbol.asyncDispose]();
    throw toToolError(given, error);
  }
}

/** Follows a link. @throws ToolError DENIED_BY_POLICY for a dangling link */
function findLinkTarget(resolver: Resolver, given: string): Promise<PathEntry | undefined> {
  return resolveLinkTarget(resolver, given).catch((error: unknown) => {
    const isDangling = ToolError.is(error) && error.code === 'NOT_FOUND';
    throw isDangling ? createDeniedError(given, 'is a symbolic link to a path that does not exist') : error;
  });
}

/** Follows a link. Returns `undefined` if the target changed while it was being resolved. */
async function resolveLinkTarget(resolver: Resolver, given: string): Promise<PathEntry | undefined> {
  const { pinned, real, shown } = await resolver.resolve(given);
  try {
    if (pinned.facts.isDirectory()) throw createIsDirectoryError(given);
    const above = resolver.locateReal(path.dirname(real), given);
    const directory = await openResolvedDirectory(await resolver.resolve(given, above), resolver);
    const name = path.basename(real);
    const facts = await directory.facts(name);
    if (facts !== undefined && isSameFile(facts, pinned.facts))
      return new PathEntry(directory, name, { shown, facts, asked: name });
    await directory[Symbol.asyncDispose]();
    return undefined;
  } finally {
    await pinned.close();
  }
}

/**
 * Rejects the path of a configuration file that git reads. The path is compared as given, because git opens the file by this
 * path. A link to the same file at another path is not recognised.
 * @throws ToolError DENIED_BY_POLICY
 */
function requireNoConfiguration(resolver: Resolver, given: string): void {
  if (resolver.rules.gitDirectories === 'allow') return;
  if (isGitConfiguration(resolver.locate(given).target.split(path.sep))) throw createGitConfigurationError(given);
}

async function requireWritable(place: PathEntry, given: string): Promise<PathEntry> {
  if (place.directory.mode === 'rw') return place;
  await place[Symbol.asyncDispose]();
  throw createReadOnlyError(given);
}

async function makeIfMissing(directory: OpenDirectory, name: string): Promise<void> {
  try {
    await directory.makeDirectory(name);
  } catch (error) {
    if (!ToolError.is(error) || error.code !== 'ALREADY_EXISTS') throw error;
  }
}

async function disposeAfter<Value>(resource: AsyncDisposable, next: () => Promise<Value>): Promise<Value> {
  try {
    return await next();
  } finally {
    await resource[Symbol.asyncDispose]();
  }
}
