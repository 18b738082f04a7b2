import { Tool, RequestContext } from '@org/mcp-decorators';
import { connect } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { BackendProgress } from '../../../../src/postgres/database/progress/backend-progress.ts';
import { loadPg } from '../../../../src/postgres/database/protocol/load-pg.ts';
import { PostgresServer } from '../../../../src/index.ts';
import { JOINED, optionsWith, useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({
  sql: `
    create table ground as select g as id, repeat('x', 500) as filler from generate_series(1, 400) g;
    ${JOINED.map((_, at) => ['indexed', 'vacuumed', 'analyzed'].map((name) => `create table ${name}_${at} as table ground;`).join('')).join('')}
    create function slow(id int) returns int language plpgsql immutable as $$ begin perform pg_sleep(0.003); return id; end $$;
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
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
    return 'done';
  }
}

function owner(): Owner {
  return new Owner(optionsWith({ url: database.url('superuser'), allowPrivilegedRole: true }));
}

/**
 * Returns statements with the messages that their progress contains. Each statement uses a separate table, so that no statement
 * waits for another.
 */
function commands(suffix: number): readonly (readonly [sql: string, message: RegExp])[] {
  return [
    [
      `create index on indexed_${suffix} (slow(id))`,
      /^CREATE INDEX on public\.indexed_\d: building index.*, \d+ of \d+ blocks \(\d+ %\)$/,
    ],
    [
      `vacuum (parallel 0, disable_page_skipping) vacuumed_${suffix}`,
      /^VACUUM on public\.vacuumed_\d: scanning heap, \d+ of \d+ blocks/,
    ],
    [
      `analyze analyzed_${suffix}`,
      /^ANALYZE on public\.analyzed_\d: (acquiring sample rows, \d+ of \d+ blocks|computing statistics)/,
    ],
    ["copy (select slow(id) from ground) to '/dev/null'", /^COPY TO: \d+ tuples$/],
    ['select pg_sleep(2.6)', /^running for \d s, on Timeout PgSleep$/],
  ];
}

describe.concurrent.each(JOINED.map((joined, suffix) => ({ ...joined, suffix })))('the progress of a command, $name,', (way) => {
  it('is reported with the phases of the command, and increases', async ({ expect }) => {
    await using session = await way.join(owner());
    const calls = commands(way.suffix).map(([sql, message]) => ({ sql, message, call: session.start('run', { sql }) }));
    for (const { sql, message, call } of calls) {
      await call.result;
      const reports = call.progress.all;
      expect(
        reports.map((report) => report.message),
        sql,
      ).toContainEqual(expect.stringMatching(message));
      const values = reports.map((report) => report.progress);
      expect(values, sql).toEqual([...new Set(values)].toSorted((a, b) => a - b));
    }
  });
});

describe('a command without a progress token', () => {
  it('opens no control connection', async () => {
    await using session = await connect(owner());
    await session.call('run', { sql: 'select pg_sleep(0.6)' });
    const controls = await database.asSuperuser("select pid from pg_stat_activity where application_name = 'mcp-sql control'");
    expect(controls).toEqual([]);
  });
});
