import { RequestContext, Tool, type Result } from '@org/mcp-decorators';

import { DirectoryListing, listDirectory } from './operations/list-directory.ts';
import { PathInput } from './operations/path-input.ts';
import { FileMatches, SearchFilesInput, searchFiles } from './operations/search-files.ts';
import { listingResult, matchesResult } from './finding-results.ts';
import { ReadingTools } from './reading-tools.ts';

const READS = { readOnlyHint: true, openWorldHint: false } as const;

/** Tools that list directories and search in them. */
export abstract class FindingTools extends ReadingTools {
  @Tool({
    title: 'List directory',
    description: 'List the files and directories in a directory, by name',
    output: DirectoryListing,
    annotations: READS,
  })
  async listDirectory(input: PathInput, context: RequestContext): Promise<Result> {
    return listingResult(await listDirectory(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Search files',
    description: 'Find files and directories below a directory by a glob on their path',
    output: FileMatches,
    annotations: READS,
  })
  async searchFiles(input: SearchFilesInput, context: RequestContext): Promise<Result> {
    return matchesResult(await searchFiles(await this.filesFor(context), input, context));
  }
}
