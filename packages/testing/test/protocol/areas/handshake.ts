import { expect } from 'vitest';

import type { Area } from '../area.ts';
import { roundTrip, textOf } from '../reading.ts';

export const handshake: Area = (test, { revision, transport }) => {
  test(
    'agrees to the revision, and says what it has and who it is',
    ['lifecycle.initialize', 'lifecycle.version-same'],
    async ({ client }) => {
      expect(client.handshake).toMatchObject({
        protocolVersion: revision,
        capabilities: {
          logging: {},
          tools: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          prompts: { listChanged: true },
        },
        serverInfo: { name: 'protocol', version: '1.0.0' },
      });
    },
  );

  test('hands its instructions over', ['lifecycle.instructions'], async ({ client }) => {
    expect(client.handshake).toMatchObject({ instructions: 'Ask it for anything.' });
  });

  test(
    'declares its extensions and experimental capabilities, and says more of itself in _meta',
    ['lifecycle.own-capabilities'],
    async ({ client }) => {
      expect(client.handshake).toMatchObject({
        capabilities: { extensions: { 'com.example/reports': { formats: ['pdf'] } }, experimental: { 'com.example/push': {} } },
        _meta: { 'com.example/region': 'eu' },
      });
    },
  );

  test('keeps to the revision', ['lifecycle.version-respected'], async ({ client }) => {
    expect(JSON.parse(textOf(await client.call('caller')))).toMatchObject({ name: 'raw', protocolVersion: revision });
  });

  test('answers a ping', ['lifecycle.ping'], async ({ client }) => {
    expect(await client.result('ping')).toEqual({});
  });

  for (const method of ['server/discover', 'subscriptions/listen'])
    test(`does not have ${method}`, ['lifecycle.later-methods', 'base.method-unknown'], async ({ client }) => {
      expect(await client.error(method, { notifications: { toolsListChanged: true } })).toMatchObject({ code: -32_601 });
    });

  test('does not negotiate a second time', ['lifecycle.initialize-once'], async ({ client }) => {
    const other = revision === '2025-11-25' ? '2025-06-18' : '2025-11-25';
    expect(await client.error('initialize', { ...client.introduction, protocolVersion: other })).toMatchObject({ code: -32_600 });
    expect(JSON.parse(textOf(await client.call('caller')))).toMatchObject({ protocolVersion: revision });
  });

  test(
    'serves nothing but pings before it, and refuses one that lacks something',
    ['lifecycle.initialize-first', 'lifecycle.ping-early', 'lifecycle.initialize-params'],
    async ({ served }) => {
      await using client = await served.connect({ handshake: false });
      // Over Streamable HTTP there is nowhere to ping before there is a session.
      if (transport !== 'http') expect(await client.result('ping')).toEqual({});
      expect(await client.error('tools/list')).toMatchObject({ code: expect.any(Number) });
      for (const missing of ['protocolVersion', 'capabilities', 'clientInfo']) {
        const { [missing]: _, ...rest } = client.introduction;
        expect(await client.error('initialize', rest)).toMatchObject({ code: -32_602 });
      }
    },
  );

  test(
    'offers its latest revision for one it does not have, and is quiet until the client is ready but for its pings',
    ['lifecycle.version-other', 'lifecycle.version-latest', 'lifecycle.quiet-until-initialized', 'lifecycle.ping-early'],
    async ({ served }) => {
      await using client = await served.connect({ handshake: false });
      const unknown = { ...client.introduction, protocolVersion: '1999-01-01' };
      expect(await client.result('initialize', unknown)).toMatchObject({ protocolVersion: '2025-11-25' });
      expect(await client.result('ping')).toEqual({});
      expect(client.received).toHaveLength(2);
    },
  );

  test(
    'asks a client for nothing that it does not declare',
    ['lifecycle.capabilities-respected', 'roots.declared', 'sampling.declared'],
    async ({ served }) => {
      await using client = await served.connect({ capabilities: {} });
      expect(textOf(await client.call('where'))).toBe('nowhere');
      for (const tool of ['size', 'dream']) expect(await client.call(tool)).toMatchObject({ isError: true });
      await roundTrip(client);
      expect(client.received.filter(({ method }) => method !== undefined)).toEqual([]);
    },
  );
};
