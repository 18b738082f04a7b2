import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

/** The server of `echo-server.mjs`, written with the SDK alone; its own entry for stdio serves both eras too. */
const inputSchema = z.strictObject({ text: z.string().max(10_000_000), times: z.int().min(0), loud: z.boolean() });

serveStdio(() => {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  server.registerTool('echo', { description: 'Answer with the text', inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  return server;
});
