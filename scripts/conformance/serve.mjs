import { once } from 'node:events';
import { createServer } from 'node:http';

import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { Changes, serverFactory } from '@org/mcp-decorators';

/** Serves a server object over Streamable HTTP, without sessions, for as long as `work` takes; `work` gets the URL. */
export async function withHttpServer(server, work) {
  await server.open?.();
  const handler = createMcpHandler(serverFactory(server), { bus: Changes.of(server) });
  const http = createServer(guarded(toNodeHandler(handler)));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  try {
    return await work(`http://127.0.0.1:${http.address().port}/mcp`);
  } finally {
    http.closeAllConnections();
    http.close();
    await once(http, 'close');
    await server[Symbol.asyncDispose]?.();
  }
}

function guarded(handle) {
  const guards = [localhostHostValidation(), localhostOriginValidation()];
  return (request, response) => {
    if (guards.every((allows) => allows(request, response))) void handle(request, response);
  };
}
