import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Serves the bare repositories in a directory over HTTP with `git http-backend`. */
export async function startGitHost(root: string): Promise<{ readonly origin: string } & Disposable> {
  const server = createServer((request, response) => void serve(root, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function serve(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://host');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      REMOTE_ADDR: '127.0.0.1',
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(backend.stdin);
  const answer = await buffer(backend.stdout);
  const end = answer.indexOf('\r\n\r\n');
  const headers = answer
    .subarray(0, end)
    .toString()
    .split('\r\n')
    .map((line) => line.split(': ', 2));
  for (const [name = '', value = ''] of headers) response.setHeader(name, value);
  response.end(answer.subarray(end + 4));
}
