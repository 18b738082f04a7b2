import { Tool, RequestContext } from '@org/mcp-decorators';
import { connect, connectHttp, ERAS, type Session } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { BackendProgress } from '../../src/database/backend-progress.ts';
import { loadPg } from '../../src/database/load-pg.ts';
import { PostgresServer } from '../../src/index.ts';
import { optionsWith, useDatabase } from '../postgres.ts';

const database = useDatabase({
  sql: `
    create table indexed as select g as id, repeat('x', 500) as filler from generate_series(1, 600) g;
    create table vacuumed as table indexed;
    create table analyzed as table indexed;
    create function slow(id int) returns int language plpgsql immutable as $$ begin perform pg_sleep(0.002); return id; end $$;
  `,
});

class StatementInput {
  @IsString()
  sql!: string;
}

class Owner extends PostgresServer {
  @Tool({ description: 'Run one statement outside of a transaction' })
  async run({ sql }: StatementInput, context: RequestContext): Promise<string> {
    const { Client } = await loadPg();
    const client = new Client(this.options.url);
    await client.connect();
    await client.query('set vacuum_cost_delay = 20; set vacuum_cost_limit = 1');
    using progress = new BackendProgress(context, this.databaseFor({}));
    progress.watch(Number(Reflect.get(client, 'processID')));
    await client.query(sql);
    await client.end();
    return 'done';
  }
}

const JOIN = { memory: connect, http: connectHttp };
const CASES = (['memory', 'http'] as const).flatMap((transport) =>
  ERAS.map((era) => ({
    name: `${transport}, ${era}`,
    connect: (): Promise<Session> =>
      JOIN[transport](new Owner(optionsWith({ url: database.url('superuser'), allowPrivilegedRole: true })), { era }),
  })),
);

describe.each(CASES)('the progress of a command, on $name,', (joined) => {
  it.concurrent.each([
    [
      'an index',
      'create index on indexed (slow(id))',
      /^CREATE INDEX on indexed: building index.*, \d+ of \d+ blocks \(\d+ %\)$/,
    ],
    ['VACUUM', 'vacuum (parallel 0, disable_page_skipping) vacuumed', /^VACUUM on vacuumed: scanning heap, \d+ of \d+ blocks/],
    ['ANALYZE', 'analyze analyzed', /^ANALYZE on analyzed: acquiring sample rows, \d+ of \d+ blocks/],
    ['COPY', `copy (select slow(id) from indexed) to '/dev/null'`, /^COPY TO: \d+ tuples$/],
    ['what tells nothing', 'select pg_sleep(2.6)', /^running for \d s, on Timeout PgSleep$/],
  ])('is told for %s, and increases', async (_, sql, message) => {
    await using session = await joined.connect();
    const call = session.start('run', { sql });
    await call.result;
    const heard = call.progress.all;
    expect(heard.map((report) => report.message)).toContainEqual(expect.stringMatching(message));
    const values = heard.map((report) => report.progress);
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
  });
});

describe('a command whose progress nobody asked for', () => {
  it('is not asked about', async () => {
    await using session = await connect(new Owner(optionsWith({ url: database.url('superuser'), allowPrivilegedRole: true })));
    await session.call('run', { sql: 'select pg_sleep(0.6)' });
    const controls = await database.asSuperuser("select pid from pg_stat_activity where application_name = 'mcp-sql control'");
    expect(controls).toEqual([]);
  });
});
