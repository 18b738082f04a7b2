import { describe, expect, it, onTestFinished } from 'vitest';

import { PostgresDatabase } from '../../../src/index.ts';
import { loadPg } from '../../../src/postgres/database/protocol/load-pg.ts';
import { urlSource } from '../../../src/postgres/database/connect/url-source.ts';
import { runHealthCheck, HEALTH_CHECKS, type Finding } from '../../../src/postgres/tools/monitor/health-checks/check-health.ts';
import { optionsWith, useDatabase } from '../../fixtures/postgres.ts';

const IDS = [
  'connections',
  'long_transactions',
  'idle_in_transaction',
  'cache_hit_ratio',
  'dead_tuples',
  'bloat',
  'wraparound',
  'sequences',
  'unused_indexes',
  'duplicate_indexes',
  'invalid_indexes',
  'missing_fk_indexes',
  'replication_slots',
  'replication_lag',
  'checkpoints',
  'settings',
];

const database = useDatabase({
  sample: true,
  settings: { wal_level: 'replica', max_wal_senders: '2' },
  sql: `
    create table "Odd ""one""
(" (id int primary key, note text) with (autovacuum_enabled = off);
    insert into "Odd ""one""
(" select g, repeat('x', 100) from generate_series(1, 20000) g;
    create index wide on "Odd ""one""
(" (note, id);
    create index same_1 on shop.customers (country);
    create index same_2 on shop.customers (country);
    create unique index broken on shop.customers (id, name);
    update pg_index set indisvalid = false where indexrelid = 'shop.broken'::regclass;
    create table counted (id serial primary key, wide bigserial);
    alter table counted alter column wide type int;
    select setval('counted_id_seq', 2000000000), setval('counted_wide_seq', 1700000000);
    delete from "Odd ""one""
(" where id > 2000;
    analyze;
    select pg_stat_force_next_flush();
  `,
});

const SUPERUSER = { allowPrivilegedRole: true };

function having(check: object): unknown {
  return { checks: expect.arrayContaining([expect.objectContaining(check)]) };
}

/** Runs a check with the lowest possible thresholds. */
async function strictly(id: string, role: 'reader' | 'superuser' = 'superuser'): Promise<Finding> {
  const source = urlSource({ url: database.url(role) });
  await using asked = new PostgresDatabase('postgres', source, optionsWith(SUPERUSER));
  const check = HEALTH_CHECKS.find((known) => known.id === id)!;
  const { signal } = new AbortController();
  return await runHealthCheck({ ...check, warn: 0 }, asked, { signal, timeoutMs: 30_000 });
}

describe('health', () => {
  it('finds problems, with SQL that fixes them', async () => {
    await using client = await database.connect({ url: database.url('superuser'), ...SUPERUSER });
    const { structuredContent } = await client.call('health');
    expect(structuredContent).toMatchObject({ checks: IDS.map((id) => ({ id })) });
    const found = [
      ['dead_tuples', 'critical', 90, 'public."Odd ""one""\n(": 18000 dead rows', 'vacuum (analyze) public."Odd ""one""\n("'],
      [
        'bloat',
        'critical',
        expect.any(Number),
        expect.stringMatching(/^public\."Odd .* about 2 MB unused$/s),
        'vacuum (full, analyze) public."Odd ""one""\n("',
      ],
      [
        'sequences',
        'critical',
        93.1,
        'public.counted_id_seq: 2000000000 of 2147483647',
        'alter table public.counted alter column id type bigint; alter sequence public.counted_id_seq as bigint',
      ],
      [
        'unused_indexes',
        'warn',
        1,
        expect.stringMatching(/^public.wide on .*, never used since/s),
        'drop index concurrently public.wide',
      ],
      [
        'duplicate_indexes',
        'warn',
        1,
        'shop.same_2 is the same as shop.same_1 on shop.customers',
        'drop index concurrently shop.same_2',
      ],
      ['invalid_indexes', 'warn', 1, 'shop.broken on shop.customers', 'reindex index concurrently shop.broken'],
      [
        'missing_fk_indexes',
        'warn',
        1,
        'shop.order_lines (product_id), which refers to shop.products',
        'create index concurrently on shop.order_lines (product_id)',
      ],
      ['settings', 'critical', 2, 'fsync = off: a crash can destroy the data', "alter system set fsync = 'on'"],
    ] as const;
    for (const [id, status, value, finding, fix] of found)
      expect(structuredContent).toEqual(
        having({ id, status, value, findings: expect.arrayContaining([finding]), fix_sql: expect.arrayContaining([fix]) }),
      );
    for (const id of ['connections', 'wraparound', 'replication_slots', 'replication_lag', 'idle_in_transaction'])
      expect(structuredContent).toEqual(having({ id, status: 'ok' }));
  });

  it('reports each finding on one line', async () => {
    await using client = await database.connect({ url: database.url('superuser'), ...SUPERUSER });
    expect(await client.text('health', { checks: ['dead_tuples', 'connections', 'wraparound'] })).toMatch(
      /^critical dead_tuples 90 %, warns at 20 %\n {2}public\."Odd ""one""\\n\(": 18000 dead rows\n {2}fix: vacuum \(analyze\) public\."Odd ""one""\\n\(";\nok: connections [\d.]+ %, wraparound$/,
    );
    expect(await client.fails('health', { checks: ['nope'] })).toMatch(/^INVALID_ARGUMENTS/);
  });

  it('reports the status unknown if the role may not see the facts', async () => {
    await using client = await database.connect();
    const { structuredContent } = await client.call('health');
    const hidden = expect.stringMatching(/^hidden sessions of other roles: \d/);
    for (const [id, finding] of [
      ['long_transactions', hidden],
      ['idle_in_transaction', hidden],
      ['sequences', '2 sequences cannot be read by this role'],
    ] as const)
      expect(structuredContent).toEqual(having({ id, status: 'unknown', findings: expect.arrayContaining([finding]) }));
  });

  it('measures transactions, idle transactions and connections', async () => {
    const { Client } = await loadPg();
    const other = new Client(database.url('superuser'));
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('begin');
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    const fix = `select pg_terminate_backend(${rows[0]!.pid})`;
    for (const id of ['long_transactions', 'idle_in_transaction'])
      expect(await strictly(id)).toMatchObject({
        status: 'warn',
        findings: expect.arrayContaining([
          expect.stringMatching(/^session \d+ of postgres, (in a transaction, )?idle in transaction$/),
        ]),
        fixes: expect.arrayContaining([fix]),
      });
    expect(await strictly('connections')).toMatchObject({ findings: [expect.stringMatching(/^\d+ of 120 connections$/)] });
  });

  it('measures replication slots and the age of databases', async () => {
    await database.asSuperuser(`select pg_create_physical_replication_slot('idle', true)`);
    expect(await strictly('replication_slots')).toMatchObject({
      status: 'warn',
      findings: ['slot idle, not in use, keeps WAL'],
      fixes: ["select pg_drop_replication_slot('idle')"],
    });
    await database.asSuperuser(`select pg_drop_replication_slot('idle')`);
    expect((await strictly('wraparound')).findings).toContain('database postgres');
  });

  it.each(['cache_hit_ratio', 'checkpoints', 'replication_lag'])('queries %s in a form that the server supports', async (id) => {
    expect((await strictly(id)).findings.join()).not.toMatch(/does not exist|syntax/);
  });
});
