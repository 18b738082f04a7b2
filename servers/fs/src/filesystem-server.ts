import { McpServer, Prompt, RequestContext, Resource, Tool, type Result } from '@org/mcp-decorators';
import { UsageError, type Diagnosis, type ServerObject } from '@org/mcp-host';
import { GlobError, RootError, type Roots } from '@org/mcp-roots';
import { WatchHub } from '@org/mcp-watch';

import type { Files } from './files.ts';
import { diagnoseRoots } from './diagnose-roots.ts';
import type { FilesystemOptions } from './filesystem-options.ts';
import { openRoots } from './open-roots.ts';
import { absolutePathOf, FileUri } from './operations/file-uri.ts';
import { FileInfo, getFileInfo } from './operations/get-file-info.ts';
import { AllowedDirectories, listAllowedDirectories } from './operations/list-allowed-directories.ts';
import { DirectoryListing, listDirectory } from './operations/list-directory.ts';
import { PathInput } from './operations/path-input.ts';
import { readFileResource } from './operations/read-file-resource.ts';
import { ReadTextFileInput, readTextFile } from './operations/read-text-file.ts';
import { ReviewFileArguments, reviewFile, type ReviewMessage } from './operations/review-file.ts';
import { FileMatches, SearchFilesInput, searchFiles } from './operations/search-files.ts';
import { WriteFileInput, writeFile, WrittenFile } from './operations/write-file.ts';
import { allowedResult, fileInfoResult, listingResult, matchesResult, windowResult, writtenResult } from './results.ts';
import { subjectOf } from './subject.ts';
import { VERSION } from './version.ts';

/** Files inside the operator's directories. Subclass it to change a tool, or to add one that works on `filesFor(context)`. */
@McpServer({
  name: 'mcp-fs',
  title: 'Filesystem',
  version: VERSION,
  description: 'Reads, finds and writes files inside the given directories, and nothing outside them.',
  instructions:
    'Paths are absolute, or relative to the first allowed directory. Results that were cut say so: read on with the offset they name, or narrow the call.',
})
export class FilesystemServer implements ServerObject {
  /** What the operator chose; a subclass with options of its own redeclares it with their class. */
  protected readonly options: FilesystemOptions;
  readonly #hub = new WatchHub();
  #opened: Roots | undefined;

  constructor(options: FilesystemOptions) {
    this.options = options;
  }

  /**
   * The files that a call may touch: those inside the operator's directories that the client allows, too.
   *
   * On 2026-07-28 the method is left here and run again with the client's answer, so side effects come after it.
   */
  protected async filesFor(context: RequestContext): Promise<Files> {
    const clientRoots = await context.roots();
    return { roots: await this.#roots.narrowedTo(clientRoots?.map(({ uri }) => uri)), limits: this.options };
  }

  /** Holds the directories. Throws a `UsageError` for one that cannot be used; one that is missing may come later. */
  async open(): Promise<void> {
    try {
      this.#opened = await openRoots(this.options);
    } catch (error) {
      const isUsage = error instanceof RootError || error instanceof GlobError;
      throw isUsage ? new UsageError(error.message, { cause: error }) : error;
    }
  }

  /** Subscriptions cannot ask the client for its roots: they are bounded by the operator's directories. */
  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    const subject = await subjectOf(this.#roots, uri);
    return subject && this.#hub.watch(subject, updated);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#hub[Symbol.asyncDispose]();
    await this.#opened?.[Symbol.asyncDispose]();
  }

  diagnose(): Promise<readonly Diagnosis[]> {
    return diagnoseRoots(this.#roots);
  }

  @Tool({
    title: 'Read text file',
    description: 'Read a UTF-8 text file, whole or a range of its lines',
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  async readTextFile(input: ReadTextFileInput, context: RequestContext): Promise<Result> {
    return windowResult(await readTextFile(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'List directory',
    description: 'List the files and directories in a directory, by name',
    output: DirectoryListing,
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  async listDirectory(input: PathInput, context: RequestContext): Promise<Result> {
    return listingResult(await listDirectory(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Search files',
    description: 'Find files and directories below a directory by a glob on their path',
    output: FileMatches,
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  async searchFiles(input: SearchFilesInput, context: RequestContext): Promise<Result> {
    return matchesResult(await searchFiles(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Write file',
    description: 'Create a file or replace its whole content; the change is atomic',
    output: WrittenFile,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  })
  async writeFile(input: WriteFileInput, context: RequestContext): Promise<Result> {
    return writtenResult(await writeFile(await this.filesFor(context), input));
  }

  @Tool({
    title: 'Get file info',
    description: 'Type, size, times and permissions of a file or directory',
    output: FileInfo,
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  async getFileInfo(input: PathInput, context: RequestContext): Promise<Result> {
    return fileInfoResult(await getFileInfo(await this.filesFor(context), input));
  }

  @Tool({
    title: 'List allowed directories',
    description: 'The directories that paths may lie in',
    output: AllowedDirectories,
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  async listAllowedDirectories(context: RequestContext): Promise<Result> {
    return allowedResult(await listAllowedDirectories(await this.filesFor(context)));
  }

  @Resource({ uriTemplate: 'file:///{+path}', name: 'file', title: 'File', description: 'A file inside the allowed directories' })
  async file(uri: FileUri, context: RequestContext): Promise<string | Uint8Array> {
    return readFileResource(await this.filesFor(context), absolutePathOf(uri), context);
  }

  @Prompt({ title: 'Review file', description: 'Review a text file' })
  async reviewFile(args: ReviewFileArguments, context: RequestContext): Promise<readonly ReviewMessage[]> {
    return reviewFile(await this.filesFor(context), args, context);
  }

  get #roots(): Roots {
    if (this.#opened === undefined) throw new Error('the server is not open: await server.open()');
    return this.#opened;
  }
}
