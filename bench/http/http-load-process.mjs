import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Posts calls over several connections, one after the other on each connection, with as little CPU time as possible:
 * requests are concatenated from text, and only the length of each response is parsed. Answers each message with the
 * calls per second and the last response.
 */
process.on('message', (task) => void measure(task));

async function measure({ ports, calls, heads, bodies }) {
  const sockets = await Promise.all(ports.map(opened));
  try {
    // The first call on a connection is not counted, because it includes the setup of the socket in the server.
    await run(sockets, { heads, bodies, calls: sockets.length });
    const started = performance.now();
    const last = await run(sockets, { heads, bodies, calls });
    process.send({ perSecond: (calls / (performance.now() - started)) * 1000, last });
  } catch (error) {
    process.send({ problem: error.message });
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function opened(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket.setEncoding('latin1');
}

/** Resolves to the last response once all calls are answered. */
function run(sockets, { heads, bodies: [head, tail], calls }) {
  let sent = 0;
  let answered = 0;
  return new Promise((resolve, reject) => {
    sockets.forEach((socket, position) => {
      let response = '';
      const next = () => {
        if (sent === calls) return;
        socket.write(`${heads[position]}${head}${FIRST_ID + sent}${tail}`);
        sent += 1;
      };
      socket.removeAllListeners('data').on('data', (text) => {
        response += text;
        if (!isComplete(response)) return;
        answered += 1;
        if (!response.startsWith('HTTP/1.1 200 ')) reject(new Error(`a call was answered with ${response}`));
        if (answered === calls) resolve(response);
        response = '';
        next();
      });
      socket.removeAllListeners('close').once('close', () => reject(new Error('the server closed a connection')));
      socket.removeAllListeners('error').once('error', reject);
      next();
    });
  });
}

/** All ids have the same number of digits, so that all requests have the same length. */
const FIRST_ID = 1_000_000;

function isComplete(response) {
  const end = response.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(response);
  return length === null ? response.endsWith('\r\n0\r\n\r\n') : response.length - end - 4 >= Number(length[1]);
}
