import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import type { Params } from '../messages/message.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';

const REMOVED: readonly (readonly [method: string, params: Params])[] = [
  ['ping', {}],
  ['logging/setLevel', { level: 'info' }],
  ['resources/subscribe', { uri: 'protocol://watched/a' }],
  ['resources/unsubscribe', { uri: 'protocol://watched/a' }],
];

export const versions: Area = (test) => {
  test(
    'answers server/discover with its versions and capabilities',
    ['discover.implemented', 'discover.server-info', 'discover.instructions', 'discover.own-capabilities'],
    async ({ client }) => {
      const discovered = await client.result('server/discover');
      expect(discovered).toMatchObject({
        supportedVersions: expect.arrayContaining(['2026-07-28']),
        capabilities: {
          logging: {},
          tools: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          prompts: { listChanged: true },
          completions: {},
          extensions: { 'com.example/reports': { formats: ['pdf'] } },
          experimental: { 'com.example/push': {} },
        },
        instructions: 'Ask it for anything.',
        _meta: {
          'com.example/region': 'eu',
          'io.modelcontextprotocol/serverInfo': { name: 'protocol', version: '1.0.0', title: 'Protocol' },
        },
      });
    },
  );

  test(
    'rejects a first request of an unknown version with a list of the supported versions, and serves the next request',
    ['versioning.unsupported', 'discover.optional'],
    async ({ served }) => {
      await using client = await served.connect();
      const { code, data } = await client.error('tools/list', { _meta: { [VERSION]: '1999-01-01' } });
      expect(code).toBe(-32_022);
      expect(data).toMatchObject({ supported: expect.arrayContaining(['2026-07-28']), requested: '1999-01-01' });
      expect(await client.result('tools/list')).toMatchObject({ resultType: 'complete' });
    },
  );

  for (const version of ['1999-01-01', '2025-11-25', ''])
    test(
      `rejects the version "${version}" even after requests with a supported version`,
      ['versioning.each-request'],
      async ({ client }) => {
        await client.result('tools/list');
        const { code, data } = await client.error('tools/list', { _meta: { [VERSION]: version } });
        expect(code).toBe(-32_022);
        expect(data).toMatchObject({ supported: expect.arrayContaining(['2026-07-28']), requested: version });
      },
    );

  for (const [method, params] of REMOVED)
    test(`rejects the removed method ${method}`, ['versioning.removed-methods', 'base.method-unknown'], async ({ client }) => {
      expect(await client.error(method, params)).toMatchObject({ code: -32_601 });
    });

  test('opens a session for a client that begins with initialize', ['versioning.dual-era'], async ({ served }) => {
    await using client = await served.connect({ revision: '2025-06-18' });
    expect(client.handshake).toMatchObject({ protocolVersion: '2025-06-18' });
    expect(await client.call('echo', { text: 'hello' })).toMatchObject({ content: [{ text: 'hello' }] });
  });
};
