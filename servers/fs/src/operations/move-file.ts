import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { ToolError, type RequestContext } from '@org/mcp-decorators';
import { foldName, spelled } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { markOf, type Step } from '../journal/change.ts';
import { contentOf } from '../journal/contents.ts';
import { NONE } from '../journal/snapshot.ts';
import { requireThere, withEntries, type Entry, type EntryTarget } from '../write/entry-places.ts';
import { keepForUndo } from '../write/keep-for-undo.ts';
import { requireNothingDenied } from '../write/nothing-denied.ts';
import { respell } from '../write/respell.ts';
import { recorded, type Recording } from '../write/recorded.ts';
import { requireEtag, requireUnchanged } from '../write/unchanged.ts';
import type { Target } from '../write/write-atomically.ts';
import type { MadeChange } from './made-change.ts';
import { TransferInput } from './transfer-input.ts';

export class MoveFileInput extends TransferInput {}

/**
 * Gives a file, link or directory another path.
 *
 * @throws ToolError ALREADY_EXISTS, CONFLICT, TOO_LARGE, TIMEOUT, NOT_FOUND, and those of `Roots.placeToMove`
 */
export async function moveFile(files: Files, input: MoveFileInput, { signal }: RequestContext): Promise<MadeChange> {
  const { source, destination, ifMatch } = input;
  return withEntries(files, [source, destination], signal, async ([first, there]) => {
    const from = await requireThere(files, first, source);
    if (there === undefined) throw new Error('a move has two places');
    const second = respelledOf(from, there);
    requireEtag(source, from.facts, ifMatch);
    if (isSameFile(second.directory.self, from.directory.self) && second.name === from.name) return { path: second.shown };
    if (from.facts.isDirectory()) await requireMovable(from, second, signal);
    const isSame = isRespelled(from, second);
    if (second.facts !== undefined && !isSame) requireReplaceable(from, second, input);
    const recording = await recordingOf(files, from, second, { isPermanent: input.permanent === true, isSame, signal });
    const { undoId } = await recorded(files, recording, () => move(files, from, second));
    return { path: second.shown, ...(undoId !== undefined && { undoId }) };
  });
}

/** If the file system treats the requested name as the name of the source, returns the destination with the requested spelling. */
function respelledOf(from: Entry, to: EntryTarget): EntryTarget {
  const isOwnName = to.directory.self.ino === from.directory.self.ino && to.name === from.name;
  return isOwnName ? { ...to, name: to.asked, shown: path.join(path.dirname(to.shown), to.asked) } : to;
}

async function requireMovable(from: Entry, to: Target, signal: AbortSignal): Promise<void> {
  if (`${to.shown}/`.startsWith(`${from.shown}/`))
    throw new ToolError('INVALID_PATH', `${spelled(from.shown)} cannot be moved into itself`);
  await requireNothingDenied(from.directory, from.name, 'moved', signal);
}

/** Inode numbers are unique only within one file system. */
function isSameFile(one: BigIntStats | undefined, other: BigIntStats): boolean {
  return one !== undefined && one.ino === other.ino && one.dev === other.dev;
}

/** Whether only the spelling of a name changes where the file system takes both for one. */
function isRespelled({ directory, name, facts }: Entry, to: Target): boolean {
  const isSame = isSameFile(to.facts, facts) && isSameFile(to.directory.self, directory.self);
  return isSame && foldName(to.name) === foldName(name);
}

function requireReplaceable(from: Entry, { facts }: Target, { destination, overwrite }: MoveFileInput): void {
  const hasDirectory = facts?.isDirectory() === true || from.facts.isDirectory();
  if (overwrite === true && !hasDirectory) return;
  throw new ToolError('ALREADY_EXISTS', `${spelled(destination)} exists already`, {
    hint: hasDirectory ? 'a directory is neither replaced nor replaces anything' : 'overwrite replaces it',
  });
}

async function recordingOf(
  files: Files,
  from: Entry,
  to: Target,
  { isPermanent, isSame, signal }: { readonly isPermanent: boolean; readonly isSame: boolean; readonly signal: AbortSignal },
): Promise<Recording> {
  const tool = 'move_file';
  if (isPermanent) return { tool, steps: undefined, bytes: 0 };
  const moved = await moveStepOf(from, to, signal);
  if (to.facts === undefined || isSame) return { tool, steps: [moved], bytes: 0 };
  const taken = await keepForUndo(files, to, signal);
  return { tool, steps: [{ kind: 'put', path: to.shown, before: taken.snapshot, after: NONE }, moved], bytes: taken.bytes };
}

async function moveStepOf(from: Entry, to: Target, signal: AbortSignal): Promise<Step> {
  const step = { kind: 'move', from: from.shown, to: to.shown, what: markOf(from.facts) } as const;
  try {
    const content = await contentOf(from, signal);
    return { ...step, ...(content !== undefined && { content }) };
  } catch {
    // What may be moved need not be readable.
    signal.throwIfAborted();
    return step;
  }
}

async function move({ changes: { durability } }: Files, from: Entry, to: Target): Promise<void> {
  await requireUnchanged(from);
  if (isRespelled(from, to)) await respell(from.directory, from.name, to.name);
  else await moveUnchanged(from, to);
  // Two names of one file are left as they are by a rename.
  const left = isSameFile(to.facts, from.facts) ? await from.directory.facts(from.name) : undefined;
  if (isSameFile(left, from.facts) && !isRespelled(from, to)) await from.directory.unlink(from.name);
  if (durability === 'fast') return;
  for (const { directory } of [to, from]) await directory.flush().catch(() => undefined);
}

async function moveUnchanged(from: Entry, to: Target): Promise<void> {
  await requireUnchanged(to);
  if (to.facts === undefined) await from.directory.renameNew(from.name, to.directory, to.name);
  else await from.directory.rename(from.name, to.directory, to.name);
}
