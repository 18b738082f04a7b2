// A server that stalls on request, for the test of the search for stalls.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const server = new McpServer({ name: 'slow', version: '0' });
const inputSchema = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] });

server.registerTool('quadratic', { inputSchema }, ({ text }) => ({
  content: [{ type: 'text', text: text.replace(/ +$/, '') }],
}));
server.registerTool('linear', { inputSchema }, ({ text }) => ({ content: [{ type: 'text', text: text.trimEnd() }] }));
server.registerTool('patient', { inputSchema }, async ({ text }) => {
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { content: [{ type: 'text', text }] };
});

await server.connect(new StdioServerTransport());
