import type { Redis, RedisOptions } from 'ioredis';

import { ANSWER_MS, type Carrier, type Link } from './link.ts';

/** The longest URI that is subscribed to has 16,384 characters. Longer messages are not looked into, whoever sent them. */
const MAX_PAYLOAD = 131_072;

const OPTIONS = {
  // Another connection is the bus's own business: it tells clients that they may have missed something.
  retryStrategy: null,
  autoResubscribe: false,
  enableOfflineQueue: false,
  lazyConnect: true,
  // Nothing is asked of an account but to connect, SUBSCRIBE, PUBLISH and PING.
  protocol: 2,
  enableReadyCheck: false,
  disableClientInfo: true,
} satisfies RedisOptions;

/** A connection, and why it ended. */
interface Connected {
  readonly client: Redis;
  readonly lost: Promise<unknown>;
}

/** Publish and subscribe of a Redis server, by a connection for each: one that subscribes can do nothing else. */
export function redisCarrier(url: string, answerMs: number = ANSWER_MS): Carrier {
  return {
    maxPayload: MAX_PAYLOAD,
    package: 'ioredis',
    async connect(channels, receive) {
      const publisher = await connect(url, answerMs);
      const subscriber = await connect(url, answerMs).catch((error: unknown) => {
        publisher.client.disconnect();
        throw error;
      });
      const link = linkOf(publisher, subscriber);
      subscriber.client.on('messageBuffer', (channel: Buffer, payload: Buffer) => {
        receive({ channel: channel.toString(), payload: payload.length > MAX_PAYLOAD ? '' : payload.toString() });
      });
      try {
        await subscriber.client.subscribe(...channels);
        await link.ping();
        return link;
      } catch (error) {
        await link[Symbol.asyncDispose]();
        throw error;
      }
    },
  };
}

async function connect(url: string, answerMs: number): Promise<Connected> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, { ...OPTIONS, connectTimeout: answerMs, commandTimeout: answerMs });
  let reason: unknown;
  client.on('error', (error) => {
    reason = error;
  });
  const lost = new Promise<unknown>((resolve) => {
    client.once('end', () => resolve(reason ?? new Error('the connection ended')));
  });
  try {
    await client.connect();
    return { client, lost };
  } catch (error) {
    // Its own error says only that the connection is closed.
    throw reason ?? error;
  }
}

function linkOf(publisher: Connected, subscriber: Connected): Link {
  const both = [publisher, subscriber];
  return {
    lost: Promise.race(both.map(({ lost }) => lost)),
    async publish(messages) {
      await Promise.all(messages.map(({ channel, payload }) => publisher.client.publish(channel, payload)));
    },
    async ping() {
      await Promise.all(both.map(({ client }) => client.ping()));
    },
    [Symbol.asyncDispose]: () => {
      for (const { client } of both) client.disconnect();
      return Promise.resolve();
    },
  };
}
