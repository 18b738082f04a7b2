import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import type { ClientConfig } from 'pg';

/** Stands before PostgreSQL, and makes it an engine that lacks something. */
export interface RefusingProxy extends AsyncDisposable {
  readonly url: string;
  /** CancelRequests that came. */
  readonly cancels: () => number;
}

/** What an engine may lack. */
export interface Lacking {
  /** Names and keywords: a statement with one of them fails as if it had never heard of it; by its catalogs neither has. */
  readonly words?: readonly string[];
  /** CancelRequests do nothing. */
  readonly cancelRequests?: boolean;
}

/** How a CancelRequest begins: its length and its code. */
const CANCEL_REQUEST = Buffer.from([0, 0, 0, 16, 4, 210, 22, 46]);

/** Starts the proxy on a free port of this machine. */
export async function startRefusingProxy(
  reader: ClientConfig,
  { words = [], cancelRequests = false }: Lacking,
): Promise<RefusingProxy> {
  const sockets = new Set<Socket>();
  let cancels = 0;
  const server = createServer((client) => {
    const engine = connect(`${reader.host}/.s.PGSQL.${reader.port}`);
    for (const [socket, other] of [
      [client, engine],
      [engine, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).once('close', () => other.destroy());
    }
    engine.pipe(client);
    client.on('data', (chunk: Buffer) => {
      const isCancel = chunk.subarray(0, 8).equals(CANCEL_REQUEST);
      if (isCancel) cancels += 1;
      if (isCancel && cancelRequests) client.destroy();
      else engine.write(without(words, chunk));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `postgres://${reader.user}:${String(reader.password)}@127.0.0.1:${port}/${reader.database}`,
    cancels: () => cancels,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

// As long as it was, so that the lengths of messages stay right.
function without(words: readonly string[], chunk: Buffer): Buffer {
  const text = words.reduce((rest, word) => rest.replaceAll(word, `${word.slice(0, -1)}0`), chunk.toString('latin1'));
  return Buffer.from(text, 'latin1');
}
