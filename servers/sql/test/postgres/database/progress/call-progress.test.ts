import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';

import { loadPg } from '../../../../src/postgres/database/protocol/load-pg.ts';
import { CONFIRMS, eachTransportAsApp, useApp } from '../../../fixtures/app.ts';

const TRANSPORTS = eachTransportAsApp(() => database)
  .filter(({ transport }) => transport !== 'memory')
  .map((transport, gate) => ({ ...transport, gate }));

/**
 * Statements that call a gate function are slow until the test opens the gate. Each transport has its own gate and its own tables
 * to lock.
 */
const database = useApp(`
  create function app.gated(id int, gate int) returns int immutable language plpgsql as $$
    begin
      if not pg_try_advisory_xact_lock_shared(gate) then perform pg_sleep(0.01); end if;
      return id;
    end $$;
  create function app.gate() returns trigger language plpgsql as $$
    begin perform app.gated(new.id, tg_argv[0]::int); return new; end $$;
  ${TRANSPORTS.map(
    ({ gate }) => `
      create table app.ground_${gate} as select g as id, repeat('x', 500) as filler from generate_series(1, 3000) g;
      create table app.filled_${gate} (id int);
      create trigger gate before insert on app.filled_${gate} for each row execute function app.gate(${gate});
      create table app.vacuumed_${gate} as table app.ground_${gate};
      alter table app.ground_${gate} owner to app;
      alter table app.filled_${gate} owner to app;
      alter table app.vacuumed_${gate} owner to app;`,
  ).join('')}
`);

interface Observed {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Message that at least two reports match. */
  readonly message: RegExp;
  readonly total?: number;
}

function callsThrough(gate: number): readonly Observed[] {
  const sql = `select app.gated(g, ${gate}), repeat('x', 1000) from generate_series(1, 3000) g`;
  const short = `select app.gated(g, ${gate}) from generate_series(1, 3000) g`;
  const rows = Array.from({ length: 3000 }, (_, id) => [String(id)]);
  const exported = /^\d+ (?:of ~3000 )?rows read, [\d.]+ [kM]?B$/;
  const building = /^CREATE INDEX on app\.ground_\d: building index: scanning table, \d+ of \d+ blocks \(\d+ %\)$/;
  return [
    { name: 'query', args: { sql: short, max_rows: 10_000 }, message: /^\d+ of ~3000 rows read$/, total: 3000 },
    { name: 'export', args: { sql }, message: exported },
    { name: 'export', args: { sql, format: 'json' }, message: exported },
    { name: 'execute', args: { sql: `create index on ground_${gate} (gated(id, ${gate}))` }, message: building },
    {
      name: 'import',
      args: { table: `filled_${gate}`, columns: ['id'], rows },
      message: /^COPY FROM on app\.filled_\d: \d+ tuples$/,
    },
    {
      name: 'execute',
      args: { sql: `vacuum (freeze, disable_page_skipping) vacuumed_${gate}` },
      message: /^VACUUM on app\.vacuumed_\d: scanning heap, \d+ of \d+ blocks \(\d+ %\)$/,
    },
  ];
}

let state = '';
beforeAll(async () => {
  state = await mkdtemp(path.join(tmpdir(), 'state-'));
});
afterAll(() => rm(state, { recursive: true, force: true }));

/** Another session, whose locks make calls slow. */
class LockingSession implements AsyncDisposable {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async connect(): Promise<LockingSession> {
    const { Client } = await loadPg();
    const client = new Client(database.config('superuser'));
    await client.connect();
    return new LockingSession(client);
  }

  async run(sql: string): Promise<void> {
    await this.#client.query(sql);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}

/**
 * Collects invalid reports: values that do not increase, reports after the answer, and reports without a token. Values are
 * compared per token, because a call with a confirmation is two requests with different tokens in version 2026-07-28.
 */
function unwantedReports({ client }: Session): readonly unknown[] {
  const found: unknown[] = [];
  const answered = new Set<unknown>();
  const values = new Map<unknown, number>();
  const transport = client.transport!;
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (!('method' in message)) answered.add('id' in message ? message.id : undefined);
    else if (message.method === 'notifications/progress') {
      const { progressToken: token, progress } = message.params ?? {};
      if (token === undefined || answered.has(token) || Number(progress) <= (values.get(token) ?? -1)) found.push(message);
      values.set(token, Number(progress));
    }
    deliver?.(message, extra);
  };
  return found;
}

describe.concurrent.each(TRANSPORTS)('the progress, $name,', ({ connect, gate }) => {
  it(
    'increases and ends before the result, for queries, exports, index builds, COPY and VACUUM',
    { timeout: 60_000 },
    async ({ expect }) => {
      await using gatekeeper = await LockingSession.connect();
      await gatekeeper.run(`select pg_advisory_lock(${gate})`);
      // VACUUM waits for a page that another session has pinned.
      await using reader = await LockingSession.connect();
      await reader.run(`begin; declare page cursor for select from app.vacuumed_${gate}; move 10 in page`);
      await using session = await connect({ stateDir: path.join(state, String(gate)), ...CONFIRMS });
      const unwanted = unwantedReports(session);
      const silent = session.text('query', { sql: 'select pg_sleep(1.4), 42' });
      const calls = callsThrough(gate).map((observed) => ({ ...observed, call: session.start(observed.name, observed.args) }));
      await Promise.all(
        calls.map(async ({ call: { progress }, args, message, total }) => {
          const first = await progress.next(
            (report) => message.test(report.message ?? '') && (total === undefined || report.total === total),
          );
          if (String(args['sql']).startsWith('vacuum')) await reader.run('move 1500 in page');
          await progress.next((report) => message.test(report.message ?? '') && report.progress > first.progress);
        }),
      );
      await gatekeeper.run(`select pg_advisory_unlock(${gate})`);
      await reader.run('rollback');
      for (const { call } of calls) await call.result;
      expect(await silent).toContain('42');
      expect(await session.text('query', { sql: 'select 42' })).toContain('42');
      expect(unwanted).toEqual([]);
    },
  );
});
