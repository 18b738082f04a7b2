import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import { spelled } from '@org/mcp-roots';
import { IsBoolean, IsOptional, IsString } from 'class-validator';

import type { Files } from '../files.ts';
import { markOf, type Step } from '../journal/change.ts';
import { NONE, takeSnapshot } from '../journal/snapshot.ts';
import { requireThere, withEntries, type Entry } from '../write/entry-places.ts';
import { requireNothingDenied } from '../write/nothing-denied.ts';
import { recorded, type Recording } from '../write/recorded.ts';
import { requireEtag, requireUnchanged } from '../write/unchanged.ts';
import type { Target } from '../write/write-atomically.ts';
import type { MadeChange } from './made-change.ts';

export class MoveFileInput {
  @Field('Links themselves are moved')
  @IsString()
  source!: string;

  @IsString()
  destination!: string;

  @Field('Replace an existing file')
  @IsOptional()
  @IsBoolean()
  overwrite?: boolean;

  @Field('Only if this is the etag of the source')
  @IsOptional()
  @IsString()
  ifMatch?: string;

  @Field('Cannot be undone')
  @IsOptional()
  @IsBoolean()
  permanent?: boolean;
}

/**
 * Gives a file, link or directory another path.
 *
 * @throws ToolError ALREADY_EXISTS, CONFLICT, TOO_LARGE, TIMEOUT, NOT_FOUND, and those of `Roots.placeToMove`
 */
export async function moveFile(files: Files, input: MoveFileInput, { signal }: RequestContext): Promise<MadeChange> {
  const { source, destination, ifMatch } = input;
  return withEntries(files, [source, destination], signal, async ([first, second]) => {
    const from = await requireThere(files, first, source);
    if (second === undefined) throw new Error('a move has two places');
    requireEtag(source, from.facts, ifMatch);
    if (from.facts.isDirectory()) await requireNothingDenied(from.directory, from.name, signal);
    const isSame = second.facts?.ino === from.facts.ino && second.facts.dev === from.facts.dev;
    if (second.facts !== undefined && !isSame) requireReplaceable(from, second, input);
    const recording = await recordingOf(files, from, second, { isPermanent: input.permanent === true, isSame, signal });
    const { undoId } = await recorded(files, recording, () => move(files, from, second));
    return { path: second.shown, ...(undoId !== undefined && { undoId }) };
  });
}

function requireReplaceable(from: Entry, { facts }: Target, { destination, overwrite }: MoveFileInput): void {
  const hasDirectory = facts?.isDirectory() === true || from.facts.isDirectory();
  if (overwrite === true && !hasDirectory) return;
  throw new ToolError('ALREADY_EXISTS', `${spelled(destination)} exists already`, {
    hint: hasDirectory ? 'a directory is neither replaced nor replaces anything' : 'overwrite replaces it',
  });
}

async function recordingOf(
  { changes: { journal } }: Files,
  from: Entry,
  to: Target,
  { isPermanent, isSame, signal }: { readonly isPermanent: boolean; readonly isSame: boolean; readonly signal: AbortSignal },
): Promise<Recording> {
  const tool = 'move_file';
  const moved: Step = { kind: 'move', from: from.shown, to: to.shown, what: markOf(from.facts) };
  if (isPermanent) return { tool, steps: undefined, bytes: 0 };
  if (to.facts === undefined || isSame) return { tool, steps: [moved], bytes: 0 };
  const keep = journal.contents.keep.bind(journal.contents);
  const taken = await takeSnapshot(to.directory, to.name, { signal, maxEntries: 1, maxBytes: journal.maxBytes, keep });
  return { tool, steps: [{ kind: 'put', path: to.shown, before: taken.snapshot, after: NONE }, moved], bytes: taken.bytes };
}

async function move({ changes: { durability, stale } }: Files, from: Entry, to: Target): Promise<void> {
  await stale.removeIn(to.directory);
  await requireUnchanged(from);
  await requireUnchanged(to);
  await (to.facts === undefined
    ? from.directory.renameNew(from.name, to.directory, to.name)
    : from.directory.rename(from.name, to.directory, to.name));
  if (durability === 'fast') return;
  for (const { directory } of [to, from]) await directory.flush().catch(() => undefined);
}
