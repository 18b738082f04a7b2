import type { BigIntStats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';

import { findNearestName, ToolError } from '@org/mcp-decorators';

import { errorCode } from '../errors/error-code.ts';
import { createDanglingLinkError, createNotFoundError, toToolError } from '../errors/path-errors.ts';
import { attempt, findDeepestEntry } from '../pinning/deepest-entry.ts';
import type { FileSystemCalls } from '../pinning/file-system-calls.ts';
import type { Pin } from '../pinning/pinned-path.ts';

/** Maximum number of links that Linux follows before it reports ELOOP. */
const MAX_LINKS = 40;

/** Maximum number of entries of a directory in which a similar name is looked for. */
const MAX_COMPARED_ENTRIES = 1000;

/** Maximum number of denied names that are skipped to find a similar name. */
const MAX_DENIED = 10;

/** Number of entries per read. */
const BUFFERED = 256;

/** A path that could not be resolved. */
export interface UnresolvedPath {
  /** The path as the caller wrote it. */
  readonly given: string;
  /** Absolute and normalised. */
  readonly target: string;
  readonly error: unknown;
  /** Whether the error for a missing path contains no similar name. */
  readonly omitsSimilarName: boolean | undefined;
}

/** The rules of the roots that an explanation uses. */
export interface ExplanationRules {
  readonly calls: FileSystemCalls;
  readonly pin: Pin;
  /** The error for a path outside the roots. */
  readonly outside: ToolError;
  readonly contains: (real: string) => boolean;
  /** Returns the error if a file must not be examined; `undefined` if it may be examined. */
  readonly findRefusal: (real: string, facts: BigIntStats) => ToolError | undefined;
  /** Returns a real path with each name as its directory lists it. */
  readonly findListedPath: (real: string) => Promise<string>;
  readonly isRoot: (absolute: string) => boolean;
  readonly explainDenial: (absolute: string) => string | undefined;
}

/**
 * Returns the error for a path that could not be resolved. For a link that points outside the roots, no error may
 * reveal what exists at its target.
 */
export async function explainUnresolved(
  { given, target, error, omitsSimilarName }: UnresolvedPath,
  rules: ExplanationRules,
): Promise<ToolError> {
  const entry = await findDeepestEntry(target, rules.calls);
  const code = errorCode(error);
  if (code !== 'ENOTDIR' && code !== 'ENOENT')
    return (await staysInside(entry, rules, MAX_LINKS)) ? toToolError(given, error) : rules.outside;
  const [missing] = path.relative(entry, target).split(path.sep);
  const near = await suggestNames(omitsSimilarName === true ? '' : (missing ?? ''), entry, rules);
  if (near === undefined) return (await isDanglingInside(entry, rules)) ? createDanglingLinkError(given) : rules.outside;
  return ToolError.is(near) ? near : createNotFoundError(given, near);
}

/**
 * Returns a list with the existing name that is most similar to a missing name, or an empty list. Returns the refusal if the
 * directory must not be read, and `undefined` if the directory cannot be verified.
 */
async function suggestNames(
  missing: string,
  entry: string,
  { pin, findListedPath, findRefusal, explainDenial }: ExplanationRules,
): Promise<readonly string[] | ToolError | undefined> {
  // Another process may swap the directory, so the pinned directory is listed.
  const pinned = await attempt((target) => pin(target, true), entry);
  if (pinned === undefined) return undefined;
  try {
    const real = await findListedPath(await pinned.realPath());
    const refused = findRefusal(real, pinned.facts);
    if (refused !== undefined) return refused;
    const names = missing === '' ? [] : await readNames(await pinned.pathTo());
    // The path is verified again: without a descriptor, another directory may have been listed.
    await pinned.realPath();
    return findPermittedName(missing, names, (name) => explainDenial(path.join(real, name)) === undefined);
  } catch {
    return undefined;
  } finally {
    await pinned.close();
  }
}

/**
 * Returns a list with the most similar name that is permitted, or an empty list. The policy is checked last, because that takes longer
 * than a comparison.
 */
function findPermittedName(missing: string, names: readonly string[], isPermitted: (name: string) => boolean): readonly string[] {
  let candidates = names;
  for (let tries = 0; tries < MAX_DENIED; tries += 1) {
    const near = findNearestName(missing, candidates);
    if (near === undefined) return [];
    if (isPermitted(near)) return [near];
    candidates = candidates.filter((name) => name !== near);
  }
  return [];
}

async function isDanglingInside(entry: string, rules: ExplanationRules): Promise<boolean> {
  const isLink = (await attempt(rules.calls.readlink, entry)) !== undefined;
  return isLink && staysInside(entry, rules, MAX_LINKS);
}

/** Returns whether an unresolved entry is inside the roots as far as its links can be followed. */
async function staysInside(entry: string, rules: ExplanationRules, hops: number): Promise<boolean> {
  if (rules.isRoot(entry)) return true;
  const directory = await attempt(rules.calls.realpath, path.dirname(entry));
  const listed = directory && (await attempt(rules.findListedPath, path.join(directory, path.basename(entry))));
  if (directory === undefined || listed === undefined || !rules.contains(listed)) return false;
  const link = await attempt(rules.calls.readlink, entry);
  if (link === undefined || hops === 0) return true;
  return staysInside(await findDeepestEntry(path.resolve(directory, link), rules.calls), rules, hops - 1);
}

/** Returns the names in a directory, or an empty list for a directory that is too large or cannot be read. */
async function readNames(directory: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(directory, { bufferSize: BUFFERED })) {
      if (names.push(name) > MAX_COMPARED_ENTRIES) return [];
    }
  } catch {
    return [];
  }
  return names;
}
