import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { quotePath, type OpenFile, type PathEntry } from '@org/mcp-roots';

import { computeEtag } from '../storage/etag.ts';
import { conflict, isUnchanged, requireEtag, type Target } from '../storage/target.ts';
import type { ChangeableFiles } from './change-support.ts';

/** Maximum number of attempts if another process replaces the target with a link before the check. */
const MAX_ATTEMPTS = 5;

/** A requested change of a path. */
export interface ChangeRequest {
  readonly path: string;
  readonly ifMatch?: string | undefined;
  readonly permanent?: boolean | undefined;
  /** Whether the call is a dry run, which takes no lock because it changes nothing. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Runs `work` with the target of a path, an existing or a missing file, while holding the lock of the target. A dry run takes no
 * lock. Links are followed.
 *
 * @throws ToolError CONFLICT if the file does not match `ifMatch`; TIMEOUT if the lock does not become free in time;
 * IS_DIRECTORY, NOT_REGULAR_FILE; IO if a link replaces the target at every attempt; the codes of `Roots.findEntryToWrite`
 */
export async function withFile<Value>(
  files: ChangeableFiles,
  request: ChangeRequest,
  signal: AbortSignal,
  work: (target: Target) => Promise<Value>,
): Promise<Value> {
  return withFiles(files, [request], signal, ([target]) => {
    if (target === undefined) throw conflict(request.path, request.ifMatch, undefined);
    return work(target);
  });
}

/** Runs `work` with several files, see {@link withFile}. */
export async function withFiles<Value>(
  { roots, changes }: ChangeableFiles,
  requests: readonly ChangeRequest[],
  signal: AbortSignal,
  work: (targets: readonly Target[]) => Promise<Value>,
): Promise<Value> {
  const paths = requests.map(({ path: given }) => given);
  const check = async (places: readonly PathEntry[]): Promise<{ readonly value: Value } | undefined> => {
    const targets: Target[] = [];
    for (const place of places) targets.push(await readTarget(place));
    if (targets.some(({ facts }) => facts?.isSymbolicLink())) return undefined;
    for (const [index, target] of targets.entries()) await requireReplaceable(target, requests[index]);
    return { value: await work(targets) };
  };
  const isDryRun = requests.every(({ dryRun }) => dryRun === true);
  const checkLocked: typeof check = (places) =>
    isDryRun ? check(places) : changes.locks.during(places, signal, () => check(places));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const done = await withPlaces(paths, roots.findEntryToWrite.bind(roots), checkLocked);
    if (done !== undefined) return done.value;
  }
  throw new ToolError('IO', `the target of ${quotePath(paths.join(', '))} was replaced with a symbolic link at every attempt`);
}

/** Returns a target with the path of the file itself, not of a followed link, because undo does not follow links. */
async function readTarget({ directory, name }: PathEntry): Promise<Target> {
  return { directory, name, shown: path.join(directory.shown, name), facts: await directory.facts(name) };
}

/**
 * Opens the file of a target. Returns `undefined` for a missing file.
 *
 * @throws ToolError CONFLICT if the file changed since the check
 */
export async function openTarget({ directory, name, shown, facts }: Target): Promise<OpenFile | undefined> {
  if (facts === undefined) return undefined;
  const file = await directory.openFile(name);
  if (isUnchanged(facts, file.facts)) return file;
  await file[Symbol.asyncDispose]();
  throw conflict(shown, computeEtag(facts), computeEtag(file.facts));
}

async function requireReplaceable({ directory, name, shown, facts }: Target, request?: ChangeRequest): Promise<void> {
  const given = request?.path ?? shown;
  requireEtag(given, facts, request?.ifMatch);
  if (facts === undefined) return;
  if (facts.isDirectory())
    throw new ToolError('IS_DIRECTORY', `${quotePath(given)} is a directory`, { hint: 'add the name of the file to the path' });
  if (!facts.isFile()) throw new ToolError('NOT_REGULAR_FILE', `${quotePath(given)} is neither a file nor a directory`);
  // A rename requires write permission only for the directory. The permission for the file is checked here, because a file
  // without write permission must not be replaced.
  await directory.requireWriteAccess(name);
}

/** A target with the requested spelling of its name. */
export type EntryTarget = Target & Pick<PathEntry, 'asked'>;

/** An existing entry. */
export type Entry = EntryTarget & { readonly facts: BigIntStats };

/**
 * Runs `work` with the entries of paths while holding their locks. Links are not followed.
 *
 * @throws ToolError TIMEOUT, the codes of `Roots.findEntryToMove`
 */
export async function withEntries<Value>(
  files: ChangeableFiles,
  paths: readonly string[],
  signal: AbortSignal,
  work: (targets: readonly EntryTarget[]) => Promise<Value>,
): Promise<Value> {
  const { roots, changes } = files;
  return withPlaces(paths, roots.findEntryToMove.bind(roots), (places) =>
    changes.locks.during(places, signal, async () => {
      const targets: EntryTarget[] = [];
      for (const { directory, name, shown, asked } of places)
        targets.push({ directory, name, shown, asked, facts: await directory.facts(name) });
      return work(targets);
    }),
  );
}

/**
 * Returns the target if its entry exists.
 *
 * @throws ToolError NOT_FOUND otherwise, with the most similar existing name if one exists
 */
export async function requireExisting(files: ChangeableFiles, target: EntryTarget | undefined, given: string): Promise<Entry> {
  if (target?.facts !== undefined) return { ...target, facts: target.facts };
  await files.roots.resolveExisting(given);
  throw new ToolError('NOT_FOUND', `${quotePath(given)} does not exist`);
}

/** Opens the entries of several paths, runs `work` with the entries, and closes the entries. */
async function withPlaces<Value>(
  paths: readonly string[],
  open: (path: string) => Promise<PathEntry>,
  work: (places: readonly PathEntry[]) => Promise<Value>,
): Promise<Value> {
  const places: PathEntry[] = [];
  try {
    for (const path of paths) places.push(await open(path));
    return await work(places);
  } finally {
    for (const place of places) await place[Symbol.asyncDispose]();
  }
}
