import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { connectPg } from './connect-pg.mjs';

const CANCEL_CODE = 80_877_102;

/** Milliseconds from sending a CancelRequest to a quiet backend, several times. */
export async function rawCancel({ url, sql, times, workingMs, activity }) {
  const client = await connectPg(url);
  const key = [client.processID, client.secretKey];
  const measured = [];
  while (measured.length < times) {
    const ended = client.query(sql).catch(() => undefined);
    await activity.untilBusy('/* bench */');
    await pause(workingMs);
    const began = performance.now();
    await requestCancel(client, key);
    await activity.untilQuiet('/* bench */');
    measured.push(performance.now() - began);
    await ended;
  }
  await client.end();
  return measured;
}

async function requestCancel({ host, port }, [processId, secretKey]) {
  const message = Buffer.alloc(16);
  [16, CANCEL_CODE, processId, secretKey | 0].forEach((word, index) => message.writeInt32BE(word, index * 4));
  const socket = connect(port, host);
  socket.end(message);
  socket.resume();
  await once(socket, 'close');
}
