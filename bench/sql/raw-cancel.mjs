import { once } from 'node:events';
import { connect } from 'node:net';

import { connectPg } from './connect-pg.mjs';

const CANCEL_CODE = 80_877_102;

/** Connects to a database directly, without an MCP server. `begin` runs the statement and returns a function that cancels it. */
export async function rawCancel(url, sql) {
  const client = await connectPg(url);
  const key = [client.processID, client.secretKey];
  return {
    begin() {
      client.query(sql).catch(() => undefined);
      return () => requestCancel(client, key);
    },
    close: () => client.end(),
  };
}

async function requestCancel({ host, port }, [processId, secretKey]) {
  const message = Buffer.alloc(16);
  [16, CANCEL_CODE, processId, secretKey | 0].forEach((word, index) => message.writeInt32BE(word, index * 4));
  const socket = connect(port, host);
  socket.end(message);
  socket.resume();
  await once(socket, 'close');
}
