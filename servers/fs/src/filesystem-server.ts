import { McpServer, Prompt, RequestContext, Resource } from '@org/mcp-decorators';

import { absolutePathOf, FileUri } from './operations/file-uri.ts';
import { readFileResource } from './operations/read-file-resource.ts';
import { ReviewFileArguments, reviewFile, type ReviewMessage } from './operations/review-file.ts';
import { VERSION } from './version.ts';
import { WritingTools } from './writing-tools.ts';

/** Files inside the operator's directories. Subclass it to change a tool, or to add one that works on `filesFor(context)`. */
@McpServer({
  name: 'mcp-fs',
  title: 'Filesystem',
  version: VERSION,
  description: 'Reads, finds and writes files inside the given directories, and nothing outside them.',
  instructions:
    'Paths are absolute, or relative to the first allowed directory. Results that were cut say so: read on with the offset they name, or narrow the call.',
})
export class FilesystemServer extends WritingTools {
  @Resource({ uriTemplate: 'file:///{+path}', name: 'file', title: 'File', description: 'A file inside the allowed directories' })
  async file(uri: FileUri, context: RequestContext): Promise<string | Uint8Array> {
    return readFileResource(await this.filesFor(context), absolutePathOf(uri), context);
  }

  @Prompt({ title: 'Review file', description: 'Review a text file' })
  async reviewFile(args: ReviewFileArguments, context: RequestContext): Promise<readonly ReviewMessage[]> {
    return reviewFile(await this.filesFor(context), args, context);
  }
}
