import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

/** What the protocol's CancelRequest needs to name a backend, and where to send it. */
export interface BackendKey {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | ConnectionOptions;
  readonly processId: number;
  readonly secretKey: number;
}

const CANCEL_CODE = 80_877_102;
const SSL_CODE = 80_877_103;
const TIMEOUT_MS = 2000;

/**
 * Asks the server on a socket of its own to cancel what the backend is doing; resolves once the server has closed the socket,
 * that is when the signal has been sent.
 */
export async function requestCancel(key: BackendKey): Promise<void> {
  const socket = await open(key);
  socket.end(message([16, CANCEL_CODE, key.processId, key.secretKey]));
  socket.resume();
  await once(socket, 'close');
}

/** Asks the server to encrypt what follows on a socket; `false`: it does not. */
export async function requestTls(socket: Socket): Promise<boolean> {
  socket.write(message([8, SSL_CODE]));
  const [answer]: unknown[] = await Promise.race([once(socket, 'data'), hungUp(socket)]);
  return String(answer) === 'S';
}

async function hungUp(socket: Socket): Promise<never> {
  await once(socket, 'close');
  throw new Error('Connection terminated unexpectedly');
}

async function open({ host, port, ssl }: BackendKey): Promise<Socket> {
  const socket = host.startsWith('/') ? connectSocket(`${host}/.s.PGSQL.${port}`) : connectSocket(port, host);
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the server did not take the cancel request')));
  // Whoever waits for the socket is told; in between nobody waits.
  socket.on('error', ignore);
  await once(socket, 'connect');
  if (ssl === false) return socket;
  // The key is worth no less than the connection it belongs to: never sent in clear where that is encrypted.
  if (!(await requestTls(socket))) throw new Error('the server does not speak TLS');
  const secure = connectTls({ socket, host, ...(typeof ssl === 'object' && ssl) });
  secure.on('error', ignore);
  await once(secure, 'secureConnect');
  return secure;
}

function message(words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(words.length * 4);
  // The key is a signed number in pg and any 32 bits on the wire.
  words.forEach((word, index) => bytes.writeInt32BE(word | 0, index * 4));
  return bytes;
}

function ignore(): void {
  // Told by the promise.
}
