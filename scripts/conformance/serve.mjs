import { serveHttp } from '@org/mcp-host';

/** Serves a server object over Streamable HTTP while `work` runs; `work` receives the URL. */
export async function withHttpServer(server, work) {
  await server.open?.();
  const service = await serveHttp({ '/mcp': server });
  try {
    return await work(`${service.url.replace('127.0.0.1', 'localhost')}/mcp`);
  } finally {
    await service.close();
    await server[Symbol.asyncDispose]?.();
  }
}
