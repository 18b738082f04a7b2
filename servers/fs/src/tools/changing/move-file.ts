import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { Flag, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { foldName, quotePath } from '@org/mcp-roots';

import { keepForUndo } from '../../change/keep-for-undo.ts';
import { respell } from '../../change/respell.ts';
import { runRecorded, type Recording } from '../../change/run-recorded.ts';
import { requireExisting, withEntries, type Entry, type EntryTarget } from '../../change/with-targets.ts';
import { createMoveMark, type Step } from '../../journal/change.ts';
import { fingerprintContent } from '../../journal/contents.ts';
import { NONE } from '../../journal/snapshot.ts';
import { requireNothingDenied } from '../../storage/nothing-denied.ts';
import { requireEtag, requireUnchanged, type Target } from '../../storage/target.ts';
import type { Files } from '../files.ts';
import type { MadeChange } from './change-result.ts';

export class MoveFileInput {
  @Text('Existing path') source!: string;
  @Text('New path') destination!: string;
  @Flag('Replace an existing file', { optional: true }) overwrite?: boolean;
  @Text('The source must have this etag', { optional: true }) ifMatch?: string;
  @Flag('Change cannot be undone', { optional: true }) permanent?: boolean;
}

/**
 * Moves or renames a file, link or directory.
 *
 * @throws ToolError ALREADY_EXISTS, CONFLICT, TOO_LARGE, TIMEOUT, NOT_FOUND, and the codes of `Roots.findEntryToMove`
 */
export async function moveFile(files: Files, input: MoveFileInput, { signal }: RequestContext): Promise<MadeChange> {
  const { source, destination, ifMatch } = input;
  return withEntries(files, [source, destination], signal, async ([first, second]) => {
    const from = await requireExisting(files, first, source);
    if (second === undefined) throw new Error('a move requires two targets');
    const to = withRequestedSpelling(from, second);
    requireEtag(source, from.facts, ifMatch);
    if (isSameFile(to.directory.self, from.directory.self) && to.name === from.name) return { path: to.shown };
    if (from.facts.isDirectory()) await requireMovable(from, to, signal);
    const isSame = isRespelling(from, to);
    if (to.facts !== undefined && !isSame) requireReplaceable(from, to, input);
    const recording = await createRecording(files, from, to, { isPermanent: input.permanent === true, isSame, signal });
    const { undoId } = await runRecorded(files, recording, () => move(files, from, to));
    return { path: to.shown, ...(undoId !== undefined && { undoId }) };
  });
}

/** Returns the destination, with the requested spelling if the file system treats its name as the name of the source. */
function withRequestedSpelling(from: Entry, to: EntryTarget): EntryTarget {
  const isOwnName = to.directory.self.ino === from.directory.self.ino && to.name === from.name;
  return isOwnName ? { ...to, name: to.asked, shown: path.join(path.dirname(to.shown), to.asked) } : to;
}

async function requireMovable(from: Entry, to: Target, signal: AbortSignal): Promise<void> {
  if (`${to.shown}/`.startsWith(`${from.shown}/`))
    throw new ToolError('INVALID_PATH', `${quotePath(from.shown)} cannot be moved into itself`);
  await requireNothingDenied(from.directory, from.name, 'moved', signal);
}

/** Returns whether both facts describe one file. Inode numbers are unique only within one file system. */
function isSameFile(one: BigIntStats | undefined, other: BigIntStats): boolean {
  return one !== undefined && one.ino === other.ino && one.dev === other.dev;
}

/** Returns whether both names are spellings of one name for the file system. */
function isRespelling({ directory, name, facts }: Entry, to: Target): boolean {
  const isSame = isSameFile(to.facts, facts) && isSameFile(to.directory.self, directory.self);
  return isSame && foldName(to.name) === foldName(name);
}

function requireReplaceable(from: Entry, { facts }: Target, { destination, overwrite }: MoveFileInput): void {
  const hasDirectory = facts?.isDirectory() === true || from.facts.isDirectory();
  if (overwrite === true && !hasDirectory) return;
  throw new ToolError('ALREADY_EXISTS', `${quotePath(destination)} already exists`, {
    hint: hasDirectory ? 'a directory cannot be replaced and cannot replace a file' : 'set overwrite to replace the file',
  });
}

async function createRecording(
  files: Files,
  from: Entry,
  to: Target,
  { isPermanent, isSame, signal }: { readonly isPermanent: boolean; readonly isSame: boolean; readonly signal: AbortSignal },
): Promise<Recording> {
  const tool = 'move_file';
  if (isPermanent) return { tool, steps: undefined, bytes: 0 };
  const moved = await createMoveStep(from, to, signal);
  if (to.facts === undefined || isSame) return { tool, steps: [moved], bytes: 0 };
  const taken = await keepForUndo(files, to, signal);
  return { tool, steps: [{ kind: 'put', path: to.shown, before: taken.snapshot, after: NONE }, moved], bytes: taken.bytes };
}

async function createMoveStep(from: Entry, to: Target, signal: AbortSignal): Promise<Step> {
  const step = { kind: 'move', from: from.shown, to: to.shown, what: createMoveMark(from.facts) } as const;
  try {
    const content = await fingerprintContent(from, signal);
    return { ...step, ...(content !== undefined && { content }) };
  } catch {
    // An unreadable file can still be moved. Its step contains no fingerprint of the content.
    signal.throwIfAborted();
    return step;
  }
}

async function move({ changes: { settings } }: Files, from: Entry, to: Target): Promise<void> {
  await requireUnchanged(from);
  if (isRespelling(from, to)) await respell(from.directory, from.name, to.name);
  else await moveUnchanged(from, to);
  // A rename between two hard links of one file does nothing, so the source is removed here.
  const left = isSameFile(to.facts, from.facts) ? await from.directory.facts(from.name) : undefined;
  if (isSameFile(left, from.facts) && !isRespelling(from, to)) await from.directory.unlink(from.name);
  if (settings.durability === 'fast') return;
  for (const { directory } of [to, from]) await directory.flush().catch(() => undefined);
}

async function moveUnchanged(from: Entry, to: Target): Promise<void> {
  await requireUnchanged(to);
  if (to.facts === undefined) await from.directory.renameNew(from.name, to.directory, to.name);
  else await from.directory.rename(from.name, to.directory, to.name);
}
