import { Flag, OneOf, Result, Text, ToolError } from '@org/mcp-decorators';

import { runWithHooks } from '../../repository/hooks.ts';
import { findNote, listNotes, NOTES_REF, requireOwnNotesRef, type ListedNote } from '../../repository/refs/notes.ts';
import { isOid, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireMessage } from '../../text/commit-message.ts';
import { shortOid } from '../../text/format.ts';
import { quoteInput, visibleBody } from '../../text/visible.ts';
import { ListInput, listPage } from '../inputs/list-page.ts';
import { formatRecovery, formatRest } from '../results/result-text.ts';
import { formatUndo, type UndoStep } from '../results/undo.ts';

const ACTIONS = ['list', 'show', 'add', 'remove'] as const;

export class GitNotesInput extends ListInput {
  @OneOf(ACTIONS, 'list: all notes; show, add, remove: the note about one commit') action!: (typeof ACTIONS)[number];
  @Text('For show, add and remove: the commit; default: HEAD', { optional: true }) revision?: string;
  @Text('For add: text of the note', { optional: true, minLength: 1, maxLength: 1_000_000 }) message?: string;
  @Text('For add, instead of message: object name of an earlier note', { optional: true }) note?: string;
  @Flag('For add: replace an existing note') replace = false;
}

/** Notes by the objects that they are about. */
export interface NoteList {
  readonly notes: readonly ListedNote[];
  readonly total: number;
  readonly next_cursor?: string;
}

/** The note about one commit. */
export interface ShownNote extends ListedNote {
  readonly text: string;
}

/** A note that was added, replaced or removed. */
export interface ChangedNote extends ListedNote {
  /** Object name of the note that was replaced. */
  readonly replaced?: string;
  readonly recover_with: string;
}

/**
 * Lists, shows, adds or removes notes in `refs/notes/commits`. The commits do not change, and the history of the notes keeps the
 * texts of replaced and removed notes.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, NOT_FOUND, ALREADY_EXISTS, INVALID_ARGUMENTS, TOO_LARGE, REPO_UNTRUSTED for a
 * symbolic ref, IDENTITY_REQUIRED, HOOK_FAILED, LOCKED
 */
export async function gitNotes(repository: Repository, input: GitNotesInput): Promise<Result> {
  requireFittingArguments(input);
  if (input.action === 'list') return listAllNotes(repository, input);
  const commit = await resolveCommit(repository, input.revision ?? 'HEAD');
  if (input.action === 'show') return showNote(repository, commit);
  return repository.withWriteLock(async () => {
    await requireOwnNotesRef(repository);
    return input.action === 'add' ? addNote(repository, commit, input) : removeNote(repository, commit);
  });
}

/** @throws ToolError INVALID_ARGUMENTS for arguments of another action, which would be ignored */
function requireFittingArguments({ action, message, note, replace, revision, cursor }: GitNotesInput): void {
  requireMessage(message);
  const isAdding = action === 'add';
  if (isAdding && (message === undefined) === (note === undefined))
    throw new ToolError('INVALID_ARGUMENTS', 'add requires either message or note');
  if (!isAdding && (message !== undefined || note !== undefined || replace))
    throw new ToolError('INVALID_ARGUMENTS', `message, note and replace are not arguments of ${action}`);
  if ((action === 'list' ? revision : cursor) !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', `${action === 'list' ? 'revision' : 'cursor'} is not an argument of ${action}`);
}

async function listAllNotes(repository: Repository, { cursor }: GitNotesInput): Promise<Result> {
  const all = await listNotes(repository);
  const { maxEntries: most, maxBytes } = repository.limits;
  const { items: notes, ...next } = listPage(all, { cursor, most, maxBytes });
  const list: NoteList = { notes, total: all.length, ...next };
  const lines = notes.map(({ object, note }) => `${object} note ${shortOid(note)}`);
  if (list.next_cursor !== undefined) lines.push(formatRest(list, notes.length, 'notes'));
  return Result.of(list, lines.length === 0 ? 'No notes found' : lines.join('\n'));
}

async function showNote(repository: Repository, object: string): Promise<Result> {
  const note = await requireNote(repository, object);
  const text = (await repository.object(note))?.content.toString('utf8') ?? '';
  const shown: ShownNote = { object, note, text };
  return Result.of(shown, `Note ${shortOid(note)} about ${shortOid(object)}:\n${visibleBody(text)}`);
}

async function addNote(repository: Repository, object: string, input: GitNotesInput): Promise<Result> {
  const replaced = await findNote(repository, object);
  if (replaced !== undefined && !input.replace)
    throw new ToolError('ALREADY_EXISTS', `${shortOid(object)} already has a note`, {
      hint: 'use replace to replace the note; show returns its text',
    });
  const content = input.note === undefined ? '--file=-' : `--reuse-message=${await requireBlob(repository, input.note)}`;
  await runWithHooks(repository, ['notes', `--ref=${NOTES_REF}`, 'add', '--force', content, object], {
    ...(input.message !== undefined && { input: input.message }),
  });
  const undo = replaced === undefined ? removeStep(object) : addStep(object, replaced);
  const note = await requireNote(repository, object);
  const changed: ChangedNote = {
    object,
    note,
    ...(replaced !== undefined && { replaced }),
    recover_with: formatUndo(repository, [undo]),
  };
  return formatRecovery(
    changed,
    `${replaced === undefined ? 'Added' : 'Replaced'} the note ${shortOid(note)} about ${shortOid(object)}`,
  );
}

async function removeNote(repository: Repository, object: string): Promise<Result> {
  const note = await requireNote(repository, object);
  await runWithHooks(repository, ['notes', `--ref=${NOTES_REF}`, 'remove', object], {});
  const changed: ChangedNote = { object, note, recover_with: formatUndo(repository, [addStep(object, note)]) };
  return formatRecovery(changed, `Removed the note ${shortOid(note)} about ${shortOid(object)}`);
}

/** @throws ToolError NOT_FOUND */
async function requireNote(repository: Repository, object: string): Promise<string> {
  const note = await findNote(repository, object);
  if (note !== undefined) return note;
  throw new ToolError('NOT_FOUND', `${shortOid(object)} has no note`, { hint: 'the action list lists all notes' });
}

/** @throws ToolError INVALID_ARGUMENTS unless the text is the full object name of a blob */
async function requireBlob(repository: Repository, note: string): Promise<string> {
  if (isOid(note) && (await repository.objectInfo(note))?.type === 'blob') return note;
  throw new ToolError('INVALID_ARGUMENTS', `${quoteInput(note)} is not the full object name of a note`);
}

function removeStep(object: string): UndoStep {
  const command = `git notes --ref=${NOTES_REF} remove ${object}`;
  return { tool: 'git_notes', args: { action: 'remove', revision: object }, command };
}

function addStep(object: string, note: string): UndoStep {
  const command = `git notes --ref=${NOTES_REF} add --force --reuse-message=${note} ${object}`;
  return { tool: 'git_notes', args: { action: 'add', revision: object, note, replace: true }, command };
}
