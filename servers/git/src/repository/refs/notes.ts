import { ToolError } from '@org/mcp-decorators';

import { splitLines } from '../parse/fields.ts';
import type { Repository } from '../repository.ts';

/** The ref of all notes. Commands name the ref, because `core.notesRef` of a repository may name another ref. */
export const NOTES_REF = 'refs/notes/commits';

/** A note and the commit or other object that the note is about. */
export interface ListedNote {
  readonly object: string;
  /** Object name of the blob that contains the text of the note. */
  readonly note: string;
}

/** Lists all notes, in the order of the objects' names. */
export async function listNotes(repository: Repository): Promise<readonly ListedNote[]> {
  const { stdout } = await repository.read(['notes', `--ref=${NOTES_REF}`, 'list']);
  return splitLines(stdout).flatMap((line) => {
    const [note, object] = line.split(' ');
    return note === undefined || object === undefined ? [] : [{ object, note }];
  });
}

/** Returns the object name of the note about a commit, or `undefined` if the commit has no note. */
export async function findNote(repository: Repository, commit: string): Promise<string | undefined> {
  const { code, stdout } = await repository.read(['notes', `--ref=${NOTES_REF}`, 'list', commit], { codes: [0, 1] });
  return code === 0 ? splitLines(stdout)[0] : undefined;
}

/** @throws ToolError REPO_UNTRUSTED for a symbolic ref of the notes, because git would move the branch that the symbolic ref names */
export async function requireOwnNotesRef(repository: Repository): Promise<void> {
  const { code } = await repository.read(['symbolic-ref', '--quiet', NOTES_REF], { codes: [0, 1, 128] });
  if (code === 0)
    throw new ToolError('REPO_UNTRUSTED', `${NOTES_REF} is a symbolic ref, so a new note would change another ref`, {
      hint: `remove the symbolic ref: git symbolic-ref --delete ${NOTES_REF}`,
    });
}
