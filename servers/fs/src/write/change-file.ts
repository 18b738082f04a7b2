import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { spelled, type OpenFile, type Place } from '@org/mcp-roots';

import { etagOf } from '../etag.ts';
import type { Files } from '../files.ts';
import type { Snapshot } from '../journal/snapshot.ts';
import { keepForUndo } from './keep-for-undo.ts';
import { putOf, type MissingDirectories } from './make-parents.ts';
import { conflict, isUnchanged, requireEtag, requireUnchanged } from './unchanged.ts';
import { withPlaces } from './with-places.ts';
import { writeAtomically, type Content, type Target } from './write-atomically.ts';

/** As often a path is looked at again that became a link meanwhile. */
const LOOKS = 5;

/** What a caller asks of a change. */
export interface Asked {
  readonly path: string;
  readonly ifMatch?: string | undefined;
  readonly permanent?: boolean | undefined;
  /** Nothing is changed, so nobody waits for it, nor it for others. */
  readonly dryRun?: boolean | undefined;
}

/** How a file is changed. */
export interface FileChange {
  readonly tool: string;
  readonly content: Content;
  readonly permanent?: boolean | undefined;
  /** Permissions of a new file. */
  readonly mode?: number | undefined;
  /** The directories that were made for it. */
  readonly made?: MissingDirectories | undefined;
}

/** What became of a file. */
export interface Changed {
  readonly path: string;
  readonly bytes: number;
  readonly created: boolean;
  readonly etag: string;
  readonly previousEtag?: string;
  readonly undoId?: string;
}

/**
 * Does something to what a path leads to, a file or nothing, while nobody else with the same state directory does.
 *
 * @throws ToolError CONFLICT where it is not what `ifMatch` says; TIMEOUT, IS_DIRECTORY, NOT_REGULAR_FILE, those of `Roots.placeToWrite`
 */
export async function withFile<Value>(
  files: Files,
  asked: Asked,
  signal: AbortSignal,
  work: (target: Target) => Promise<Value>,
): Promise<Value> {
  return withFiles(files, [asked], signal, ([target]) => {
    if (target === undefined) throw conflict(asked.path, asked.ifMatch, undefined);
    return work(target);
  });
}

/** The same with several paths. */
export async function withFiles<Value>(
  { roots, changes }: Files,
  asked: readonly Asked[],
  signal: AbortSignal,
  work: (targets: readonly Target[]) => Promise<Value>,
): Promise<Value> {
  const paths = asked.map(({ path: given }) => given);
  const lookAt = async (places: readonly Place[]): Promise<{ readonly value: Value } | undefined> => {
    const targets: Target[] = [];
    for (const place of places) targets.push(await targetAt(place));
    if (targets.some(({ facts }) => facts?.isSymbolicLink())) return undefined;
    for (const [index, target] of targets.entries()) await requireReplaceable(target, asked[index]);
    return { value: await work(targets) };
  };
  const isDryRun = asked.every(({ dryRun }) => dryRun === true);
  const look: typeof lookAt = (places) =>
    isDryRun ? lookAt(places) : changes.locks.during(places, signal, () => lookAt(places));
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const done = await withPlaces(paths, roots.placeToWrite.bind(roots), look);
    if (done !== undefined) return done.value;
  }
  throw new ToolError('IO', `${spelled(paths.join(', '))} leads elsewhere each time it is looked at`);
}

/** Where a place is itself, not the link that may have led there: undoing has nothing to do with that. */
async function targetAt({ directory, name }: Place): Promise<Target> {
  return { directory, name, shown: path.join(directory.shown, name), facts: await directory.facts(name) };
}

/** Opens the file that is to be changed. @throws ToolError CONFLICT where it is another one by now */
export async function openTarget({ directory, name, shown, facts }: Target): Promise<OpenFile | undefined> {
  if (facts === undefined) return undefined;
  const file = await directory.openFile(name);
  if (isUnchanged(facts, file.facts)) return file;
  await file[Symbol.asyncDispose]();
  throw conflict(shown, etagOf(facts), etagOf(file.facts));
}

/** Replaces the content of a file, or makes it; what was there is kept for undo unless the change is `permanent`. */
export async function changeFile(files: Files, target: Target, change: FileChange, signal: AbortSignal): Promise<Changed> {
  const { changes } = files;
  const { facts, shown } = target;
  const kept = change.permanent === true ? undefined : await keepForUndo(files, target, signal);
  let undoId: string | undefined;
  try {
    const { durability, stale, attributes } = changes;
    const written = await writeAtomically(target, change.content, {
      durability,
      stale,
      attributes,
      mode: change.mode,
      beforeSaving: async ({ hash, facts: { size, mode } }) => {
        const after: Snapshot = { type: 'file', hash, size: Number(size), mode: Number(mode) & 0o777 };
        if (kept !== undefined) {
          const put = { kind: 'put', path: shown, before: kept.snapshot, after } as const;
          const step = change.made === undefined ? put : putOf(change.made, target.name, after);
          undoId = await changes.journal.record(change.tool, [step], kept.bytes);
        }
        await requireUnchanged(target);
      },
    });
    return {
      path: shown,
      bytes: Number(written.facts.size),
      created: facts === undefined,
      etag: etagOf(written.facts),
      ...(facts && { previousEtag: etagOf(facts) }),
      ...(undoId !== undefined && { undoId }),
    };
  } catch (error) {
    if (undoId !== undefined) await changes.journal.forget(undoId);
    const wasMade = facts === undefined && ToolError.is(error) && error.code === 'ALREADY_EXISTS';
    throw wasMade ? conflict(shown, undefined, undefined) : error;
  }
}

async function requireReplaceable({ directory, name, shown, facts }: Target, asked?: Asked): Promise<void> {
  const given = asked?.path ?? shown;
  requireEtag(given, facts, asked?.ifMatch);
  if (facts === undefined) return;
  if (facts.isDirectory()) throw new ToolError('IS_DIRECTORY', `${spelled(given)} is a directory`);
  if (!facts.isFile()) throw new ToolError('NOT_REGULAR_FILE', `${spelled(given)} is neither a file nor a directory`);
  // Replacing needs only the directory's permission; a file that may not be written is not to be replaced either.
  await directory.requireWriteAccess(name);
}
