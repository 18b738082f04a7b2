import { connect, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { PostgresServer } from '../src/index.ts';
import { codeOf, optionsWith, useDatabase } from './fixtures/postgres.ts';
import { NO_PGBOUNCER, startPgBouncer, type PgBouncer } from './fixtures/servers/pgbouncer.ts';

const database = useDatabase({
  sql: `
    create sequence counted;
    grant usage on sequence counted to mcp_ro;
    create function leave_all() returns text language plpgsql as $$
      declare held refcursor := 'left_behind';
      begin
        perform pg_advisory_lock(7), pg_advisory_lock_shared(8), pg_advisory_xact_lock(9);
        perform set_config('search_path', 'pg_temp', false), set_config('statement_timeout', '7654', false);
        perform set_config('left.behind', 'yes', false), set_config('role', 'pg_monitor', false);
        execute 'prepare left_behind as select 1';
        execute 'declare left_behind_held cursor with hold for select 1';
        open held for select 1;
        execute 'listen left_behind';
        return 'left';
      end $$;
    grant pg_monitor to mcp_ro;`,
});

/** Query for the state of an earlier call that a later call could find. */
const FOUND = `
  select pg_backend_pid(), current_user, current_setting('search_path'), current_setting('statement_timeout'),
    coalesce(current_setting('left.behind', true), '') as named,
    (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks,
    (select count(*) from pg_prepared_statements where name = 'left_behind') as prepared,
    (select count(*) from pg_cursors where name like 'left%') as cursors,
    (select count(*) from pg_listening_channels()) as channels,
    (select count(*) from pg_class where relpersistence = 't') as temporary`;

interface Way {
  readonly name: string;
  readonly url: () => string;
  readonly skipped: string | undefined;
}

let pooler: PgBouncer | undefined;
beforeAll(async () => {
  if (NO_PGBOUNCER === undefined) pooler = await startPgBouncer(database.config(), 1);
});
afterAll(() => pooler?.[Symbol.asyncDispose]());

const WAYS: readonly Way[] = [
  { name: 'directly', url: () => database.url(), skipped: undefined },
  { name: 'behind PgBouncer in transaction mode', url: () => pooler!.url, skipped: NO_PGBOUNCER },
];

/** Ways in which a call can end after it has left session state. */
const ENDS: readonly (readonly [name: string, end: (session: Session) => Promise<unknown>])[] = [
  ['returns', (session) => session.text('query', { sql: 'select leave_all()' })],
  ['is cut', (session) => session.text('query', { sql: 'select (select leave_all()) from generate_series(1, 3)', max_rows: 1 })],
  ['fails', (session) => session.fails('query', { sql: 'select leave_all(), 1 / (random() * 0)::int' })],
  ['is explained by running it', (session) => session.text('explain', { sql: 'select leave_all()', analyze: true })],
  ['is kept', (session) => session.text('query', { sql: 'select leave_all()', keep: true })],
  ['is exported', (session) => session.text('export', { sql: 'select leave_all()', format: 'ndjson' })],
  ['is exported by COPY', (session) => session.text('export', { sql: 'select leave_all()' })],
  ['is refused', (session) => session.fails('query', { sql: 'listen left_behind' })],
  ['commits', (session) => codeOf(session, 'query', { sql: 'commit' })],
];

/** Ends of calls after which the connection is discarded. */
const BREAKS: typeof ENDS = [
  [
    'is cut in the middle',
    (session) =>
      session.text('query', {
        sql: "select (select leave_all()), repeat('x', 3000) from generate_series(1, 9000)",
      }),
  ],
  ['outgrows its time', (session) => session.fails('query', { sql: 'select leave_all() from pg_sleep(600)', timeout_ms: 200 })],
  ['is cancelled', cancelled],
];

async function cancelled(session: Session): Promise<void> {
  const stop = new AbortController();
  const sql = "select leave_all(), pg_sleep(600), 'cancelled'";
  const call = session.client.callTool({ name: 'query', arguments: { sql } }, { signal: stop.signal });
  const running = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'";
  await vi.waitUntil(async () => (await database.asSuperuser(running))[0]?.[0] === '1', { interval: 5 });
  stop.abort();
  await expect(call).rejects.toThrow();
  await vi.waitUntil(async () => (await database.asSuperuser(running))[0]?.[0] === '0', { interval: 5 });
}

describe.each(WAYS)('what a call leaves in its session, without a policy, $name,', ({ url, skipped }) => {
  const join = (): Promise<Session> => connect(new PostgresServer(optionsWith({ url: url(), policy: 'off', maxConnections: 1 })));
  const found = (session: Session): Promise<string> => session.text('query', { sql: FOUND, format: 'tsv' });

  it.skipIf(skipped)('exists while the call runs', async () => {
    await using session = await join();
    const during = `select f.* from leave_all() l cross join lateral (select (select l), f.* from (${FOUND}) f) f`;
    expect(await session.text('query', { sql: during, format: 'tsv' })).toMatch(/\tpg_monitor\tpg_temp\t7654ms\tyes\t3\t1\t2\t/);
  });

  it.skipIf(skipped).each(ENDS)('is not found by the next call on its connection once it %s', async (_, end) => {
    await using session = await join();
    const before = await found(session);
    await end(session);
    expect(await found(session)).toBe(before);
  });

  it.skipIf(skipped).each(BREAKS)('is not found by the next call once it %s', async (_, end) => {
    await using session = await join();
    const before = withoutPid(await found(session));
    await end(session);
    expect(withoutPid(await found(session))).toBe(before);
    // The backend of a discarded connection may end later, and keeps its locks until then.
    const locks = "select count(*) from pg_locks where locktype = 'advisory'";
    await vi.waitUntil(async () => (await database.asSuperuser(locks))[0]?.[0] === '0', { interval: 5 });
  });

  it.skipIf(skipped)('is not found by a write after a committed write', async () => {
    const options = { url: url(), policy: 'off', maxConnections: 1, writable: true } as const;
    await using session = await connect(new PostgresServer(optionsWith(options)), {
      answers: { elicitation: { confirm: true } },
    });
    const before = withoutPid(await found(session));
    // Both blocks run PREPARE with the same name. The second block fails if the name still exists.
    for (const sql of ['do $$ begin perform leave_all(); end $$', 'do $$ begin perform leave_all(); perform 2; end $$'])
      expect(await session.text('execute', { sql })).toContain('committed');
    expect(withoutPid(await found(session))).toBe(before);
  });
});

function withoutPid(text: string): string {
  return text.replace(/^\d+\t/m, '');
}
