import { RequestContext, Tool, type Result } from '@org/mcp-decorators';

import { FileInfo, getFileInfo } from './operations/get-file-info.ts';
import { AllowedDirectories, listAllowedDirectories } from './operations/list-allowed-directories.ts';
import { PathInput } from './operations/path-input.ts';
import { ReadTextFileInput, readTextFile } from './operations/read-text-file.ts';
import { allowedResult, fileInfoResult, windowResult } from './reading-results.ts';
import { FilesystemGround } from './filesystem-ground.ts';

const READS = { readOnlyHint: true, openWorldHint: false } as const;

/** Tools that read one or several files, and say what there is to read. */
export abstract class ReadingTools extends FilesystemGround {
  @Tool({
    title: 'Read text file',
    description: 'Read a UTF-8 text file, whole or a range of its lines',
    annotations: READS,
  })
  async readTextFile(input: ReadTextFileInput, context: RequestContext): Promise<Result> {
    return windowResult(await readTextFile(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Get file info',
    description: 'Type, size, times and permissions of a file or directory',
    output: FileInfo,
    annotations: READS,
  })
  async getFileInfo(input: PathInput, context: RequestContext): Promise<Result> {
    return fileInfoResult(await getFileInfo(await this.filesFor(context), input));
  }

  @Tool({
    title: 'List allowed directories',
    description: 'The directories that paths may lie in',
    output: AllowedDirectories,
    annotations: READS,
  })
  async listAllowedDirectories(context: RequestContext): Promise<Result> {
    return allowedResult(await listAllowedDirectories(await this.filesFor(context)));
  }
}
