import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import type { Client, QueryResult } from 'pg';

import { ANSWER_MS, type Carrier, type Link, type Message } from './carrier.ts';
import { postgresStore, type RunStatement } from './postgres-store.ts';

/** PostgreSQL rejects payloads of 8000 bytes and more. */
const MAX_PAYLOAD = 7999;
/** Time limit in milliseconds for closing a connection: on a broken network, closing would wait for ever. */
const CLOSING_MS = 1000;
/** Maximum length of a channel name in bytes: PostgreSQL truncates longer identifiers. */
const MAX_CHANNEL = 63;

const NOTIFY = 'SELECT pg_notify(name, payload) FROM unnest($1::text[], $2::text[]) AS message(name, payload)';

/**
 * Returns a carrier that uses LISTEN and NOTIFY on one connection. A pooler that shares connections between clients, such as
 * PgBouncer with transaction pooling, does not forward notifications.
 */
export function postgresCarrier(url: string, answerMs: number = ANSWER_MS): Carrier {
  return {
    maxPayload: MAX_PAYLOAD,
    package: 'pg',
    async connect(channels, receive) {
      const socket = new Socket();
      const client = await createClient(url, socket, answerMs);
      const byName = new Map(channels.map((channel) => [toChannelName(channel), channel]));
      client.on('notification', ({ channel: name, payload = '' }) => {
        const channel = byName.get(name);
        if (channel !== undefined) receive({ channel, payload });
      });
      const link = createLink(client, socket);
      try {
        await client.connect();
        for (const name of byName.keys()) await client.query(`LISTEN ${client.escapeIdentifier(name)}`);
        return link;
      } catch (error) {
        await link[Symbol.asyncDispose]();
        throw error;
      }
    },
  };
}

async function createClient(url: string, socket: Socket, answerMs: number): Promise<Client> {
  const pg = (await import('pg')).default;
  return new pg.Client({
    connectionString: url,
    stream: () => socket,
    application_name: 'mcp-bus',
    keepAlive: true,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
}

function createLink(client: Client, socket: Socket): Link {
  const query = serializeQueries(client);
  return {
    lost: new Promise((resolve) => {
      client.on('error', resolve);
      client.once('end', () => resolve(new Error('the connection ended')));
    }),
    sessions: postgresStore(query),
    async publish(messages: readonly Message[]) {
      const names = messages.map(({ channel }) => toChannelName(channel));
      await query(NOTIFY, [names, messages.map(({ payload }) => payload)]);
    },
    async ping() {
      await query('SELECT 1', []);
    },
    async [Symbol.asyncDispose]() {
      await Promise.race([client.end(), pause(CLOSING_MS, undefined, { ref: false })]);
      socket.destroy();
    },
  };
}

/** Returns a query function that runs one statement at a time, as a connection requires. */
function serializeQueries(client: Client): RunStatement {
  let last: Promise<unknown> = Promise.resolve();
  return async (sql, values) => {
    const run = (): Promise<QueryResult> => client.query(sql, [...values]);
    const result = last.then(run, run);
    last = result;
    return (await result).rows;
  };
}

/** Returns a valid channel name; a long name is replaced by its hash. */
function toChannelName(channel: string): string {
  if (Buffer.byteLength(channel) <= MAX_CHANNEL) return channel;
  return `mcp:${createHash('sha256').update(channel).digest('base64url')}`;
}
