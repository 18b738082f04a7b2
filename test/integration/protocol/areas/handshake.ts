import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import { roundTrip, textOf } from '../client/reading.ts';

export const handshake: Area = (test, { revision, transport }) => {
  test(
    'accepts the protocol version, and returns capabilities and server information',
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

  test('returns its instructions', ['lifecycle.instructions'], async ({ client }) => {
    expect(client.handshake).toMatchObject({ instructions: 'Ask it for anything.' });
  });

  test(
    'declares extensions and experimental capabilities, and returns further information in _meta',
    ['lifecycle.own-capabilities'],
    async ({ client }) => {
      expect(client.handshake).toMatchObject({
        capabilities: { extensions: { 'com.example/reports': { formats: ['pdf'] } }, experimental: { 'com.example/push': {} } },
        _meta: { 'com.example/region': 'eu' },
      });
    },
  );

  test('serves requests on the negotiated protocol version', ['lifecycle.version-respected'], async ({ client }) => {
    expect(JSON.parse(textOf(await client.call('caller')))).toMatchObject({ name: 'raw', protocolVersion: revision });
  });

  test('answers a ping', ['lifecycle.ping'], async ({ client }) => {
    expect(await client.result('ping')).toEqual({});
  });

  for (const method of ['server/discover', 'subscriptions/listen'])
    test(
      `rejects ${method}, a method of a later protocol version`,
      ['lifecycle.later-methods', 'base.method-unknown'],
      async ({ client }) => {
        expect(await client.error(method, { notifications: { toolsListChanged: true } })).toMatchObject({ code: -32_601 });
      },
    );

  test('rejects a second initialize request', ['lifecycle.initialize-once'], async ({ client }) => {
    const other = revision === '2025-11-25' ? '2025-06-18' : '2025-11-25';
    expect(await client.error('initialize', { ...client.introduction, protocolVersion: other })).toMatchObject({ code: -32_600 });
    expect(JSON.parse(textOf(await client.call('caller')))).toMatchObject({ protocolVersion: revision });
  });

  test(
    'serves only pings before initialize, and rejects an incomplete initialize request',
    ['lifecycle.initialize-first', 'lifecycle.ping-early', 'lifecycle.initialize-params'],
    async ({ served }) => {
      await using client = await served.connect({ handshake: false });
      // Over Streamable HTTP, a ping is not possible before the session exists.
      if (transport !== 'http') expect(await client.result('ping')).toEqual({});
      expect(await client.error('tools/list')).toMatchObject({ code: expect.any(Number) });
      for (const missing of ['protocolVersion', 'capabilities', 'clientInfo']) {
        const { [missing]: _, ...rest } = client.introduction;
        expect(await client.error('initialize', rest)).toMatchObject({ code: -32_602 });
      }
    },
  );

  test(
    'offers its latest protocol version instead of an unknown one, and sends nothing but responses until the client is ready',
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
    'sends no requests that the client does not declare support for',
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
