import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { StdioTransport, type StdioOptions } from '../../src/stdio/stdio-transport.ts';

const KIB = 1024;

interface Connected {
  readonly transport: StdioTransport;
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  /** Messages that the transport passed to `onmessage`. */
  readonly received: JSONRPCMessage[];
  readonly errors: string[];
  /** Returns the messages that the client has received since the last call. */
  readonly read: () => readonly unknown[];
  readonly write: (...messages: readonly unknown[]) => Promise<void>;
}

async function connected(options: StdioOptions = {}): Promise<Connected> {
  const stdin = new PassThrough();
  const stdout = new PassThrough({ highWaterMark: KIB });
  const transport = new StdioTransport(stdin, stdout, { slowAfterMs: 60_000, ...options });
  const received: JSONRPCMessage[] = [];
  const errors: string[] = [];
  transport.onmessage = (message) => received.push(message);
  transport.onerror = ({ message }) => errors.push(message);
  await transport.start();
  return {
    transport,
    stdin,
    stdout,
    received,
    errors,
    read: () => linesOf(String(stdout.read() ?? '')),
    async write(...messages) {
      stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
      await turn();
    },
  };
}

function linesOf(text: string): readonly unknown[] {
  return text.split('\n').flatMap((line): readonly unknown[] => (line === '' ? [] : [JSON.parse(line)]));
}

function call(id: number, text = ''): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text } } };
}

function cancel(requestId: number): object {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}

function result(id: number, text = ''): JSONRPCMessage {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
}

function idsOf(messages: readonly JSONRPCMessage[]): readonly unknown[] {
  return messages.map((message) => ('id' in message ? message.id : undefined));
}

describe('a stdio transport', () => {
  it('pauses reading while too many bytes wait, and resumes', async () => {
    const { transport, stdin, received, write } = await connected({ maxConcurrent: 2, maxWaitingBytes: KIB });
    await write(call(1), call(2), call(3, 'x'.repeat(KIB)));
    expect(stdin.isPaused()).toBe(true);
    await write(call(4));
    expect(idsOf(received)).toEqual([1, 2]);
    await transport.send(result(1));
    expect(stdin.isPaused()).toBe(false);
    await transport.send(result(2));
    await turn();
    expect(idsOf(received)).toEqual([1, 2, 3, 4]);
  });

  it('starts no request while its client does not read, and continues later', async () => {
    const { transport, stdout, received, write } = await connected({ maxUnreadBytes: 4 * KIB });
    await write(call(1));
    await transport.send(result(1, 'x'.repeat(64 * KIB)));
    await write(call(2), call(3));
    expect(idsOf(received)).toEqual([1]);
    stdout.resume();
    await once(stdout, 'drain');
    await turn();
    expect(idsOf(received)).toEqual([1, 2, 3]);
  });

  it('pauses reading unscheduled requests while its client does not read', async () => {
    const { stdin, stdout, write } = await connected({ maxUnreadBytes: KIB });
    for (let each = 0; each < 20; each += 1) await write(...Array.from({ length: 20 }, () => 'no message'));
    expect(stdin.isPaused()).toBe(true);
    stdout.resume();
    while (stdin.isPaused()) await turn();
    expect(stdin.isPaused()).toBe(false);
  });

  it('drops only log messages and progress while its client does not read', async () => {
    const { transport, stdout, read } = await connected({ maxUnreadBytes: KIB });
    await transport.send(result(1, 'x'.repeat(64 * KIB)));
    for (const method of ['notifications/message', 'notifications/progress', 'notifications/resources/updated'])
      void transport.send({ jsonrpc: '2.0', method, params: {} });
    stdout.setEncoding('utf8');
    const methods: unknown[] = [];
    while (methods.length < 2) {
      await once(stdout, 'readable');
      methods.push(...read().map((message) => Reflect.get(Object(message), 'method')));
    }
    expect(methods).toEqual([undefined, 'notifications/resources/updated']);
  });

  it('passes responses and cancellations on before waiting requests', async () => {
    const { transport, received, write } = await connected({ maxConcurrent: 1 });
    await write(call(1));
    await transport.send({ jsonrpc: '2.0', id: 0, method: 'roots/list' }, { relatedRequestId: 99 });
    await write(call(2), call(3), cancel(2), cancel(1), { jsonrpc: '2.0', id: 0, result: { roots: [] } });
    expect(received).toEqual([call(1), cancel(1), call(3), { jsonrpc: '2.0', id: 0, result: { roots: [] } }]);
  });

  it('continues reading while all running requests wait for the client', async () => {
    const { transport, stdin, received, write } = await connected({ maxConcurrent: 2, maxWaitingBytes: KIB });
    await write(call(1), call(2), call(3, 'x'.repeat(KIB)), call(4));
    expect(stdin.isPaused()).toBe(true);
    for (const id of [1, 2]) await transport.send({ jsonrpc: '2.0', id, method: 'roots/list' }, { relatedRequestId: id });
    expect(stdin.isPaused()).toBe(false);
    expect(idsOf(received)).toEqual([1, 2, 3, 4]);
  });

  it('ignores a second request with the id of a waiting one', async () => {
    const { received, errors, write } = await connected({ maxConcurrent: 1 });
    await write(call(1), call(2, 'first'), call(2, 'second'));
    await write(cancel(1));
    expect(received).toEqual([call(1), cancel(1), call(2, 'first')]);
    expect(errors).toEqual([expect.stringContaining('its id 2 belongs to a request in flight')]);
  });

  it('rejects requests after refuseRequests() and serves earlier ones', async () => {
    const { transport, received, read, write } = await connected({ maxConcurrent: 1 });
    await write(call(1), call(2));
    transport.refuseRequests();
    await write(call(3), cancel(1));
    expect(idsOf(received)).toEqual([1, undefined, 2]);
    expect(read()).toMatchObject([{ id: 3, error: { message: 'The server is closing; the request was not finished' } }]);
  });

  it('answers all requests before it closes', async () => {
    const { transport, read, write } = await connected({ maxConcurrent: 1 });
    await write(call(1), call(2), call(3));
    await transport.close();
    expect(read()).toMatchObject([1, 2, 3].map((id) => ({ id, error: { code: -32_603 } })));
    await expect(transport.send(result(1))).rejects.toThrow('the connection is closed');
  });
});

describe('the end of a stdio transport', () => {
  it('happens when the client closes its end of the connection, and running requests continue', async () => {
    const { transport, stdin, write } = await connected();
    let isClosed = false;
    transport.onclose = () => (isClosed = true);
    await write(call(1));
    stdin.end();
    await transport.ended;
    let isIdle = false;
    const idle = transport.whenIdle().then(() => (isIdle = true));
    await turn();
    expect([isClosed, isIdle]).toEqual([false, false]);
    await transport.send(result(1));
    await idle;
  });

  it('fails the requests of the server, and rejects new ones', async () => {
    const { transport, stdin, received } = await connected();
    await transport.send({ jsonrpc: '2.0', id: 0, method: 'roots/list' });
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
    await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    stdin.end();
    await transport.ended;
    expect(received).toMatchObject([{ id: 0, error: { message: 'The client has closed its end of the connection' } }]);
    await expect(transport.send({ jsonrpc: '2.0', id: 2, method: 'roots/list' })).rejects.toThrow('cannot answer');
  });

  it('happens when the input fails, and reports the error', async () => {
    const { transport, stdin, errors } = await connected();
    stdin.destroy(new Error('the input broke'));
    await transport.ended;
    expect(errors).toEqual(['the input broke']);
  });

  it('happens immediately when the output fails, and later failures are ignored', async () => {
    const { transport, stdout, errors, write } = await connected();
    let closings = 0;
    transport.onclose = () => (closings += 1);
    await write(call(1));
    stdout.destroy(new Error('the reader is gone'));
    await transport.ended;
    await transport.whenIdle();
    stdout.emit('error', new Error('again'));
    await transport.close();
    expect({ closings, errors }).toEqual({ closings: 1, errors: ['the reader is gone'] });
  });

  it('happens exactly once when the server closes the transport', async () => {
    const { transport, stdin } = await connected();
    let closings = 0;
    transport.onclose = () => (closings += 1);
    await transport.close();
    await transport.close();
    await transport.ended;
    expect([closings, stdin.isPaused()]).toEqual([1, true]);
  });

  it('may happen before the start', async () => {
    const stdin = new PassThrough();
    stdin.destroy();
    const transport = new StdioTransport(stdin, new PassThrough());
    await transport.start();
    await expect(transport.ended).resolves.toBeUndefined();
  });
});
