import { describe, expect, it } from 'vitest';

import {
  answerTo,
  call,
  envelope,
  initialize,
  MemoryClient,
  notification,
  openSession,
  RAW_CLIENTS,
  request,
  SESSIONS,
} from './raw-client.ts';

describe.each(RAW_CLIENTS)('over %s, a request', (_, open) => {
  it('is neither run nor answered if its id is in use', async () => {
    await using client = open();
    await openSession(client, '2025-11-25');
    client.send(call(1, 'hold'), call(1, 'hold'), call(1, 'echo', { text: 'not this' }), call(2, 'release'));
    expect(await answerTo(client, 1)).toMatchObject({ result: { content: [{ text: '1 held' }] } });
    client.send(call(3, 'echo', { text: 'last' }));
    await answerTo(client, 3);
    expect(client.received.all.filter(({ id }) => id === 1)).toHaveLength(1);
  });

  it('may reuse the id of an answered or cancelled request', async () => {
    await using client = open();
    await openSession(client, '2025-11-25');
    for (const text of ['one', 'two']) {
      client.send(call(1, 'echo', { text }));
      expect(await answerTo(client, 1)).toMatchObject({ result: { content: [{ text }] } });
    }
    client.send(call(1, 'wait'));
    await client.received.next(({ method }) => method === 'notifications/message');
    client.send(notification('notifications/cancelled', { requestId: 1 }), call(1, 'echo', { text: 'three' }));
    expect(await answerTo(client, 1)).toMatchObject({ result: { content: [{ text: 'three' }] } });
  });

  it('to initialize an open session is rejected and changes nothing', async () => {
    await using client = open();
    await openSession(client, '2024-11-05');
    client.send(initialize(1, '2025-11-25'));
    expect(await answerTo(client, 1)).toMatchObject({ error: { code: -32_600, message: 'The session is already initialized' } });
    client.send(call(2, 'media'));
    expect(await answerTo(client, 2)).toMatchObject({ result: { content: [{}, { type: 'text' }, { type: 'text' }] } });
  });

  it('to initialize is rejected in a batch with another request', async () => {
    await using client = open();
    client.send(initialize(1, '2025-11-25'), initialize(2, '2024-11-05'));
    expect(await answerTo(client, 2)).toMatchObject({ error: { code: -32_600 } });
    expect(await answerTo(client, 1)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('to initialize may be repeated after a failure', async () => {
    await using client = open();
    client.send(request(1, 'initialize', { protocolVersion: '2025-11-25' }));
    expect(await answerTo(client, 1)).toMatchObject({ error: { code: -32_602 } });
    client.send(initialize(2, '2025-11-25'));
    expect(await answerTo(client, 2)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it.each(['2099-01-01', '2025-11-25', ''])(
    'after a request of 2026-07-28 is rejected if it names another revision: "%s"',
    async (other) => {
      await using client = open();
      client.send(request(1, 'tools/list', envelope()));
      expect(await answerTo(client, 1)).toMatchObject({ result: { tools: expect.any(Array) } });
      client.send(request(2, 'tools/list', envelope(other)));
      expect(await answerTo(client, 2)).toEqual({
        jsonrpc: '2.0',
        id: 2,
        error: {
          code: -32_022,
          message: `Unsupported protocol version: ${other}`,
          data: { supported: ['2026-07-28'], requested: other },
        },
      });
      client.send(request(3, 'tools/list', envelope()));
      expect(await answerTo(client, 3)).toMatchObject({ result: {} });
    },
  );

  it('for discovery may be followed by a request that opens a session', async () => {
    await using client = open();
    client.send(request(1, 'server/discover', envelope()));
    expect(await answerTo(client, 1)).toMatchObject({ result: { supportedVersions: ['2026-07-28'] } });
    client.send(initialize(2, '2025-06-18'));
    expect(await answerTo(client, 2)).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
  });

  it('cannot be cancelled by $/cancelRequest, and unknown notifications are ignored', async () => {
    await using client = open();
    await openSession(client, '2025-11-25');
    client.send(call(1, 'hold'), notification('$/cancelRequest', { id: 1 }), notification('notifications/unheard', { of: 1 }));
    client.send(call(2, 'release'));
    expect(await answerTo(client, 1)).toMatchObject({ result: { content: [{ text: '1 held' }] } });
  });
});

describe('a request', () => {
  it.each([
    ['tools/call', { name: 5 }, 'name: expected string, received number'],
    ['tools/call', undefined, 'params: expected object, received undefined'],
    ['tools/list', { cursor: 5 }, 'cursor: expected string, received number'],
    ['prompts/get', { name: 'talk', arguments: { x: 5 } }, 'arguments.x: expected string, received number'],
    ['resources/read', {}, 'uri: expected string, received undefined'],
    ['resources/subscribe', { uri: null }, 'uri: expected string, received null'],
    ['logging/setLevel', { level: 'loud' }, 'level: Invalid option: expected one of'],
  ])('with invalid params results in an error of one line: %s %j', async (method, params, says) => {
    await using client = new MemoryClient();
    await openSession(client, '2025-11-25');
    client.send(request(1, method, params));
    const { error } = await answerTo(client, 1);
    expect(error).toEqual({ code: -32_602, message: expect.stringContaining(`Invalid params: ${says}`) });
    expect(JSON.stringify(error)).not.toContain(String.raw`\n`);
  });

  it('with invalid params outside a session results in an error, too', async () => {
    await using client = new MemoryClient();
    client.send(request(1, 'tools/list', { cursor: 5, ...envelope() }));
    expect(await answerTo(client, 1)).toMatchObject({
      error: { code: -32_602, message: 'Invalid params: cursor: expected string, received number' },
    });
  });
});

describe('a missing resource', () => {
  it.each(SESSIONS)('returns the error code -32002 on %s', async (revision) => {
    await using client = new MemoryClient();
    await openSession(client, revision);
    for (const [id, method] of ['resources/read', 'resources/subscribe'].entries()) {
      client.send(request(id, method, { uri: 'note://nowhere' }));
      expect(await answerTo(client, id), method).toMatchObject({ error: { code: -32_002, data: { uri: 'note://nowhere' } } });
    }
    client.send(request(3, 'resources/read', { uri: 'note://gone' }));
    expect(await answerTo(client, 3)).toMatchObject({ error: { code: -32_002, data: { uri: 'note://gone' } } });
  });

  it('does not return -32002 on 2026-07-28', async () => {
    await using client = new MemoryClient();
    client.send(request(1, 'resources/read', { uri: 'note://nowhere', ...envelope() }));
    expect(await answerTo(client, 1)).toMatchObject({ error: { code: -32_602, data: { uri: 'note://nowhere' } } });
  });

  it('is distinguished from other failures', async () => {
    await using client = new MemoryClient();
    await openSession(client, '2025-11-25');
    client.send(request(1, 'resources/read', { uri: 'note://refused' }));
    expect(await answerTo(client, 1)).toMatchObject({
      error: { code: -32_602, data: { code: 'CONFLICT', uri: 'note://refused' } },
    });
  });
});
