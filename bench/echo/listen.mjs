import { once } from 'node:events';

/** Makes the server listen on a free port. Resolves to the server's URL. */
export async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}
