import { RequestContext, Tool, type Result } from '@org/mcp-decorators';

import { AppendFileInput, appendFile } from './operations/append-file.ts';
import { CopyFileInput, copyFile } from './operations/copy-file.ts';
import { createDirectory } from './operations/create-directory.ts';
import { DeleteFileInput, deleteFile } from './operations/delete-file.ts';
import { EditFileInput, editFile } from './operations/edit-file.ts';
import { ListChangesInput, listChanges } from './operations/list-changes.ts';
import { MoveFileInput, moveFile } from './operations/move-file.ts';
import { PathInput } from './operations/path-input.ts';
import { ReplaceInFilesInput, replaceInFiles } from './operations/replace-in-files.ts';
import { UndoChangeInput, undoChange } from './operations/undo-change.ts';
import { WriteFileInput, writeFile } from './operations/write-file.ts';
import { WrittenFile } from './operations/written-file.ts';
import {
  changeResult,
  changesResult,
  createdResult,
  editedResult,
  replacedResult,
  undoneResult,
  writtenResult,
} from './results/writing-results.ts';
import { FindingTools } from './finding-tools.ts';

const WRITES = { readOnlyHint: false, destructiveHint: true, openWorldHint: false } as const;
const ADDS = { ...WRITES, destructiveHint: false } as const;

/**
 * Tools that change something, and undo it.
 *
 * Of what only changes a name the structured content, a path and an undoId, is sent without being described in `tools/list`, which every
 * conversation pays for.
 */
export abstract class WritingTools extends FindingTools {
  @Tool({
    title: 'Write file',
    description: 'Create a file or replace its whole content; the change is atomic',
    output: WrittenFile,
    annotations: { ...WRITES, idempotentHint: true },
  })
  async writeFile(input: WriteFileInput, context: RequestContext): Promise<Result> {
    return writtenResult(await writeFile(await this.filesFor(context), input, context), 'Replaced');
  }

  @Tool({ title: 'Append to file', description: 'Add to the end of a file', output: WrittenFile, annotations: ADDS })
  async appendFile(input: AppendFileInput, context: RequestContext): Promise<Result> {
    return writtenResult(await appendFile(await this.filesFor(context), input, context), 'Appended to');
  }

  @Tool({
    title: 'Edit file',
    description: 'Replace texts in a file, all or none, and show the difference',
    annotations: WRITES,
    _meta: { 'anthropic/alwaysLoad': true },
  })
  async editFile(input: EditFileInput, context: RequestContext): Promise<Result> {
    return editedResult(await editFile(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Replace in files',
    description: 'Replace a text in all files below a directory, all or none, and show the difference',
    annotations: WRITES,
  })
  async replaceInFiles(input: ReplaceInFilesInput, context: RequestContext): Promise<Result> {
    return replacedResult(await replaceInFiles(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Create directory',
    description: 'Create a directory and its missing parents; an existing one stays',
    annotations: { ...ADDS, idempotentHint: true },
  })
  async createDirectory(input: PathInput, context: RequestContext): Promise<Result> {
    return createdResult(await createDirectory(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Copy file',
    description: 'Copy a file or a whole directory',
    annotations: WRITES,
  })
  async copyFile(input: CopyFileInput, context: RequestContext): Promise<Result> {
    return changeResult(await copyFile(await this.filesFor(context), input, context), 'Copied to');
  }

  @Tool({ title: 'Move file', description: 'Move or rename a file, a link itself or a directory', annotations: WRITES })
  async moveFile(input: MoveFileInput, context: RequestContext): Promise<Result> {
    return changeResult(await moveFile(await this.filesFor(context), input, context), 'Moved to');
  }

  @Tool({ title: 'Delete file', description: 'Delete a file, link or directory', annotations: WRITES })
  async deleteFile(input: DeleteFileInput, context: RequestContext): Promise<Result> {
    return changeResult(await deleteFile(await this.filesFor(context), input, context), 'Deleted', []);
  }

  @Tool({ title: 'Undo change', description: 'Undo a change of one of these tools', annotations: WRITES })
  async undoChange(input: UndoChangeInput, context: RequestContext): Promise<Result> {
    return undoneResult(await undoChange(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'List changes',
    description: 'List the changes that undo_change can undo',
    annotations: { readOnlyHint: true, openWorldHint: false },
    // Who may not change anything has nothing to undo: --read-only does not offer it.
    scopes: ['write'],
  })
  async listChanges(input: ListChangesInput, context: RequestContext): Promise<Result> {
    return changesResult(await listChanges(await this.filesFor(context), input));
  }
}
