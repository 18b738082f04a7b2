import { ToolError } from '@org/mcp-decorators';
import type { Client } from 'pg';

import type { Database } from './database.ts';
import { failure, sqlstateOf } from './failures.ts';
import { loadPg } from './load-pg.ts';

/** What a session told whoever listens on a channel. */
interface Notification {
  readonly channel: string;
  readonly payload: string;
  /** Of the session that told it. */
  readonly pid: number;
}

/** What is listened to, and how long. */
export interface Listening {
  readonly channels: readonly string[];
  /** Notifications after which it ends. */
  readonly most: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called once what is told from now on is heard. */
  readonly listening: () => void;
  readonly heard: (notification: Notification) => void;
}

/** Each has a connection of its own, for as long as it listens. */
const MOST_LISTENERS = 4;

const listeners = new WeakMap<Database, number>();

/**
 * Hears the notifications of channels until there are as many as wanted, or the time is over.
 *
 * @throws ToolError UNSUPPORTED_ENGINE, OVERLOADED, CONNECTION, and those of `Database.identity`
 */
export async function listenOn(database: Database, wanted: Listening): Promise<void> {
  if (!(await database.capabilities()).session)
    throw unsupported('a pooler gives each transaction another session, so nothing can be listened to');
  const others = listeners.get(database) ?? 0;
  if (others >= MOST_LISTENERS)
    throw new ToolError('OVERLOADED', `${others} calls listen already`, {
      hint: 'wait for one to end',
      data: { retryable: true },
    });
  listeners.set(database, others + 1);
  try {
    await listen(database, wanted);
  } catch (error) {
    wanted.signal.throwIfAborted();
    throw failure(error);
  } finally {
    listeners.set(database, (listeners.get(database) ?? 1) - 1);
  }
}

async function listen(database: Database, wanted: Listening): Promise<void> {
  const [pg, config] = await Promise.all([loadPg(), database.source.config()]);
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: database.limits.connectTimeoutMs,
    fallback_application_name: 'mcp-sql listen',
  });
  try {
    const enough = heardOn(client, wanted);
    // Whatever happens before it is awaited is told then.
    enough.catch(() => undefined);
    await client.connect();
    await client.query('SET default_transaction_read_only = on');
    for (const channel of wanted.channels) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`).catch(notThere);
    wanted.listening();
    await enough;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Resolves when enough was heard, or the time is over; rejects when the call is cancelled or the connection lost. */
async function heardOn(client: Client, { most, timeoutMs, signal, heard }: Listening): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let cancel = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      let count = 0;
      client.on('notification', ({ channel, payload = '', processId }) => {
        count += 1;
        if (count <= most) heard({ channel, payload, pid: processId });
        if (count === most) resolve();
      });
      client.on('error', reject);
      client.on('end', () => reject(new ToolError('CONNECTION', 'the connection was lost', { data: { retryable: true } })));
      timer = setTimeout(resolve, timeoutMs);
      cancel = () => reject(signal.reason);
      signal.addEventListener('abort', cancel);
      if (signal.aborted) cancel();
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

/** There is nothing wrong with the statement. */
function notThere(error: unknown): never {
  const isUnknown = /^(?:0A000|42601)$/.test(sqlstateOf(error) ?? '');
  throw isUnknown ? unsupported('this server has no LISTEN') : error;
}

function unsupported(message: string): ToolError {
  return new ToolError('UNSUPPORTED_ENGINE', message);
}
