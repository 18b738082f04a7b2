import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

/** A server with large results, written with the SDK alone. */
serveStdio(() => {
  const server = new McpServer({ name: 'large-result', version: '1.0.0' });
  server.registerTool('large', { description: 'Answer with a text of 1 MiB' }, () => ({
    content: [{ type: 'text', text: 'x'.repeat(1024 * 1024) }],
  }));
  return server;
});
