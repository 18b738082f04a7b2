import type { Redis, RedisOptions } from 'ioredis';

import { ANSWER_MS, type Carrier, type Link } from './carrier.ts';
import { redisStore } from './redis-store.ts';

/** Maximum size of a message in bytes, enough for a URI of 16,384 characters. A larger message is not parsed. */
const MAX_PAYLOAD = 131_072;

const OPTIONS = {
  // The bus itself reconnects, because it must then notify clients that they may have missed changes.
  retryStrategy: null,
  autoResubscribe: false,
  enableOfflineQueue: false,
  lazyConnect: true,
  // With protocol version 2, messages need only the permissions to connect and to run SUBSCRIBE, PUBLISH and PING.
  protocol: 2,
  enableReadyCheck: false,
  disableClientInfo: true,
} satisfies RedisOptions;

/** A connection, and the reason when it ends. */
interface Connected {
  readonly client: Redis;
  readonly lost: Promise<unknown>;
}

/**
 * Returns a carrier with one connection for publishing and one for subscribing, because a subscribed connection accepts
 * no other commands.
 */
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
      const link = createLink(publisher, subscriber);
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
    // The error of `connect` reports only that the connection is closed, so the earlier reason is preferred.
    throw reason ?? error;
  }
}

function createLink(publisher: Connected, subscriber: Connected): Link {
  const both = [publisher, subscriber];
  return {
    lost: Promise.race(both.map(({ lost }) => lost)),
    sessions: redisStore(publisher.client),
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
