import { execFileSync } from 'node:child_process';

import type { Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { RehearsedMigration, RehearsedStep } from '../../../src/index.ts';
import { failureOf } from '../../fixtures/failure-of.ts';
import { LOCKED, REHEARSED, SHOP } from '../../fixtures/migrations.ts';
import { useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({ sql: SHOP });

let session: Session;
beforeAll(async () => {
  session = await database.connect({ policy: 'strict' });
});
afterAll(() => session[Symbol.asyncDispose]());

async function rehearse(args: Readonly<Record<string, unknown>>): Promise<RehearsedMigration> {
  const { structuredContent } = await session.call('rehearse_migration', { ...args });
  return structuredContent as RehearsedMigration;
}

async function step(sql: string): Promise<RehearsedStep> {
  const { statements } = await rehearse({ sql });
  return statements.at(-1)!;
}

describe('a migration that is rehearsed', () => {
  let steps: readonly RehearsedStep[];
  let locked: readonly RehearsedStep[];
  beforeAll(async () => {
    steps = (await rehearse({ sql: REHEARSED.map(({ sql }) => sql).join(';\n') })).statements;
    locked = (await rehearse({ sql: LOCKED.map(({ sql }) => sql).join(';\n') })).statements;
  });

  it.each(REHEARSED.map((expected, place) => ({ ...expected, place })))(
    'reports $title',
    ({ outcome, reasons = [], changes = [], place }) => {
      const found = steps[place]!;
      expect(found.outcome).toBe(outcome);
      expect(found.reasons.map((reason, at) => reason.slice(0, reasons[at]?.length ?? 200))).toEqual(reasons);
      expect(found.changes.map((change) => change.replace(/ \(.*\)$/, '')).toSorted()).toEqual([...changes].toSorted());
    },
  );

  it.each(LOCKED.map((expected, place) => ({ ...expected, place })))('reports the locks of $sql', ({ locks, place }) => {
    const found = locked[place]!.locks.map((lock) => lock.replace(/^lock /, '').replace(/ \(.*$|:.*$/, ''));
    expect(found.toSorted()).toEqual([...locks].toSorted());
  });

  it('says how large a locked table is, and what waits', async () => {
    const { locks } = await step('alter table shop.orders add column a int');
    expect(locks[0]).toMatch(
      /^lock ACCESS EXCLUSIVE on shop\.orders \(about 5000 rows, \d+.*B\): other sessions can neither read nor write/,
    );
  });

  it('runs later statements on the result of earlier ones, and omits BEGIN and COMMIT', async () => {
    const sql = `begin; alter table shop.orders add column note text; update shop.orders set note = code;
      alter table shop.orders alter column note set not null; create index notes on shop.orders (note); commit`;
    const { statements } = await rehearse({ sql });
    expect(statements.map(({ outcome }) => outcome)).toEqual(['succeeds', 'succeeds', 'unknown', 'succeeds']);
    expect(statements[2]?.reasons[0]).toContain('not checked: rows of shop.orders without a value in note');
  });

  it('compares the plans of queries', async () => {
    const { queries } = await rehearse({
      sql: 'create index by_customer on shop.orders (customer_id); alter table shop.customers drop column age; alter table shop.customers alter column note type varchar(500)',
      queries: [
        'select * from shop.orders where customer_id = $1',
        'select age from shop.customers',
        'select count(*) from shop.events',
      ],
    });
    expect(queries[0]!.cost_after!).toBeLessThan(queries[0]!.cost_before / 5);
    expect(queries[1]).toMatchObject({ error: 'column "age" does not exist' });
    expect(queries[2]!.cost_after).toBe(queries[2]!.cost_before);
  });

  it('changes nothing in the database', async () => {
    const objects = 'select count(*), sum(relfilenode::bigint) from pg_class';
    const before = await database.asSuperuser(objects);
    await rehearse({ sql: 'drop table shop.orders cascade; truncate shop.customers; create table shop.made (id int)' });
    expect(await database.asSuperuser(objects)).toEqual(before);
  });

  it('continues without the rows that make a statement fail, even if a materialized view has rows', async () => {
    const { statements } = await rehearse({
      sql: `create materialized view shop.totals as select count(*) from shop.orders;
        alter table shop.customers add constraint none check (id < 0) ; alter table shop.customers drop constraint none`,
    });
    expect(statements.map(({ outcome }) => outcome)).toEqual(['succeeds', 'fails', 'succeeds']);
  });

  it('copies no rows with sample_rows 0', async () => {
    const { statements } = await rehearse({
      sql: 'insert into shop.orders (customer_id, total) select id, -1 from shop.customers',
      sample_rows: 0,
    });
    expect(statements[0]?.outcome).toBe('succeeds');
  });

  it('reports samples that are larger than the limit', async () => {
    await using limited = await database.connect({ policy: 'strict', maxSampleBytes: 1024 });
    const sql = 'alter table shop.orders add column checked boolean';
    const { structuredContent } = await limited.call('rehearse_migration', { sql, sample_rows: 1000 });
    const { notes } = structuredContent as RehearsedMigration;
    expect(notes).toContain('not copied: the sampled rows of shop.orders, which exceed --max-sample-bytes');
  });

  it('copies at most as many relations as the limit allows', async () => {
    await using limited = await database.connect({ policy: 'strict', maxCopiedTables: 1 });
    const sql = 'alter table shop.orders add column checked boolean';
    expect(await limited.fails('rehearse_migration', { sql })).toMatch(
      /^UNSUPPORTED_ENGINE: .*would be copied than --max-copied-tables allows, 1/,
    );
  });

  it('does not show values of masked columns', async () => {
    await using masked = await database.connect({ policy: 'strict', mask: ['shop.customers.age'] });
    const result = await masked.client.callTool({
      name: 'rehearse_migration',
      arguments: { sql: 'alter table shop.customers alter column age type int using age::int' },
    });
    expect(JSON.stringify(result)).not.toContain('"unknown\\');
    expect(result.structuredContent).toMatchObject({ statements: [{ outcome: 'unknown' }] });
    const sql = 'alter table shop.orders add constraint fk foreign key (customer_id) references shop.customers';
    const { structuredContent } = await masked.call('rehearse_migration', { sql });
    expect(structuredContent).toMatchObject({ statements: [{ outcome: 'unknown' }] });
  });
});

describe('a rehearsal is rejected', () => {
  it.each([
    ['without a statement', { sql: '-- nothing' }, 'INVALID_ARGUMENTS'],
    ['with a mistake', { sql: 'alter tabel x' }, 'SYNTAX'],
    ['with COPY from the client', { sql: 'copy shop.events from stdin' }, 'INVALID_ARGUMENTS'],
    ['with more than 100 statements', { sql: 'select 1;'.repeat(101) }, 'INVALID_ARGUMENTS'],
    ['with a query that is no query', { sql: 'select 1', queries: ['vacuum'] }, 'SYNTAX'],
    ['with a query of a table that does not exist', { sql: 'select 1', queries: ['select * from nope'] }, 'UNDEFINED_OBJECT'],
  ])('%s', async (_, args, code) => {
    expect(await failureOf(session, 'rehearse_migration', args)).toMatchObject({ code });
  });
});

/** Counts the processes that this process has started and that still run. */
function countChildren(): number {
  const rows = execFileSync('ps', ['-eo', 'ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  return rows.filter((row) => Number.parseInt(row, 10) === process.pid && !row.includes('ps -eo')).length;
}

describe('the copy', () => {
  it('ends when the call is cancelled, although a statement runs', async () => {
    const before = countChildren();
    const controller = new AbortController();
    const calling = session.client.callTool(
      { name: 'rehearse_migration', arguments: { sql: 'do $$ begin loop null; end loop; end $$', timeout_ms: 30_000 } },
      { signal: controller.signal, onprogress: () => controller.abort(), timeout: 60_000 },
    );
    await expect(calling).rejects.toThrow();
    await vi.waitUntil(() => countChildren() === before);
  });

  it.each([
    ['reads a file of the server', "select pg_read_file('/etc/passwd')", /permission denied for function pg_read_file/],
    ['runs a program', "copy shop.events from program 'id'", /permission denied to COPY/],
    ['writes a file', "copy shop.events to '/tmp/mcp-copy'", /permission denied to COPY/],
    ['changes the settings of the server', 'alter system set port = 1', /permission denied to set parameter/],
    ['becomes superuser', 'alter role current_user superuser', /permission denied to alter role/],
    ['creates an extension in C', 'create extension file_fdw', /permission denied to create extension/],
    ['waits', 'select pg_sleep(100)', /statement timeout/],
  ])('rejects a statement that %s', async (_, sql, message) => {
    const { statements } = await rehearse({ sql, timeout_ms: 3000 });
    expect(statements[0]).toMatchObject({ outcome: 'fails' });
    expect(statements[0]?.reasons.join()).toMatch(message);
  });

  it('is not harmed by functions of the database', async () => {
    await database.asSuperuser(
      "create table shop.trap (id int); create function shop.steal() returns trigger language plpgsql as $$ begin raise exception '%', pg_read_file('/etc/passwd'); end $$; create trigger steal before insert or update or truncate on shop.trap execute function shop.steal(); grant select on shop.trap to mcp_ro",
    );
    const { statements } = await rehearse({ sql: 'insert into shop.trap values (1); truncate shop.trap' });
    expect(JSON.stringify(statements)).toContain('permission denied for function pg_read_file');
    expect(JSON.stringify(statements)).not.toContain('root:');
  });

  it('reports a statement that ends its session', async () => {
    const sql = 'select pg_terminate_backend(pg_backend_pid()); select 1';
    expect(await failureOf(session, 'rehearse_migration', { sql })).toMatchObject({ code: 'QUERY_FAILED' });
  });
});
