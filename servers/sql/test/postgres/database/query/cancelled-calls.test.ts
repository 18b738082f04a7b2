import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type PendingCall, type Session } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { CONFIRMS, eachTransportAsApp, useApp } from '../../../fixtures/app.ts';
import { GONE, terminated } from '../../../fixtures/postgres.ts';

const database = useApp(`
  create function app.slow(id int) returns int immutable parallel safe language plpgsql as $$ begin perform pg_sleep(0.02); return id; end $$;
  grant all on schema app to app;
  alter role app set min_parallel_table_scan_size = 0;
  create table app.ground as select g as id from generate_series(1, 50000) g;
  alter table app.ground owner to app;
  create table app.shared as table app.ground;
  alter table app.shared owner to app;
  create table app.filled (id int check (app.slow(id) is not null));
  alter table app.filled owner to app;
`);

const ROWS = "select app.slow(g), repeat('x', 20) from generate_series(1, 1000000) g";

/** Slow calls, and the statements that identify them in `pg_stat_activity`. */
const CALLS: readonly { readonly name: string; readonly args: object; readonly runs: RegExp }[] = [
  { name: 'query', args: { sql: `${ROWS} where g % 1 = 0`, max_rows: 10_000 }, runs: /where g % 1 = 0/i },
  { name: 'query', args: { sql: `${ROWS} where g % 2 = 0`, keep: true }, runs: /where g % 2 = 0/ },
  { name: 'export', args: { sql: `${ROWS} where g % 3 = 0` }, runs: /^COPY \([^]*where g % 3 = 0/ },
  { name: 'export', args: { sql: `${ROWS} where g % 4 = 0`, format: 'ndjson' }, runs: /^select .* where g % 4 = 0/ },
  { name: 'execute', args: { sql: 'create index on ground (slow(id))' }, runs: /^create index on/ },
  { name: 'execute', args: { sql: 'create index concurrently late on shared (slow(id))' }, runs: /^create index concurrently/ },
  {
    name: 'import',
    args: { table: 'filled', columns: ['id'], rows: Array.from({ length: 5000 }, (_, id) => [`${id}`]) },
    runs: /^COPY .* FROM STDIN/,
  },
];

interface Backend {
  readonly query: string;
  readonly type: string;
}

/** Returns the backends that run a statement of mcp-sql. */
async function findActiveBackends(): Promise<readonly Backend[]> {
  const rows = await database.asSuperuser(
    "select query, backend_type from pg_stat_activity where usename = 'app' and application_name = 'mcp-sql' and state = 'active'",
  );
  return rows.map(([query, type]) => ({ query: query ?? '', type: type ?? '' }));
}

async function connections(): Promise<number> {
  return (await database.asSuperuser("select from pg_stat_activity where application_name like 'mcp-sql%'")).length;
}

async function filesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Starts all calls, and resolves when the database runs all of them. */
async function startAll(session: Session): Promise<readonly PendingCall[]> {
  const calls = CALLS.map(({ name, args }) => session.start(name, { ...args }));
  for (const call of calls) call.result.catch(() => undefined);
  await vi.waitFor(
    async () => {
      const backends = await findActiveBackends();
      for (const { runs } of CALLS)
        expect(backends).toContainEqual(expect.objectContaining({ query: expect.stringMatching(runs) }));
      // The parallel worker belongs to the index build.
      expect(backends).toContainEqual(expect.objectContaining({ type: 'parallel worker' }));
    },
    { interval: 10 },
  );
  return calls;
}

describe.each(eachTransportAsApp(() => database))('cancelled calls, $name,', ({ connect }) => {
  it('end in the database at once, and leave no data or files: queries, exports, index builds and imports', async () => {
    const stateDir = await mkdtemp(path.join(tmpdir(), 'state-'));
    onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
    {
      await using session = await connect({ stateDir, ...CONFIRMS });
      const calls = await startAll(session);
      const before = await terminated(database);
      for (const call of calls) call.cancel('enough');
      await vi.waitFor(async () => expect(await findActiveBackends()).toEqual([]), GONE);
      expect(await terminated(database)).toBe(before);
      for (const { result } of calls) await expect(result).rejects.toThrow('enough');
      expect(await session.text('query', { sql: 'select 42' })).toContain('42');
      await vi.waitFor(
        async () => {
          expect(await database.asSuperuser("select relname from pg_class where relname in ('late', 'ground_slow_idx')")).toEqual(
            [],
          );
          expect(await database.asSuperuser('table app.filled')).toEqual([]);
          expect(await filesIn(stateDir)).toEqual([]);
        },
        { interval: 20 },
      );
    }
    await vi.waitFor(async () => expect(await connections()).toBe(0), { interval: 20 });
  });
});
