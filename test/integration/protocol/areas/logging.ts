import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import type { Message, Params } from '../messages/message.ts';
import type { RawClient } from '../client/raw-client.ts';
import { roundTrip } from '../client/reading.ts';

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const LEVEL = 'io.modelcontextprotocol/logLevel';

const isLog = ({ method }: Message): boolean => method === 'notifications/message';

/** Returns the messages of a tool that logs at every level, up to the answer to a later request. */
async function logged(client: RawClient, meta?: Params['_meta']): Promise<readonly Params[]> {
  const before = client.received.length;
  await client.result('tools/call', { name: 'log', ...(meta && { _meta: meta }) });
  await roundTrip(client);
  return client.received.slice(before).flatMap(({ method, params }) => (isLog({ method: method ?? '' }) ? [params ?? {}] : []));
}

export const logging: Area = (test) => {
  test('declares the logging capability', ['logging.capability'], async ({ client }) => {
    const { capabilities } = client.handshake ?? (await client.result('server/discover'));
    expect(capabilities).toMatchObject({ logging: {} });
  });

  test('sends messages with a level and data', ['logging.message', 'logging.set-level'], async ({ client }) => {
    expect(await client.result('logging/setLevel', { level: 'debug' })).toEqual({});
    const messages = await logged(client);
    expect(messages.map(({ level }) => level)).toEqual(LEVELS);
    expect(messages[0]).toMatchObject({ level: 'debug', data: 'debug' });
    expect(messages[3]).toMatchObject({ level: 'warning', data: { message: 'warning', data: { left: 3 } } });
  });

  for (const level of ['notice', 'error', 'emergency'])
    test(`sends no message less severe than ${level}`, ['logging.set-level'], async ({ client }) => {
      await client.result('logging/setLevel', { level });
      expect((await logged(client)).map((message) => message.level)).toEqual(LEVELS.slice(LEVELS.indexOf(level)));
    });

  for (const level of ['verbose', '', 5, 'ERROR']) {
    test(`rejects the level ${JSON.stringify(level)}`, ['logging.level-invalid', 'logging.set-level'], async ({ client }) => {
      expect(await client.error('logging/setLevel', { level })).toMatchObject({ code: -32_602 });
    });
    test(`rejects the level ${JSON.stringify(level)}`, ['logging.level-invalid', 'logging.requested'], async ({ client }) => {
      expect(await client.error('tools/call', { name: 'log', _meta: { [LEVEL]: level } })).toMatchObject({ code: -32_602 });
    });
  }

  test(
    'sends no message for a request without a level, even after a request with a level',
    ['logging.requested', 'base.stateless'],
    async ({ client }) => {
      expect(await logged(client)).toEqual([]);
      expect((await logged(client, { [LEVEL]: 'debug' })).map(({ level }) => level)).toEqual(LEVELS);
      expect(await logged(client)).toEqual([]);
    },
  );

  test(
    'sends no message less severe than the level of the request',
    ['logging.request-level', 'logging.message'],
    async ({ client }) => {
      const messages = await logged(client, { [LEVEL]: 'alert' });
      expect(messages).toMatchObject([
        { level: 'alert', data: 'alert' },
        { level: 'emergency', data: 'emergency' },
      ]);
    },
  );

  test('sends messages before the response and not after it', ['logging.before-answer'], async ({ client }) => {
    const before = client.received.length;
    const params = { name: 'log', arguments: { late: true }, _meta: { [LEVEL]: 'debug' } };
    const { id, answer } = await client.start('tools/call', params);
    await answer;
    await roundTrip(client);
    const came = client.received.slice(before);
    expect(came.slice(0, LEVELS.length).filter(isLog)).toHaveLength(LEVELS.length);
    expect(came[LEVELS.length]?.id).toBe(id);
    expect(came.slice(LEVELS.length).filter(isLog)).toEqual([]);
  });
};
