import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** PostgreSQL answers this request with one byte, before the client identifies itself. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Starts a proxy to a local port that delays data by `ms` milliseconds in each direction. The proxy does not keep the process
 * alive.
 */
export async function startDelay(port, ms) {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) socket.setNoDelay(true).unref();
    pass(near, far, ms);
    pass(far, near, ms);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return { port: server.address().port };
}

/** Returns the milliseconds of a request that PostgreSQL answers immediately, on an open connection. */
export async function roundTripOf(port) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  const began = performance.now();
  socket.write(SSL_REQUEST);
  await once(socket, 'data');
  const ms = performance.now() - began;
  socket.destroy();
  return ms;
}

function pass(from, to, ms) {
  from.on('data', (chunk) => setTimeout(() => to.writable && to.write(chunk), ms));
  from.on('close', () => setTimeout(() => to.destroy(), ms));
  from.on('error', () => to.destroy());
}
