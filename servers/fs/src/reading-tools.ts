import { RequestContext, Tool, type Result } from '@org/mcp-decorators';
import { LARGE_RESULTS } from '@org/mcp-host';

import { FileInfo, getFileInfo, GetFileInfoInput } from './operations/get-file-info.ts';
import { AllowedDirectories, listAllowedDirectories } from './operations/list-allowed-directories.ts';
import { ReadFileInput } from './operations/lines-input.ts';
import { readMediaFile, ReadMediaFileInput } from './operations/read-media-file.ts';
import { readMultipleFiles, ReadMultipleFilesInput } from './operations/read-multiple-files.ts';
import { ReadTextFileInput, readTextFile } from './operations/read-text-file.ts';
import {
  allowedResult,
  fileInfoResult,
  filesResult,
  mediaResult,
  windowResult,
  type BlocksResult,
} from './results/reading-results.ts';
import { FilesystemGround } from './filesystem-ground.ts';

const READS = { readOnlyHint: true, openWorldHint: false } as const;

/** Tools that read one or several files, and say what there is to read. */
export abstract class ReadingTools extends FilesystemGround {
  @Tool({
    title: 'Read text file',
    description: 'Read a text file or a range of its lines',
    annotations: READS,
    _meta: { ...LARGE_RESULTS, 'anthropic/alwaysLoad': true },
  })
  async readTextFile(input: ReadTextFileInput, context: RequestContext): Promise<Result> {
    return windowResult(await readTextFile(await this.filesFor(context), input, context), input.path);
  }

  @Tool({ title: 'Read file', description: 'Deprecated: use read_text_file', annotations: READS })
  async readFile(input: ReadFileInput, context: RequestContext): Promise<Result> {
    return this.readTextFile(Object.assign(new ReadTextFileInput(), input), context);
  }

  @Tool({
    title: 'Read multiple files',
    description: 'Read several text files, or ranges of their lines; each may fail by itself',
    _meta: LARGE_RESULTS,
    annotations: READS,
  })
  async readMultipleFiles(input: ReadMultipleFilesInput, context: RequestContext): Promise<BlocksResult> {
    return filesResult(await readMultipleFiles(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Read media file',
    description: 'Read an image, audio or other file whole',
    annotations: READS,
  })
  async readMediaFile(input: ReadMediaFileInput, context: RequestContext): Promise<BlocksResult> {
    return mediaResult(await readMediaFile(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Get file info',
    description: 'Describe a file or directory: type, size, times, permissions, MIME type, etag',
    output: FileInfo,
    annotations: READS,
  })
  async getFileInfo(input: GetFileInfoInput, context: RequestContext): Promise<Result> {
    return fileInfoResult(await getFileInfo(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'List allowed directories',
    description: 'List the allowed directories; relative paths start at the first',
    output: AllowedDirectories,
    annotations: READS,
  })
  async listAllowedDirectories(context: RequestContext): Promise<Result> {
    return allowedResult(await listAllowedDirectories(await this.filesFor(context)));
  }
}
