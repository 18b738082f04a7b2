import { once } from 'node:events';
import { createServer } from 'node:http';

import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serverFactory } from '@org/mcp-decorators';
import { FilesystemOptions, FilesystemServer } from '@org/mcp-fs';

/** Serves a directory over Streamable HTTP, without sessions, for as long as `work` takes; `work` gets the URL. */
export async function withHttpServer(directory, work) {
  const server = new FilesystemServer(Object.assign(new FilesystemOptions(), { directories: [directory] }));
  await server.open();
  const http = createServer(guarded(toNodeHandler(createMcpHandler(serverFactory(server)))));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  try {
    return await work(`http://127.0.0.1:${http.address().port}/mcp`);
  } finally {
    http.closeAllConnections();
    http.close();
    await once(http, 'close');
  }
}

function guarded(handle) {
  const guards = [localhostHostValidation(), localhostOriginValidation()];
  return (request, response) => {
    if (guards.every((allows) => allows(request, response))) void handle(request, response);
  };
}
