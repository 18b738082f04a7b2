import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

/** A stream to a database server. `connect` emits the event `connect`, or destroys the stream with an error. */
export interface DialedStream extends Duplex {
  connect(port: number, host: string): unknown;
  connect(path: string): unknown;
}

/** Creates a stream that is not connected yet. */
export type Dial = () => DialedStream;

export function dialDirectly(): DialedStream {
  return new Socket();
}

/** Address and key of a backend for a CancelRequest. */
export interface BackendKey {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | ConnectionOptions;
  readonly processId: number;
  readonly secretKey: number;
  /** Creates the stream of the request. Default: a socket. */
  readonly dial?: Dial | undefined;
}

const CANCEL_CODE = 80_877_102;
const SSL_CODE = 80_877_103;
const TIMEOUT_MS = 2000;
/** Time for a request through a tunnel, which has to be opened first. */
const TUNNEL_TIMEOUT_MS = 10_000;

/**
 * Sends a CancelRequest for the current statement of a backend, on a separate socket. Resolves when the server has closed the
 * socket, which means that the server has signalled the backend.
 */
export async function requestCancel(key: BackendKey): Promise<void> {
  const socket = await open(key);
  // The server must close the socket. PgBouncer 1.18 fails if the client closes the socket before the request is forwarded.
  socket.write(message([16, CANCEL_CODE, key.processId, key.secretKey]));
  socket.resume();
  await once(socket, 'close');
}

/** Requests TLS on a socket. Returns `false` if the server rejects TLS. */
export async function requestTls(socket: Duplex): Promise<boolean> {
  socket.write(message([8, SSL_CODE]));
  const [answer]: unknown[] = await Promise.race([once(socket, 'data'), rejectOnClose(socket)]);
  return String(answer) === 'S';
}

async function rejectOnClose(socket: Duplex): Promise<never> {
  await once(socket, 'close');
  throw new Error('Connection terminated unexpectedly');
}

async function open({ host, port, ssl, dial }: BackendKey): Promise<Duplex> {
  const socket = (dial ?? dialDirectly)();
  const timeoutMs = dial === undefined ? TIMEOUT_MS : TUNNEL_TIMEOUT_MS;
  const timer = setTimeout(
    () => socket.destroy(new Error(`the database server did not complete the cancel request within ${timeoutMs} ms`)),
    timeoutMs,
  );
  socket.once('close', () => clearTimeout(timer));
  // `once` rejects on an error. Between two calls of `once`, an error without a listener would end the process.
  socket.on('error', ignore);
  if (host.startsWith('/')) socket.connect(`${host}/.s.PGSQL.${port}`);
  else socket.connect(port, host);
  await once(socket, 'connect');
  if (ssl === false) return socket;
  // The key must not be sent unencrypted if the connection is encrypted.
  if (!(await requestTls(socket))) throw new Error('the database server does not support TLS');
  const secure = connectTls({ socket, host, ...(typeof ssl === 'object' && ssl) });
  secure.on('error', ignore);
  await once(secure, 'secureConnect');
  return secure;
}

function message(words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(words.length * 4);
  // pg stores the key as a signed number; on the wire the key is any 32 bits.
  words.forEach((word, index) => bytes.writeInt32BE(word | 0, index * 4));
  return bytes;
}

function ignore(): void {
  // The promise of `once` reports the error.
}
