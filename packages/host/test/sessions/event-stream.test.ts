import type { IncomingMessage, ServerResponse } from 'node:http';

import { describe, expect, it } from 'vitest';

import { EventBudget, EventLog } from '../../src/sessions/event-log.ts';
import { EventStream } from '../../src/sessions/event-stream.ts';
import { answering, ask, bodyOf } from '../http/answering.ts';

const PRIME = (id: string): string => `id: ${id}\nretry: 500\ndata: \n\n`;
const EVENT = (id: string, json: string): string => `event: message\nid: ${id}\ndata: ${json}\n\n`;

function newStream({ log = new EventLog(new EventBudget(1e9)), id = 3 } = {}): EventStream {
  return new EventStream({ id, log, sessionId: 'session' });
}

/** Returns the whole body of a response that `run` writes and ends. */
async function received(run: (response: ServerResponse) => unknown): Promise<string> {
  await using server = await answering((_, response) => run(response));
  return await bodyOf(await ask(server));
}

describe('a stream of a session', () => {
  it('has exactly these frames', async () => {
    const stream = newStream();
    const text = await received((response) => {
      stream.connect(response, { primes: true });
      stream.send('{"a":1}');
      stream.send('{"b":"\\\\n"}');
      stream.end();
    });
    expect(text).toBe(PRIME('3-0') + EVENT('3-1', '{"a":1}') + EVENT('3-2', '{"b":"\\\\n"}'));
  });

  it('has headers that name the session and disable proxy buffering', async () => {
    const stream = newStream();
    await using server = await answering((_, response) => {
      stream.connect(response, { primes: false });
      stream.end();
    });
    const { statusCode, headers } = await ask(server);
    expect([statusCode, headers]).toMatchObject([
      200,
      {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        'mcp-session-id': 'session',
      },
    ]);
  });

  it('keeps messages without a connection for the next connection', async () => {
    const stream = newStream();
    stream.send('1');
    stream.send('2');
    expect(stream.isConnected).toBe(false);
    const first = await received((response) => {
      stream.connect(response, { primes: true });
      expect(stream.isConnected).toBe(true);
      stream.send('3');
      stream.disconnect();
    });
    expect(first).toBe(PRIME('3-0') + EVENT('3-1', '1') + EVENT('3-2', '2') + EVENT('3-3', '3'));
    expect(stream.isConnected).toBe(false);
    stream.send('4');
    const second = await received((response) => {
      stream.connect(response, { primes: true });
      stream.end();
    });
    expect(second).toBe(PRIME('3-3') + EVENT('3-4', '4'));
  });

  it('continues after any event that was sent', async () => {
    const stream = newStream();
    for (const json of ['1', '2', '3']) stream.send(json);
    expect([0, 3, 4].map((index) => stream.has(index))).toEqual([true, true, false]);
    for (const index of [3, 0, 2]) {
      const text = await received((response) => {
        stream.resume(response, index);
        stream.disconnect();
      });
      const expected = ['1', '2', '3'].slice(index).map((json, more) => EVENT(`3-${index + more + 1}`, json));
      expect(text).toBe(expected.join(''));
    }
  });

  it('has one connection, and a new one ends the earlier', async () => {
    const stream = newStream();
    await using server = await answering((_, response) => stream.connect(response, { primes: false }));
    const first = await ask(server);
    const second = await ask(server);
    stream.send('1');
    stream.end();
    expect([await bodyOf(first), await bodyOf(second)]).toEqual(['', EVENT('3-1', '1')]);
  });

  it('ignores a client that is already gone', async () => {
    const stream = newStream();
    const served = await new Promise<ServerResponse>((resolve) => {
      const gone = async (): Promise<void> => {
        await using server = await answering((asked: IncomingMessage, response) => {
          response.once('close', () => resolve(response));
          asked.socket.destroy();
        });
        await ask(server).catch(() => undefined);
      };
      void gone();
    });
    stream.connect(served, { primes: true });
    stream.resume(served, 0);
    stream.send('1');
    expect(stream.isConnected).toBe(false);
    stream.end();
  });

  it('waits for a slow client that reconnects, and ends when it has everything', async () => {
    const stream = newStream();
    const json = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 40; count += 1) stream.send(json);
    let ahead = 0;
    await using server = await answering((_, response) => {
      stream.resume(response, 0);
      ahead = response.writableLength;
      stream.send('last');
      stream.end();
    });
    const answer = await ask(server);
    expect(ahead).toBeLessThan(4 * json.length);
    const text = await bodyOf(answer);
    expect([text.length > 40 * json.length, text.endsWith(EVENT('3-41', 'last'))]).toEqual([true, true]);
  });

  it('skips events that were dropped before they were replayed', async () => {
    const stream = newStream({ log: new EventLog(new EventBudget(120)) });
    for (let count = 1; count <= 10; count += 1) stream.send(`"${count}"`);
    const text = await received((response) => {
      stream.resume(response, 2);
      stream.send('"live"');
      stream.end();
    });
    expect(text).toBe(EVENT('3-8', '"8"') + EVENT('3-9', '"9"') + EVENT('3-10', '"10"') + EVENT('3-11', '"live"'));
  });

  it('is written even if nothing is kept', async () => {
    const stream = newStream({ log: new EventLog(new EventBudget(0)) });
    const text = await received((response) => {
      stream.connect(response, { primes: false });
      stream.send('1');
      stream.send('2');
      stream.end();
    });
    expect(text).toBe(EVENT('3-1', '1') + EVENT('3-2', '2'));
  });
});
