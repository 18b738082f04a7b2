import { describe, expect, it } from 'vitest';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { compiledProgram } from '../../support/compiled-program.ts';
import { answerTo, call, notification, openSession, request, StdioClient } from '../protocol-rules/raw-client.ts';

const MIB = 1024 * 1024;

describe('a client that sends more requests than are served at once', () => {
  it('receives exactly one response for every call', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-11-25');
    const ids = Array.from({ length: 2000 }, (_, id) => id);
    client.send(...ids.map((id) => call(id, 'echo', { text: String(id) })));
    for (const id of ids) expect(await answerTo(client, id)).toMatchObject({ result: { content: [{ text: String(id) }] } });
    expect(client.received.all).toHaveLength(ids.length + 1);
  });

  it('may send requests for which its running calls wait', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-11-25');
    const ids = Array.from({ length: 64 }, (_, id) => id);
    client.send(...ids.map((id) => call(id, 'hold')), call('free', 'release'));
    for (const id of ids) expect(await answerTo(client, id)).toMatchObject({ result: { content: [{ text: '64 held' }] } });
  });

  it('may receive requests from all running calls at once', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-11-25', { elicitation: {} });
    const ids = Array.from({ length: 64 }, (_, id) => `call ${id}`);
    client.send(...ids.map((id) => call(id, 'ask')));
    const asked = [];
    while (asked.length < ids.length) asked.push(await client.received.next(({ method }) => method === 'elicitation/create'));
    client.send(...asked.map(({ id }) => ({ jsonrpc: '2.0', id, result: { action: 'cancel' } })));
    const answered = [];
    while (answered.length < ids.length) answered.push(await client.received.next(({ result }) => result !== undefined));
    expect(new Set(answered.map(({ id }) => id))).toEqual(new Set(ids));
  });

  it('receives the response to a ping and may cancel, regardless of its other requests', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-11-25');
    const ids = Array.from({ length: 64 }, (_, id) => id);
    client.send(...ids.map((id) => call(id, 'wait')), request('ping', 'ping'));
    await answerTo(client, 'ping');
    client.send(...ids.map((requestId) => notification('notifications/cancelled', { requestId })));
    client.send(call('last', 'echo', { text: 'last' }));
    expect(await answerTo(client, 'last')).toMatchObject({ result: { content: [{ text: 'last' }] } });
  });
});

describe('the official client', () => {
  it('reads successive results of nearly the maximum size', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport(compiledProgram(new URL('../protocol-rules/wire-program.ts', import.meta.url))),
    );
    try {
      const size = 10 * MIB - 65 * 1024;
      const calls = Array.from({ length: 3 }, () => client.callTool({ name: 'large', arguments: { size } }));
      for (const { content, isError } of await Promise.all(calls)) {
        expect(isError).toBeUndefined();
        expect(JSON.stringify(content).length).toBeGreaterThan(size);
      }
    } finally {
      await client.close();
    }
  });
});
