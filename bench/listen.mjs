import { once } from 'node:events';

/** Takes connections on a port that is free; resolves to the address. */
export async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}
