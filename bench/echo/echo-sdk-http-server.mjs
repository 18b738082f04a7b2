import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';

import { echoServer } from './echo-sdk.mjs';
import { listen } from './listen.mjs';

/**
 * Serves both protocol revisions like `echo-http-server.mjs`, with the SDK alone: at /mcp without sessions, at /sessions
 * with sessions, and at any other path with sessions and JSON responses.
 */
const serveStateless = toNodeHandler(createMcpHandler(echoServer, { legacy: 'reject' }));
const transports = new Map();

process.send({ url: await listen(createServer((request, response) => void serverOf(request)(request, response))) });

function serverOf({ url }) {
  if (url === '/mcp') return serveStateless;
  return url === '/sessions' ? serveSession : serveJsonSession;
}

function serveSession(request, response) {
  return inSession(request, response, {});
}

/** Answers with one JSON body, whereas the SDK would open a stream by default. */
function serveJsonSession(request, response) {
  return inSession(request, response, { enableJsonResponse: true });
}

async function inSession(request, response, options) {
  const transport = transports.get(request.headers['mcp-session-id']) ?? (await open(options));
  await transport.handleRequest(request, response);
}

async function open(options) {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => transports.set(id, transport),
    ...options,
  });
  await echoServer().connect(transport);
  return transport;
}
