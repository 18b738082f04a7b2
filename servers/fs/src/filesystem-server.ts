import { Complete, McpServer, Prompt, RequestContext, Resource, type Candidates } from '@org/mcp-decorators';

import { completePath, completeUriPath } from './resources/complete-path.ts';
import { absolutePathOf, FileUri } from './resources/file-uri.ts';
import type { PromptMessage } from './resources/prompt-message.ts';
import { readFileResource, type FileContents } from './resources/read-file-resource.ts';
import { ReviewFileArguments, reviewFile } from './resources/review-file.ts';
import { SummarizeDirectoryArguments, summarizeDirectory } from './resources/summarize-directory.ts';
import { VERSION } from './version.ts';
import { WritingTools } from './writing-tools.ts';

const FILE = 'file:///{+path}';

/** Files inside the operator's directories. Subclass it to change a tool, or to add one that works on `filesFor(context)`. */
@McpServer({
  name: 'mcp-fs',
  title: 'Filesystem',
  version: VERSION,
  description: 'Reads, finds and writes files inside the given directories, and nothing outside them.',
  instructions:
    "Paths are absolute, or relative to the first allowed directory. In globs * stays within a name, ** does not. get_file_info and changes return a file's etag; read_text_file does if the text is JSON. " +
    'Results that were cut say so: go on with the offset or cursor that they name, or narrow the call.',
})
export class FilesystemServer extends WritingTools {
  @Resource({
    uriTemplate: FILE,
    name: 'file',
    title: 'File or directory',
    description: 'A file inside the allowed directories, or what a directory holds',
  })
  async file(uri: FileUri, context: RequestContext): Promise<{ readonly contents: readonly FileContents[] }> {
    return { contents: [await readFileResource(await this.filesFor(context), absolutePathOf(uri), context)] };
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

  @Prompt({ title: 'Summarize directory', description: 'Say what a directory is for and how it is organized' })
  async summarizeDirectory(args: SummarizeDirectoryArguments, context: RequestContext): Promise<readonly PromptMessage[]> {
    return summarizeDirectory(await this.filesFor(context), args, context);
  }

  @Complete({ prompt: 'summarize_directory', argument: 'path' })
  async completeDirectory(typed: string, _: unknown, context: RequestContext): Promise<Candidates> {
    return completePath((await this.filesFor(context)).roots, typed, 'directory');
  }
}
