import { networkInterfaces } from 'node:os';

import { expect } from 'vitest';

import type { Area } from '../../client/area.ts';
import { answerOf, callOf, messagesOf, post, requestOf, statusByHost, wireOf } from '../../client/posting.ts';
import { isStream } from '../../wires/events.ts';

const FOREIGN_ORIGINS = ['https://evil.example', 'http://127.0.0.1.evil.example', 'null', 'nothing'];
const FOREIGN_HOSTS = ['evil.example', 'evil.example:80', '127.0.0.1.evil.example'];

export const http: Area = (test, { revision }) => {
  for (const origin of FOREIGN_ORIGINS)
    test(`rejects requests from pages of ${origin}`, ['http.origin'], async ({ client, served }) => {
      const message = requestOf(client, 'tools/list');
      expect((await post(client, message, { origin })).status).toBe(403);
      expect((await fetch(served.url, { headers: { origin, accept: 'text/event-stream' } })).status).toBe(403);
    });

  test('serves pages from this machine', ['http.origin'], async ({ client }) => {
    const response = await post(client, requestOf(client, 'tools/list'), { origin: 'http://localhost:3000' });
    expect(response.ok).toBe(true);
    await response.body?.cancel();
  });

  for (const host of FOREIGN_HOSTS)
    test(`rejects requests with the Host header "${host}"`, ['http.host'], async ({ client, served }) => {
      expect(await statusByHost(served.url, host)).toBe(403);
      expect(await statusByHost(wireOf(client).url, host)).toBe(403);
    });

  test('is reachable only from this machine', ['http.local'], async ({ served }) => {
    const { hostname, port } = new URL(served.url);
    expect(hostname).toBe('127.0.0.1');
    const others = Object.values(networkInterfaces()).flatMap((all = []) =>
      all.filter(({ internal, family }) => !internal && family === 'IPv4'),
    );
    for (const { address } of others) await expect(fetch(`http://${address}:${port}/`)).rejects.toThrow('fetch failed');
  });

  for (const type of ['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', ''])
    test(`rejects a body of the type "${type}"`, ['http.media-type'], async ({ client }) => {
      expect((await post(client, requestOf(client, 'tools/list'), { 'content-type': type })).status).toBe(415);
    });

  for (const accept of ['application/json', 'text/event-stream', 'text/html'])
    test(`rejects a client that accepts only ${accept}`, ['http.accept'], async ({ client }) => {
      expect((await post(client, requestOf(client, 'tools/list'), { accept })).status).toBe(406);
    });

  test('answers with JSON or with an event stream', ['http.answer-type'], async ({ client }) => {
    const [echo, report] = [
      callOf(client, 'echo', { text: 'hello' }),
      callOf(client, 'report', { steps: [1] }, { progressToken: 'typed' }),
    ];
    for (const message of [echo, report]) {
      const response = await post(client, message);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^(application\/json|text\/event-stream)/);
      expect(await answerOf(response)).toMatchObject({ id: message.id, result: {} });
    }
  });

  test(
    'sends on the stream of a request only messages of this request, and ends the stream with the response',
    ['http.answer-ends', 'http.related'],
    async ({ client }) => {
      const key = `related ${revision}`;
      const waiting = callOf(client, 'wait', { key }, { progressToken: key });
      const response = await post(client, waiting);
      expect(isStream(response)).toBe(true);
      await client.call('change', { kind: 'tools' });
      await client.result('tools/call', { name: 'report', arguments: { steps: [1] }, _meta: { progressToken: 'elsewhere' } });
      await client.call('release', { key });
      const [first, ...rest] = await messagesOf(response);
      expect(first).toMatchObject({ method: 'notifications/progress', params: { progressToken: key } });
      expect(rest).toMatchObject([{ id: waiting.id, result: { content: [{ text: 'released' }] } }]);
    },
  );

  test('serves several requests at once, each on its own stream', ['http.concurrent'], async ({ client }) => {
    const keys = ['one', 'two', 'three'].map((name) => `${name} ${revision}`);
    const posted = keys.map((key) => callOf(client, 'wait', { key }, { progressToken: key }));
    const responses = await Promise.all(posted.map((message) => post(client, message)));
    for (const key of keys.toReversed()) await client.call('release', { key });
    for (const [index, response] of responses.entries()) {
      const messages = await messagesOf(response);
      expect(messages.map(({ id, params }) => params?.progressToken ?? id)).toEqual([keys[index], posted[index]?.id]);
    }
  });

  test('accepts a notification with an empty response', ['http.notification'], async ({ client }) => {
    const response = await post(client, { jsonrpc: '2.0', method: 'notifications/nothing' });
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  for (const body of ['nothing', '{}', '[]', '[1]', '"ping"', ''])
    test(`rejects ${body === '' ? 'an empty body' : body} with status 400`, ['http.refused'], async ({ client }) => {
      const response = await post(client, body);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ jsonrpc: '2.0', error: { code: expect.any(Number), message: expect.any(String) } });
    });

  for (const method of ['PUT', 'PATCH'])
    test(`rejects the HTTP method ${method}`, ['http.methods'], async ({ client }) => {
      const response = await fetch(wireOf(client).url, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toContain('POST');
    });
};
