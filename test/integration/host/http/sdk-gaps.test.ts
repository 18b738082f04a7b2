import { describe, expect, it } from 'vitest';

import { ENVELOPE } from '../../support/wire.ts';
import { bareSdk, type Send } from './bare-sdk.ts';
import { EventReader } from '../../support/http/event-reader.ts';
import { initialize, messageOf, notification, request, toolCall } from '../../support/http/http-client.ts';
import { bearer, ByName, serve } from '../../support/http/served.ts';
import { Station } from '../../support/http/station.ts';

/** Time limit in milliseconds, because the SDK alone may hang. */
const HANGS_MS = 1000;

/** A station, and a function that sends requests to it. */
interface Reached {
  readonly station: Station;
  readonly send: Send;
}

/** A session of a minimal client, which sends its requests with any `Send` function. */
class Session {
  readonly #send: Send;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(send: Send, headers: Readonly<Record<string, string>>) {
    this.#send = send;
    this.#headers = headers;
  }

  static async open({ send }: Reached, headers: Readonly<Record<string, string>> = {}): Promise<Session> {
    const response = await send(posting(initialize('2025-11-25'), headers));
    await response.text();
    const id = response.headers.get('mcp-session-id') ?? '';
    const session = new Session(send, { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' });
    await session.post(notification('notifications/initialized'));
    return session;
  }

  as(headers: Readonly<Record<string, string>>): Session {
    return new Session(this.#send, { ...this.#headers, ...headers });
  }

  post(message: object): Promise<Response> {
    return this.#send(posting(message, this.#headers));
  }

  async listen(lastEventId?: string): Promise<EventReader> {
    const headers = { accept: 'text/event-stream', ...this.#headers };
    const resuming = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return new EventReader(await this.#send(new Request(ANYWHERE, { headers: { ...headers, ...resuming } })));
  }
}

const ANYWHERE = 'http://localhost/mcp';

function posting(message: object, headers: Readonly<Record<string, string>>): Request {
  const given = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
  return new Request(ANYWHERE, { method: 'POST', headers: given, body: JSON.stringify(message) });
}

function listening(resourceSubscriptions: readonly string[]): Request {
  const params = { notifications: { resourceSubscriptions }, _meta: ENVELOPE };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
  return posting(request('stream', 'subscriptions/listen', params), headers);
}

/** Mistakes of the SDK, each with a check that fails for a server with this mistake. */
const GAPS: readonly (readonly [gap: string, shown: (reached: Reached) => Promise<void>])[] = [
  [
    'notifications/cancelled left the POST of the request open for ever',
    async (reached) => {
      const session = await Session.open(reached);
      const call = session.post(toolCall(1, 'wait', { text: 'x' }));
      const { aborted } = await reached.station.calls.next();
      await session.post(notification('notifications/cancelled', { requestId: 1 }));
      await aborted;
      await (await call).text();
    },
  ],
  [
    "one event store for all sessions brought a session another's messages",
    async (reached) => {
      const [mine, other] = [await Session.open(reached), await Session.open(reached)];
      const stream = await mine.listen();
      await other.listen();
      await mine.post(request(1, 'resources/subscribe', { uri: 'station://mine' }));
      await other.post(request(1, 'resources/subscribe', { uri: 'station://other' }));
      reached.station.change('station://mine');
      await stream.message();
      await stream[Symbol.asyncDispose]();
      reached.station.change('station://other');
      reached.station.change('station://mine');
      const again = await mine.listen(stream.lastEventId);
      expect((await again.message()).params?.['uri']).toBe('station://mine');
    },
  ],
  [
    'a session was open to every principal',
    async (reached) => {
      const session = await Session.open(reached, bearer('ada'));
      const stolen = await session.as(bearer('eve')).post(toolCall(1, 'say', { text: 'x' }));
      expect(stolen.status).toBe(404);
    },
  ],
  [
    'a request whose id was in use left the first one without an answer',
    async (reached) => {
      const session = await Session.open(reached);
      const first = session.post(toolCall(1, 'wait', { text: 'first' }));
      const { end } = await reached.station.calls.next();
      expect((await session.post(toolCall(1, 'say', { text: 'second' }))).status).toBe(400);
      end('the first');
      expect(JSON.stringify(await messageOf(await first))).toContain('the first');
    },
  ],
  [
    'batches were taken on revisions that have none',
    async (reached) => {
      const session = await Session.open(reached);
      expect((await session.post([request(1, 'ping'), request(2, 'ping')])).status).toBe(400);
    },
  ],
  [
    'a body that its host had parsed had no limit',
    async (reached) => {
      const session = await Session.open(reached);
      const { status } = await session.post(toolCall(1, 'say', { text: 'x'.repeat(11 * 1024 * 1024) }));
      expect(status).toBe(413);
    },
  ],
  [
    'a listen stream acknowledged resources that were not watched',
    async ({ send, station }) => {
      await using stream = new EventReader(await send(listening(['station://a', 'other://b'])));
      const { params } = await stream.message();
      expect([params?.['notifications'], station.watched]).toEqual([{ resourceSubscriptions: ['station://a'] }, ['station://a']]);
    },
  ],
];

describe('a mistake of the SDK that this package corrects:', () => {
  it.each(GAPS)('%s', async (_, shown) => {
    await using served = await serve({ authenticator: new ByName() });
    const send: Send = async (asked) => {
      const { method, headers } = asked;
      return fetch(served.url, { method, headers, ...(method === 'POST' && { body: await asked.text() }) });
    };
    await shown({ station: served.station, send });
  });
});

/** The checks of `GAPS` are expected to fail here. A check that passes shows that the SDK has corrected the mistake. */
describe('a mistake that the SDK alone still has:', () => {
  it('the SDK otherwise serves a session and a listen stream', async () => {
    const station = new Station();
    const send = bareSdk(station);
    const session = await Session.open({ station, send });
    expect(JSON.stringify(await messageOf(await session.post(toolCall(1, 'say', { text: 'said' }))))).toContain('said');
    await using standalone = await session.listen();
    await session.post(request(2, 'resources/subscribe', { uri: 'station://a' }));
    station.change('station://a');
    expect((await standalone.message()).params?.['uri']).toBe('station://a');
    await using stream = new EventReader(await send(listening(['station://a'])));
    expect((await stream.message()).method).toBe('notifications/subscriptions/acknowledged');
  });

  it.fails.each(GAPS)('%s', { timeout: HANGS_MS }, async (_, shown) => {
    const station = new Station();
    await shown({ station, send: bareSdk(station) });
  });
});
