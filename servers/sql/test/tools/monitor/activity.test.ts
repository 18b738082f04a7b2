import { ERAS, type Session } from '@org/mcp-testing';
import type { Client } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { loadPg } from '../../../src/postgres/database/protocol/load-pg.ts';
import { Activity } from '../../../src/index.ts';
import { useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({
  sql: `
    create table queue (id int primary key, note text);
    insert into queue select g, 'x' from generate_series(1, 10) g;
    grant select on queue to mcp_ro;
    create table long as select g as id, repeat('x', 200) as note from generate_series(1, 20000) g;
    create role watcher login password 'watcher' in role pg_read_all_stats, pg_signal_backend;
  `,
});

/** Connects a client of PostgreSQL that ends with the test. */
async function session(role: 'reader' | 'superuser' = 'superuser'): Promise<{ readonly client: Client; readonly pid: number }> {
  const { Client } = await loadPg();
  const client = new Client(database.url(role));
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return { client, pid: rows[0]!.pid };
}

type Other = Awaited<ReturnType<typeof session>>;

/** Starts a statement, and resolves once it waits for something. */
async function begin({ client, pid }: Other, sql: string): Promise<{ readonly ended: Promise<unknown> }> {
  const ended = client.query(sql).catch((error: unknown) => error);
  const waiting = `select from pg_stat_activity where pid = ${pid} and state = 'active' and wait_event is not null`;
  await vi.waitUntil(async () => (await database.asSuperuser(waiting)).length > 0, { interval: 5 });
  return { ended };
}

async function shown(
  client: Session,
  args: Readonly<Record<string, unknown>>,
): Promise<readonly Readonly<Record<string, string | null>>[]> {
  const { structuredContent } = await client.call('activity', args);
  const { columns, rows } = Object.assign(new Activity(), structuredContent);
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])));
}

const SUPERUSER = { allowPrivilegedRole: true };

describe.each(ERAS)('activity, on a %s connection,', (era) => {
  it('shows sessions with their wait events', async () => {
    const other = await session('reader');
    const { ended } = await begin(other, "select pg_sleep(600) -- \u202e'; drop table queue");
    await using client = await database.connect({}, era);
    const found = (await shown(client, {})).find(({ pid }) => pid === String(other.pid));
    expect(found).toMatchObject({ role: 'mcp_ro', state: 'active', waits_on: 'Timeout PgSleep', blocked_by: null });
    expect(await client.text('activity')).toMatch(/^```csv\npid,role,[^]*\\u\{202e\}'; drop table queue/);
    await database.asSuperuser(`select pg_cancel_backend(${other.pid})`);
    await ended;
  });
});

describe('activity', () => {
  it('hides statements of other roles like PostgreSQL, and reports the number of hidden rows', async () => {
    const other = await session();
    await other.client.query("select 's3cret'");
    await using client = await database.connect();
    const text = await client.text('activity');
    expect(text).toContain(`${other.pid},postgres,postgres,,,`);
    expect(text).toMatch(/<insufficient privilege>[^]*Rows without details: \d\. This role may not inspect/);
    expect(text).not.toContain('s3cret');
  });

  it('shows locks and blocked sessions', async () => {
    const [holder, second, third] = await Promise.all([session(), session(), session()]);
    await holder.client.query('begin; lock table queue in access exclusive mode');
    const waiting = [await begin(second, 'select * from queue'), await begin(third, 'delete from queue')];
    await using client = await database.connect({ url: database.url('superuser'), ...SUPERUSER });
    const tree = await shown(client, { view: 'blocking_tree' });
    expect(tree.map(({ depth, pid }) => [depth, pid])).toEqual([
      ['0', String(holder.pid)],
      ['1', String(second.pid)],
      ['1', String(third.pid)],
    ]);
    expect(tree).toMatchObject([
      { blocked_by: null, state: 'idle in transaction', query: expect.stringContaining('lock table queue') },
      { blocked_by: String(holder.pid), waits_for: 'AccessShareLock on queue' },
      { waits_for: 'RowExclusiveLock on queue', query: 'delete from queue' },
    ]);
    const locks = await shown(client, { view: 'locks', limit: 2 });
    expect(locks).toMatchObject([{ granted: 'f', kind: 'relation', object: 'queue' }, { granted: 'f' }]);
    expect(await client.text('activity', { view: 'locks', limit: 1 })).toContain('[More rows exist: raise limit');
    await holder.client.query('rollback');
    await Promise.all(waiting.map(({ ended }) => ended));
    expect(await client.text('activity', { view: 'blocking_tree' })).toBe('No session is blocked');
  });

  it('shows the progress of an index build', async () => {
    const [holder, builder] = await Promise.all([session(), session()]);
    await holder.client.query('begin; insert into long values (0)');
    const { ended } = await begin(builder, 'create index concurrently on long (note)');
    await using client = await database.connect({ url: database.url('superuser'), ...SUPERUSER });
    expect(await shown(client, { view: 'progress' })).toMatchObject([
      {
        pid: String(builder.pid),
        command: 'CREATE INDEX CONCURRENTLY',
        object: 'long',
        phase: expect.stringContaining('waiting for'),
      },
    ]);
    await holder.client.query('rollback');
    await ended;
    expect(await shown(client, { view: 'progress' })).toEqual([]);
  });
});

describe('the resources of a server', () => {
  it.each([
    ['activity', { sessions: { columns: expect.arrayContaining(['pid']) }, blocking_tree: { rows: [] } }],
    ['settings', { settings: expect.arrayContaining([{ name: 'fsync', value: 'off', default: 'on', source: 'command line' }]) }],
  ])('show %s, and complete the database', async (name, contents) => {
    await using client = await database.connect();
    const read = await client.client.readResource({ uri: `pg://postgres/${name}` });
    const [first] = read.contents;
    expect(JSON.parse(first !== undefined && 'text' in first ? first.text : '')).toMatchObject(contents);
    const ref = { type: 'ref/resource', uri: `pg://{database}/${name}` } as const;
    const { completion } = await client.client.complete({ ref, argument: { name: 'database', value: '' } });
    expect(completion.values).toEqual(['postgres']);
    await expect(client.client.readResource({ uri: `pg://other/${name}` })).rejects.toThrow(
      /the database "other" does not exist/,
    );
  });
});

describe('cancel', () => {
  it.each([
    ['cancel', 'idle'],
    ['terminate', 'gone'],
  ])('with the mode %s leaves the session %s', async (mode, state) => {
    const other = await session('reader');
    const { ended } = await begin(other, 'select pg_sleep(600)');
    await using client = await database.connect();
    expect((await client.call('cancel', { pid: other.pid, mode })).structuredContent).toEqual({
      signalled: true,
      state_after: state,
    });
    expect(await ended).toBeInstanceOf(Error);
  });

  it('does not signal a session that has no statement', async () => {
    const other = await session('reader');
    await other.client.query('begin');
    await using client = await database.connect();
    expect(await client.text('cancel', { pid: other.pid })).toBe(
      `Sent no signal to session ${other.pid}; the session is idle in transaction; mode terminate ends a session that runs no statement`,
    );
    expect((await other.client.query('select 1')).rowCount).toBe(1);
  });

  it('ends sessions of other roles only with --cancel-others', async () => {
    const other = await session();
    const { ended } = await begin(other, 'select pg_sleep(600)');
    await using own = await database.connect();
    expect(await own.fails('cancel', { pid: other.pid })).toMatch(
      /^PERMISSION: session \d+ belongs to postgres\n.*--cancel-others/,
    );
    await using bound = await database.connect({ cancelOthers: true });
    expect(await bound.fails('cancel', { pid: other.pid })).toMatch(/^PERMISSION: permission denied to cancel query/);
    const watcher = database.url().replace(/\/\/[^@]*@/, '//watcher:watcher@');
    await using allowed = await database.connect({ url: watcher, cancelOthers: true });
    expect(await allowed.fails('cancel', { pid: other.pid })).toMatch(/^PERMISSION/);
    await using superuser = await database.connect({ url: database.url('superuser'), ...SUPERUSER, cancelOthers: true });
    expect(await superuser.text('cancel', { pid: other.pid })).toBe(
      `Sent a cancel request to session ${other.pid}; the session is now idle`,
    );
    await ended;
  });

  it('finds neither an ended session nor its own session', async () => {
    await using client = await database.connect({ maxConnections: 1 });
    const text = await client.text('query', { sql: 'select pg_backend_pid()' });
    for (const pid of [1, Number(/\d+/.exec(text)![0])]) expect(await client.fails('cancel', { pid })).toMatch(/^NOT_FOUND/);
  });
});
