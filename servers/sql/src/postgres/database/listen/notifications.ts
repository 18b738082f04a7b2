import { ToolError } from '@org/mcp-decorators';
import type { Client } from 'pg';

import type { ReadOnlyDatabase } from '../query/read-only-database.ts';
import { translateError, getSqlstate } from '../errors/failures.ts';
import { loadPg } from '../protocol/load-pg.ts';

/** A notification that a session sent to a channel. */
interface Notification {
  readonly channel: string;
  readonly payload: string;
  /** Process id of the session that sent the notification. */
  readonly pid: number;
}

/** Channels to listen on, and when to stop. */
export interface ListenOptions {
  readonly channels: readonly string[];
  /** Number of notifications after which listening ends. */
  readonly maxNotifications: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called once all channels are listened on, so that every later notification is received. */
  readonly onListening: () => void;
  readonly onNotification: (notification: Notification) => void;
}

/**
 * Maximum number of concurrent calls that listen on one database. The number is limited, because each call holds its own
 * connection.
 */
const MAX_LISTENERS = 4;

const listeners = new WeakMap<ReadOnlyDatabase, number>();

/**
 * Receives notifications of channels until the requested number has arrived, or the timeout expires.
 *
 * @throws ToolError UNSUPPORTED_ENGINE behind a pooler, or if the server lacks LISTEN; OVERLOADED if `MAX_LISTENERS` calls
 * already listen; CONNECTION if the connection fails or is lost; the errors of `ReadOnlyDatabase.identity`
 */
export async function receiveNotifications(database: ReadOnlyDatabase, options: ListenOptions): Promise<void> {
  if (!(await database.capabilities()).session)
    throw unsupported('a pooler may run each transaction in a different session, so LISTEN is not possible');
  const others = listeners.get(database) ?? 0;
  if (others >= MAX_LISTENERS)
    throw new ToolError('OVERLOADED', `${others} calls are already listening`, {
      hint: 'wait for one of these calls to end',
      data: { retryable: true },
    });
  listeners.set(database, others + 1);
  try {
    await listen(database, options);
  } catch (error) {
    options.signal.throwIfAborted();
    throw translateError(error);
  } finally {
    listeners.set(database, (listeners.get(database) ?? 1) - 1);
  }
}

async function listen(database: ReadOnlyDatabase, options: ListenOptions): Promise<void> {
  const [pg, config] = await Promise.all([loadPg(), database.source.config()]);
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: database.limits.connectTimeout,
    fallback_application_name: 'mcp-sql listen',
  });
  try {
    const enough = waitForNotifications(client, options);
    // The promise may reject before `await enough` below is reached. Without this line, that rejection would be unhandled.
    enough.catch(() => undefined);
    await client.connect();
    await client.query('SET default_transaction_read_only = on');
    for (const channel of options.channels)
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`).catch(throwListenError);
    options.onListening();
    await enough;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Resolves when enough notifications have arrived, or the timeout expires. Rejects if the call is cancelled or the connection is lost. */
async function waitForNotifications(
  client: Client,
  { maxNotifications, timeoutMs, signal, onNotification }: ListenOptions,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let cancel = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      let count = 0;
      client.on('notification', ({ channel, payload = '', processId }) => {
        count += 1;
        if (count <= maxNotifications) onNotification({ channel, payload, pid: processId });
        if (count === maxNotifications) resolve();
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

/**
 * Throws UNSUPPORTED_ENGINE for a syntax error, because the LISTEN statement itself is valid, and for an unsupported feature.
 * Throws any other error unchanged.
 */
function throwListenError(error: unknown): never {
  const isUnknown = /^(?:0A000|42601)$/.test(getSqlstate(error) ?? '');
  throw isUnknown ? unsupported('this database server does not support LISTEN') : error;
}

function unsupported(message: string): ToolError {
  return new ToolError('UNSUPPORTED_ENGINE', message);
}
