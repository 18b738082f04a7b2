import { McpServer, Tool } from '@org/mcp-decorators';
import { FilesystemOptions, FilesystemServer, PathInput } from '@org/mcp-fs';
import { runServer } from '@org/mcp-host';

/** A filesystem server with one more tool; written without a compiler. */
class ProjectFiles extends FilesystemServer {
  async lineEnds({ path }, context) {
    const { texts } = await super.readTextFile({ path }, context);
    return texts.some((text) => text.includes('\r\n')) ? 'CRLF' : 'LF';
  }
}
const lineEnds = { description: 'Detect the line endings of a file', input: PathInput, annotations: { readOnlyHint: true } };
Tool(lineEnds)(ProjectFiles.prototype, 'lineEnds', {});
McpServer({ name: 'acme-project', version: '1.0.0' })(ProjectFiles);

await runServer(ProjectFiles, FilesystemOptions);
