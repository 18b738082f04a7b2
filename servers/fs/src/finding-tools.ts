import { RequestContext, Tool, type Result } from '@org/mcp-decorators';
import { LARGE_RESULTS } from '@org/mcp-host';

import { contentResult, listingResult, matchesResult, sizesResult, treeResult } from './results/finding-results.ts';
import { ContentMatches } from './operations/content-matches.ts';
import { DirectoryTreeInput, directoryTree } from './operations/directory-tree.ts';
import { DirectoryListing, ListDirectoryInput, listDirectory } from './operations/list-directory.ts';
import { SearchContentInput, searchContent } from './operations/search-content.ts';
import { FileMatches, SearchFilesInput, searchFiles } from './operations/search-files.ts';
import { ReadingTools } from './reading-tools.ts';

const READS = { readOnlyHint: true, openWorldHint: false } as const;

/** Tools that list directories and search in them. */
export abstract class FindingTools extends ReadingTools {
  @Tool({
    title: 'List directory',
    description: 'List the files and directories in a directory',
    output: DirectoryListing,
    annotations: READS,
  })
  async listDirectory(input: ListDirectoryInput, context: RequestContext): Promise<Result> {
    return listingResult(await listDirectory(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'List directory with sizes',
    description: 'List the files and directories in a directory with their sizes and the total',
    annotations: READS,
  })
  async listDirectoryWithSizes(input: ListDirectoryInput, context: RequestContext): Promise<Result> {
    return sizesResult(await listDirectory(await this.filesFor(context), input, context, true));
  }

  @Tool({
    title: 'Directory tree',
    description: 'Show the files and directories below a directory as a tree',
    _meta: LARGE_RESULTS,
    annotations: READS,
  })
  async directoryTree(input: DirectoryTreeInput, context: RequestContext): Promise<Result> {
    return treeResult(await directoryTree(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Search files',
    description: 'Find files and directories below a directory by a glob on their path',
    _meta: LARGE_RESULTS,
    output: FileMatches,
    annotations: READS,
  })
  async searchFiles(input: SearchFilesInput, context: RequestContext): Promise<Result> {
    return matchesResult(await searchFiles(await this.filesFor(context), input, context));
  }

  @Tool({
    title: 'Search content',
    description: 'Search file contents (grep): find lines in the text files below a directory',
    output: ContentMatches,
    annotations: READS,
    _meta: { ...LARGE_RESULTS, 'anthropic/alwaysLoad': true },
  })
  async searchContent(input: SearchContentInput, context: RequestContext): Promise<Result> {
    return contentResult(await searchContent(await this.filesFor(context), input, context));
  }
}
