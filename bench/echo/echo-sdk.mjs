import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const inputSchema = z.strictObject({ text: z.string().max(10_000_000), times: z.int().min(0), loud: z.boolean() });

/** The same server as in `echo.mjs`, written with the SDK alone. */
export function echoServer() {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  server.registerTool('echo', { description: 'Answer with the text', inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  return server;
}
