import {
  App,
  Complete,
  McpServer,
  Prompt,
  RequestContext,
  Resource,
  Tool,
  type Candidates,
  type ResourceDefinition,
  type ResourceLister,
  type Result,
  type ToolSelection,
  type ToolSelector,
} from '@org/mcp-decorators';
import { LARGE_RESULTS, type Diagnosis, readView, type OperatorLog, type ServerObject } from '@org/mcp-host';

import type { FilesystemOptions } from './filesystem-options.ts';
import { FilesystemRuntime } from './filesystem-runtime.ts';
import type { PromptMessage } from './prompts/prompt-message.ts';
import { reviewFile, ReviewFileArguments } from './prompts/review-file.ts';
import { summarizeDirectory, SummarizeDirectoryArguments } from './prompts/summarize-directory.ts';
import { completePath, completeUriPath } from './resources/complete-path.ts';
import { FileUri, readFileResource, toAbsolutePath, type FileContents } from './resources/file-resource.ts';
import { extractArchive, ExtractArchiveInput, extractedArchiveResult } from './tools/archives/extract-archive.ts';
import { archiveListingResult, listArchive, ListArchiveInput } from './tools/archives/list-archive.ts';
import { appendFile, AppendFileInput } from './tools/changing/append-file.ts';
import { madeChangeResult } from './tools/changing/change-result.ts';
import { copyFile, CopyFileInput } from './tools/changing/copy-file.ts';
import { createdDirectoryResult, createDirectory } from './tools/changing/create-directory.ts';
import { deleteFile, DeleteFileInput } from './tools/changing/delete-file.ts';
import { editFile, EditFileInput, editResult } from './tools/changing/edit-file.ts';
import { moveFile, MoveFileInput } from './tools/changing/move-file.ts';
import { replaceInFiles, ReplaceInFilesInput } from './tools/changing/replace-in-files.ts';
import { replaceResult } from './tools/changing/replaced-files.ts';
import { writeFile, WriteFileInput } from './tools/changing/write-file.ts';
import { WrittenFile, writtenFileResult } from './tools/changing/written-file.ts';
import type { Files } from './tools/files.ts';
import { ContentMatches, contentMatchesResult } from './tools/finding/content-matches.ts';
import { directoryTree, DirectoryTreeInput, directoryTreeResult } from './tools/finding/directory-tree.ts';
import {
  DirectoryListing,
  directoryListingResult,
  directorySizesResult,
  listDirectory,
  ListDirectoryInput,
} from './tools/finding/list-directory.ts';
import { searchContent, SearchContentInput } from './tools/finding/search-content.ts';
import { FileMatches, fileMatchesResult, searchFiles, SearchFilesInput } from './tools/finding/search-files.ts';
import { PathInput } from './tools/path-input.ts';
import type { BlocksResult } from './tools/reading/blocks-result.ts';
import { diffFiles, DiffFilesInput, fileDiffResult } from './tools/reading/diff-files.ts';
import { FileInfo, fileInfoResult, getFileInfo, GetFileInfoInput } from './tools/reading/get-file-info.ts';
import { documentResult, readDocument, ReadDocumentInput } from './tools/reading/read-document.ts';
import { ReadFileInput, readTextFile, ReadTextFileInput, textWindowResult } from './tools/reading/read-text-file.ts';
import {
  AllowedDirectories,
  allowedDirectoriesResult,
  listAllowedDirectories,
} from './tools/reading/list-allowed-directories.ts';
import { mediaResult, readMediaFile, ReadMediaFileInput } from './tools/reading/read-media-file.ts';
import { multipleFilesResult, readMultipleFiles, ReadMultipleFilesInput } from './tools/reading/read-multiple-files.ts';
import type { RewindCompanion } from './rewind/companion.ts';
import { checkpoint, CheckpointInput, checkpointResult } from './tools/rewind/checkpoint.ts';
import { rewind, RewindInput, rewindResult } from './tools/rewind/rewind.ts';
import { changeListResult, listChanges, listCheckpoints, ListChangesInput } from './tools/undo/list-changes.ts';
import { undoChange, UndoChangeInput, undoResult } from './tools/undo/undo-change.ts';
import { refusedHunksResult, refuseHunks, RefuseHunksInput } from './tools/review/refuse-hunks.ts';
import { reviewChange, ReviewChangeInput, reviewedChangeResult } from './tools/review/review-change.ts';
import { VERSION } from './version.ts';

const FILE = 'file:///{+path}';

/** URIs of the views. */
const CHANGE_VIEW = 'ui://mcp-fs/change';
const HISTORY_VIEW = 'ui://mcp-fs/history';
const TREE_VIEW = 'ui://mcp-fs/tree';
/** Directory of the HTML documents of the views, which the build writes. */
const VIEWS = new URL('../bundle/views/', import.meta.url);

const READS = { readOnlyHint: true, openWorldHint: false } as const;
/** `readOnlyHint` is omitted: its default is false. */
const WRITES = { destructiveHint: true, openWorldHint: false } as const;
const ADDS = { ...WRITES, destructiveHint: false } as const;

const ALWAYS_LOADED = { 'anthropic/alwaysLoad': true } as const;

/**
 * Serves files inside the operator's directories. Without such directories, serves files inside the client's roots, over stdio
 * only. Extend this class to change a tool, or to add a tool that uses `filesFor(context)`.
 *
 * Some tools, such as move_file, return structured content that `tools/list` does not describe, because each description costs
 * tokens in every conversation.
 */
@McpServer({
  name: 'mcp-fs',
  title: 'Filesystem',
  version: VERSION,
  description: 'Reads, searches and changes files inside the allowed directories only.',
  instructions:
    "Paths are absolute, or relative to the first allowed directory. In globs, * matches within one path segment and ** matches across directories. get_file_info, write_file, append_file and edit_file return a file's etag; read_text_file shows it only if the text that it returns is valid JSON. " +
    'A truncated result says so: continue with the offset or cursor that it names, or narrow the call.',
})
export class FilesystemServer implements ServerObject, ResourceLister, ToolSelector {
  /**
   * The operator's options. A subclass with its own options class redeclares this property:
   * `declare protected readonly options: AcmeOptions`.
   */
  protected readonly options: FilesystemOptions;
  readonly #runtime: FilesystemRuntime;

  constructor(options: FilesystemOptions) {
    this.options = options;
    this.#runtime = new FilesystemRuntime(options, this);
  }

  /** The operator's selection of tools. */
  get toolSelection(): ToolSelection {
    return this.options;
  }

  @Tool({
    title: 'Read text file',
    description: 'Read a text file or a range of its lines; detects the encoding',
    annotations: READS,
    _meta: { ...LARGE_RESULTS, ...ALWAYS_LOADED },
  })
  async readTextFile(input: ReadTextFileInput, context: RequestContext): Promise<Result> {
    return textWindowResult(await readTextFile(await this.filesFor(context), input, context), input.path);
  }

  @Tool({ title: 'Read file', description: 'Deprecated: use read_text_file', annotations: READS })
  async readFile(input: ReadFileInput, context: RequestContext): Promise<Result> {
    return this.readTextFile(Object.assign(new ReadTextFileInput(), input), context);
  }

  @Tool({
    title: 'Read multiple files',
    description: 'Read several text files or line ranges; a failed file does not fail the others',
    annotations: READS,
    _meta: LARGE_RESULTS,
  })
  async readMultipleFiles(input: ReadMultipleFilesInput, context: RequestContext): Promise<BlocksResult> {
    return multipleFilesResult(await readMultipleFiles(await this.filesFor(context), input, context));
  }

  @Tool({ title: 'Read media file', description: 'Read a whole image, audio or other binary file', annotations: READS })
  async readMediaFile(input: ReadMediaFileInput, context: RequestContext): Promise<BlocksResult> {
    return mediaResult(await readMediaFile(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Get file info',
    description: 'Describe a file or directory: type, size, times, permissions, etag',
    output: FileInfo,
    annotations: READS,
  })
  async getFileInfo(input: GetFileInfoInput, context: RequestContext): Promise<Result> {
    return fileInfoResult(await getFileInfo(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'List allowed directories',
    description: 'List the allowed directories (roots); relative paths start at the first',
    output: AllowedDirectories,
    annotations: READS,
  })
  async listAllowedDirectories(context: RequestContext): Promise<Result> {
    return allowedDirectoriesResult(await listAllowedDirectories(await this.filesFor(context)));
  }

  @Tool({
    title: 'List directory',
    description: 'List the files and directories in a directory',
    output: DirectoryListing,
    annotations: READS,
    app: TREE_VIEW,
  })
  async listDirectory(input: ListDirectoryInput, context: RequestContext): Promise<Result> {
    return directoryListingResult(await listDirectory(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'List directory with sizes',
    description: 'List a directory with file sizes and their total',
    annotations: READS,
    app: TREE_VIEW,
  })
  async listDirectoryWithSizes(input: ListDirectoryInput, context: RequestContext): Promise<Result> {
    return directorySizesResult(await listDirectory(await this.filesFor(context), input, context, { facts: true, totals: true }));
  }

  @Tool({
    title: 'Directory tree',
    description: 'Show a directory recursively as a tree. For one level use list_directory',
    annotations: READS,
    _meta: LARGE_RESULTS,
    app: TREE_VIEW,
  })
  async directoryTree(input: DirectoryTreeInput, context: RequestContext): Promise<Result> {
    return directoryTreeResult(await directoryTree(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Search files',
    description: 'Find files and directories recursively by name or path glob. For contents use search_content',
    output: FileMatches,
    annotations: READS,
    _meta: LARGE_RESULTS,
  })
  async searchFiles(input: SearchFilesInput, context: RequestContext): Promise<Result> {
    return fileMatchesResult(await searchFiles(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Search content',
    description: 'Search file contents (grep): find lines in text files recursively. For file names use search_files',
    output: ContentMatches,
    annotations: READS,
    _meta: { ...LARGE_RESULTS, ...ALWAYS_LOADED },
  })
  async searchContent(input: SearchContentInput, context: RequestContext): Promise<Result> {
    return contentMatchesResult(await searchContent(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Compare files',
    description: 'Show the differences between two text files (diff)',
    annotations: READS,
    sets: ['compare'],
  })
  async diffFiles(input: DiffFilesInput, context: RequestContext): Promise<Result> {
    return fileDiffResult(await diffFiles(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Write file',
    description: 'Create a file or replace its whole content atomically',
    output: WrittenFile,
    annotations: { ...WRITES, idempotentHint: true },
  })
  async writeFile(input: WriteFileInput, context: RequestContext): Promise<Result> {
    return writtenFileResult(await writeFile(await this.filesFor(context), input, context), 'Replaced');
  }

  @Tool({ title: 'Append to file', description: 'Append text to a file', output: WrittenFile, annotations: ADDS })
  async appendFile(input: AppendFileInput, context: RequestContext): Promise<Result> {
    return writtenFileResult(await appendFile(await this.filesFor(context), input, context), 'Appended to');
  }

  @Tool({
    title: 'Edit file',
    description: 'Replace texts in a file, all or none, and show the diff',
    annotations: WRITES,
    _meta: ALWAYS_LOADED,
    app: CHANGE_VIEW,
  })
  async editFile(input: EditFileInput, context: RequestContext): Promise<Result> {
    return editResult(await editFile(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Replace in files',
    description: 'Replace a text in all files below a directory, all or none, and show the diff',
    annotations: WRITES,
    app: CHANGE_VIEW,
  })
  async replaceInFiles(input: ReplaceInFilesInput, context: RequestContext): Promise<Result> {
    return replaceResult(await replaceInFiles(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Create directory',
    description: 'Create a directory and missing parents; succeeds if it exists',
    annotations: { ...ADDS, idempotentHint: true },
  })
  async createDirectory(input: PathInput, context: RequestContext): Promise<Result> {
    return createdDirectoryResult(await createDirectory(await this.filesFor(context), input, context));
  }

  @Tool({ title: 'Copy file', description: 'Copy a file or a whole directory', annotations: WRITES })
  async copyFile(input: CopyFileInput, context: RequestContext): Promise<Result> {
    return madeChangeResult(await copyFile(await this.filesFor(context), input, context), 'Copied to');
  }

  @Tool({ title: 'Move file', description: 'Move or rename a file, symbolic link or directory', annotations: WRITES })
  async moveFile(input: MoveFileInput, context: RequestContext): Promise<Result> {
    return madeChangeResult(await moveFile(await this.filesFor(context), input, context), 'Moved to');
  }

  @Tool({ title: 'Delete file', description: 'Delete a file, symbolic link or directory', annotations: WRITES })
  async deleteFile(input: DeleteFileInput, context: RequestContext): Promise<Result> {
    return madeChangeResult(await deleteFile(await this.filesFor(context), input, context), 'Deleted', []);
  }

  @Tool({ title: 'Undo change', description: 'Undo a change made by these tools', annotations: WRITES })
  async undoChange(input: UndoChangeInput, context: RequestContext): Promise<Result> {
    return undoResult(await undoChange(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'List changes',
    description: 'List the changes that undo_change can undo',
    annotations: READS,
    // A caller without the scope `write` can undo nothing. Because of this scope, --read-only hides the tool as well.
    scopes: ['write'],
    app: HISTORY_VIEW,
  })
  async listChanges(input: ListChangesInput, context: RequestContext): Promise<Result> {
    const files = await this.filesFor(context);
    return changeListResult(await listChanges(files, input), async () => ({ checkpoints: await listCheckpoints(files) }));
  }

  @Tool({
    title: 'Review change',
    description: 'Compare the files of a change with their texts before the change, hunk by hunk',
    annotations: READS,
    scopes: ['write'],
    app: CHANGE_VIEW,
    visibility: ['app'],
  })
  async reviewChange(input: ReviewChangeInput, context: RequestContext): Promise<Result> {
    return reviewedChangeResult(await reviewChange(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Refuse hunks',
    description: 'Give hunks of a changed file the lines that they had before the change',
    annotations: WRITES,
    app: CHANGE_VIEW,
    visibility: ['app'],
  })
  async refuseHunks(input: RefuseHunksInput, context: RequestContext): Promise<Result> {
    return refusedHunksResult(await refuseHunks(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Checkpoint',
    description: 'Name the current moment, so that rewind can take back all later changes of these tools',
    annotations: ADDS,
    sets: ['checkpoints'],
    app: HISTORY_VIEW,
  })
  async checkpoint(input: CheckpointInput, context: RequestContext): Promise<Result> {
    return checkpointResult(await checkpoint(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Rewind',
    description:
      'Take back all changes that these tools made since a checkpoint, and merge edits that others made since. Shows the plan unless apply is set. For one change use undo_change',
    annotations: WRITES,
    sets: ['checkpoints'],
    app: HISTORY_VIEW,
  })
  async rewind(input: RewindInput, context: RequestContext): Promise<Result> {
    const files = await this.filesFor(context);
    return rewindResult(await rewind(files, input, context), files.limits.maxBytes);
  }

  @Tool({
    title: 'Read document',
    description: 'Read the text of a PDF, Word (docx), Excel (xlsx), PowerPoint (pptx) or OpenDocument file',
    annotations: READS,
    _meta: LARGE_RESULTS,
    sets: ['documents'],
  })
  async readDocument(input: ReadDocumentInput, context: RequestContext): Promise<Result> {
    return documentResult(await readDocument(await this.filesFor(context), input, context), input.path);
  }

  @Tool({
    title: 'List archive',
    description: 'List the entries of a ZIP or tar archive (zip, jar, docx, tar, tar.gz)',
    annotations: READS,
    sets: ['archives'],
  })
  async listArchive(input: ListArchiveInput, context: RequestContext): Promise<Result> {
    return archiveListingResult(await listArchive(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Extract archive',
    description: 'Extract (unzip) files of a ZIP or tar archive into a directory, all or none',
    annotations: WRITES,
    sets: ['archives'],
  })
  async extractArchive(input: ExtractArchiveInput, context: RequestContext): Promise<Result> {
    return extractedArchiveResult(await extractArchive(await this.filesFor(context), input, context));
  }

  @App({
    uri: CHANGE_VIEW,
    title: 'Change',
    description: 'The hunks of a change, to accept, refuse or edit',
    calls: ['review_change', 'refuse_hunks', 'undo_change', 'edit_file'],
  })
  changeView(): Promise<string> {
    return readView(VIEWS, 'change');
  }

  @App({
    uri: HISTORY_VIEW,
    title: 'Changes and checkpoints',
    description: 'The changes that can be undone, and the checkpoints to which the files can return',
    calls: ['list_changes', 'review_change', 'refuse_hunks', 'undo_change', 'edit_file', 'checkpoint', 'rewind'],
  })
  historyView(): Promise<string> {
    return readView(VIEWS, 'history');
  }

  @App({
    uri: TREE_VIEW,
    title: 'Files',
    description: 'A directory as a tree with sizes, and a preview of files',
    calls: ['list_directory', 'read_text_file', 'read_media_file'],
  })
  treeView(): Promise<string> {
    return readView(VIEWS, 'tree');
  }

  @Resource({
    uriTemplate: FILE,
    name: 'file',
    title: 'File or directory',
    description: 'A file or the entries of a directory inside the allowed directories',
  })
  async file(uri: FileUri, context: RequestContext): Promise<{ readonly contents: readonly FileContents[] }> {
    return { contents: [await readFileResource(await this.filesFor(context), toAbsolutePath(uri), context)] };
  }

  @Complete({ resource: FILE, argument: 'path' })
  async completeFile(typed: string, _: unknown, context: RequestContext): Promise<Candidates> {
    return completeUriPath((await this.filesFor(context)).roots, typed);
  }

  @Prompt({ title: 'Review file', description: 'Review a text file' })
  async reviewFile(args: ReviewFileArguments, context: RequestContext): Promise<readonly PromptMessage[]> {
    return reviewFile(await this.filesFor(context), args, context);
  }

  @Complete({ prompt: 'review_file', argument: 'path' })
  async completePath(typed: string, _: unknown, context: RequestContext): Promise<Candidates> {
    return completePath((await this.filesFor(context)).roots, typed);
  }

  @Prompt({ title: 'Summarize directory', description: 'Explain the purpose and structure of a directory' })
  async summarizeDirectory(args: SummarizeDirectoryArguments, context: RequestContext): Promise<readonly PromptMessage[]> {
    return summarizeDirectory(await this.filesFor(context), args, context);
  }

  @Complete({ prompt: 'summarize_directory', argument: 'path' })
  async completeDirectory(typed: string, _: unknown, context: RequestContext): Promise<Candidates> {
    return completePath((await this.filesFor(context)).roots, typed, 'directory');
  }

  /**
   * Returns the files that a call may access: those inside the operator's directories that the client's roots also allow. If the
   * operator gave no directories, returns the files inside the client's roots. The caller closes every handle that it opens
   * (`await using`).
   *
   * On protocol version 2026-07-28, this method may end the call to request the client's roots. The client then sends the call
   * again with its answer, so call this method before any side effect.
   *
   * @throws ToolError ROOTS_REQUIRED, NO_ANSWER, INVALID_ANSWER
   */
  protected filesFor(context: RequestContext): Promise<Files> {
    return this.#runtime.filesFor(context, this.rewindCompanion);
  }

  /**
   * State beside the files that `checkpoint` records and `rewind` restores; `undefined` by default. In a process with a
   * `GitServer`, a subclass returns the `repositoryStates` of the `GitServer`.
   */
  protected get rewindCompanion(): RewindCompanion | undefined {
    return undefined;
  }

  /**
   * Opens the directories. A missing directory is used as soon as it exists.
   *
   * @throws UsageError for an unusable directory or glob, and without directories over HTTP
   */
  open(log?: OperatorLog): Promise<void> {
    return this.#runtime.open(log);
  }

  /**
   * Watches the file or directory of a `file:` URI. Returns `undefined` for any other URI, and for a path that does not exist in
   * the operator's directories.
   */
  watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    return this.#runtime.watch(uri, updated);
  }

  /**
   * Lists the operator's existing directories. After the first call, clients are notified when one of the directories appears,
   * disappears or is replaced.
   */
  listResources(): Promise<readonly ResourceDefinition[]> {
    return this.#runtime.listResources();
  }

  /**
   * Returns the findings of `check` and `server://info` about the directories and the state directory. An override adds its own
   * findings.
   */
  diagnose(): Promise<readonly Diagnosis[]> {
    return this.#runtime.diagnose();
  }

  /** Releases everything that `open` acquired. An override calls `super[Symbol.asyncDispose]()` last. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtime[Symbol.asyncDispose]();
  }
}
