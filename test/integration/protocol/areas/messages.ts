import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import type { Id, Params } from '../messages/message.ts';
import { roundTrip, textOf } from '../client/reading.ts';

const IDS: readonly Id[] = [0, -7, Number.MAX_SAFE_INTEGER, '7', 'a b', 'ü"\\', 'x'.repeat(1000)];

const UNKNOWN_METHODS = [
  'nothing',
  'tools/nothing',
  'tools',
  'constructor',
  '__proto__',
  '$/cancelRequest',
  'tasks/list',
  'x'.repeat(5000),
];

/** Methods with invalid params. */
const WRONG_PARAMS: readonly (readonly [method: string, params: Params])[] = [
  ['tools/list', { cursor: 5 }],
  ['resources/read', {}],
  ['resources/read', { uri: 5 }],
  ['prompts/get', {}],
  ['prompts/get', { name: 'review', arguments: { language: 5 } }],
  ['completion/complete', { ref: { type: 'ref/nothing' }, argument: { name: 'language', value: '' } }],
];

export const messages: Area = (test) => {
  test('answers with JSON-RPC 2.0: either a result or an error', ['base.jsonrpc', 'base.result-or-error'], async ({ client }) => {
    const served = await client.request('tools/list');
    expect(served).toMatchObject({ jsonrpc: '2.0', result: expect.any(Object) });
    expect(served).not.toHaveProperty('error');
    const refused = await client.request('nothing');
    expect(refused).toMatchObject({ jsonrpc: '2.0', error: expect.any(Object) });
    expect(refused).not.toHaveProperty('result');
  });

  for (const id of IDS)
    test(`answers with the id ${JSON.stringify(id).slice(0, 30)}`, ['base.response-id', 'base.id-types'], async ({ client }) => {
      const { answer } = await client.start('tools/call', { name: 'echo', arguments: { text: 'hello' } }, id);
      expect((await answer).id).toBe(id);
      const { answer: refusal } = await client.start('nothing', {}, id);
      expect((await refusal).id).toBe(id);
    });

  for (const method of UNKNOWN_METHODS)
    test(`rejects the method ${method.slice(0, 30)}`, ['base.method-unknown', 'base.error-shape'], async ({ client }) => {
      expect(await client.error(method)).toEqual(expect.objectContaining({ code: -32_601, message: expect.any(String) }));
    });

  for (const [method, params] of WRONG_PARAMS)
    test(
      `rejects ${method} with the params ${JSON.stringify(params)}`,
      ['base.params-invalid', 'base.error-shape'],
      async ({ client }) => {
        expect(await client.error(method, params)).toMatchObject({ code: -32_602, message: expect.any(String) });
      },
    );

  test(
    'does not answer notifications, even if they are unknown or have the method of a request',
    ['base.notification', 'base.notification-unknown'],
    async ({ client }) => {
      const before = client.received.length;
      await client.notify('notifications/nothing', { some: ['thing'] });
      await client.notify('notifications/roots/list_changed');
      await client.notify('tools/call', { name: 'wait', arguments: { key: 'notified' } });
      await roundTrip(client);
      expect(client.received.length - before).toBe(1);
      expect(textOf(await client.call('runs', { key: 'notified' }))).toBe('0');
    },
  );

  test('continues after an unexpected response', ['base.response-stray'], async ({ client }) => {
    const before = client.received.length;
    for (const stray of [
      { id: 'nobody', result: {} },
      { id: 77_777, error: { code: -32_603, message: 'no' } },
    ])
      await client.write(JSON.stringify({ jsonrpc: '2.0', ...stray }));
    await roundTrip(client);
    expect(client.received.length - before).toBe(1);
  });

  for (const id of ['base.id-in-flight', 'http.id-in-flight'] as const)
    test('does not run a request whose id is in flight', [id], async ({ client }) => {
      const { answer } = await client.start('tools/call', { name: 'wait', arguments: { key: 'first' } }, 'twice');
      await client.call('moment', { key: 'first', moment: 'started' });
      const params = client.complete({ name: 'wait', arguments: { key: 'second' } });
      await client.write(JSON.stringify({ jsonrpc: '2.0', id: 'twice', method: 'tools/call', params }));
      await roundTrip(client);
      expect(textOf(await client.call('runs', { key: 'second' }))).toBe('0');
      await client.call('release', { key: 'first' });
      expect(textOf((await answer).result ?? {})).toBe('released');
    });

  test('accepts unknown keys of _meta', ['base.meta-unknown'], async ({ client }) => {
    const _meta = { 'com.example/key': { deep: [null, 1] }, 'io.modelcontextprotocol/later': true, traceparent: 'none' };
    expect(await client.result('tools/call', { name: 'echo', arguments: { text: 'hello' }, _meta })).toBeDefined();
    expect(await client.result('tools/list', { _meta })).toBeDefined();
  });

  test('returns every character of a text unchanged', ['base.utf-8'], async ({ client }) => {
    const text = 'Grüße, 世界 🌍 \u2028\u0000\n"\\ é';
    expect(textOf(await client.call('echo', { text }))).toBe(text);
  });
};
