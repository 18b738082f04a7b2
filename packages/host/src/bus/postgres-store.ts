import type { SessionStore } from '../shared-state/session-store.ts';

/** Runs one statement at a time on a connection, and resolves to its rows. */
export type RunStatement = (sql: string, values: readonly unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>;

const CREATE = `
CREATE TABLE mcp_sessions (
  key text PRIMARY KEY,
  record text NOT NULL,
  expires timestamptz NOT NULL
)`;
const FIND_TABLE = `SELECT to_regclass('mcp_sessions') IS NOT NULL AS found`;
const READ = 'SELECT record FROM mcp_sessions WHERE key = $1 AND expires > now()';
const INSERT = `
INSERT INTO mcp_sessions AS s (key, record, expires) VALUES ($1, $2, now() + $3 * interval '1 ms')
ON CONFLICT (key) DO UPDATE SET record = excluded.record, expires = excluded.expires WHERE s.expires <= now()
RETURNING key`;
const UPDATE = `
UPDATE mcp_sessions SET record = $3, expires = now() + $4 * interval '1 ms'
WHERE key = $1 AND record = $2 AND expires > now() RETURNING key`;
const DELETE = 'DELETE FROM mcp_sessions WHERE key = $1 AND record = $2 AND expires > now() RETURNING key';
const CLEAN = 'DELETE FROM mcp_sessions WHERE expires <= now()';

/** Interval in milliseconds between deletions of expired rows. */
const CLEAN_MS = 60_000;

/** Returns a store that keeps texts in the table `mcp_sessions`. Creates the table if it is missing and the account may do so. */
export function postgresStore(run: RunStatement): SessionStore {
  let prepared: Promise<void> | undefined;
  let cleanedAt = -Infinity;
  const runPrepared: RunStatement = async (sql, values) => {
    await (prepared ??= createTable(run).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    }));
    return run(sql, values);
  };
  const clean = async (): Promise<void> => {
    if (performance.now() - cleanedAt < CLEAN_MS) return;
    cleanedAt = performance.now();
    await runPrepared(CLEAN, []);
  };
  return {
    async read(key) {
      const [row] = await runPrepared(READ, [key]);
      return typeof row?.['record'] === 'string' ? row['record'] : undefined;
    },
    async replace(key, { previous, next, lifetimeMs }) {
      await clean();
      const rows = await (previous === undefined
        ? runPrepared(INSERT, [key, next, lifetimeMs])
        : next === undefined
          ? runPrepared(DELETE, [key, previous])
          : runPrepared(UPDATE, [key, previous, next, lifetimeMs]));
      return rows.length > 0;
    },
  };
}

/**
 * Creates the table unless it exists. An error is ignored if the table exists afterwards, because another process may
 * have created it.
 */
async function createTable(run: RunStatement): Promise<void> {
  const exists = async (): Promise<boolean> => (await run(FIND_TABLE, []))[0]?.['found'] === true;
  if (await exists()) return;
  try {
    await run(CREATE, []);
  } catch (error) {
    if (!(await exists())) throw error;
  }
}
