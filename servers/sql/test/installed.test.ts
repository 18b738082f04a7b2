import { ERAS } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { codeOf, useDatabase } from './postgres.ts';
import { NO_DEBIANS, startDebians } from './servers/installed-postgres.ts';

describe.skipIf(NO_DEBIANS)("on Debian's PostgreSQL 15", () => {
  const database = useDatabase({ start: startDebians });

  describe.each(ERAS)('a %s connection', (era) => {
    it.each([
      ['query', { sql: 'select count(*) from orders' }, '1 row'],
      ['query', { sql: 'select * from orders', max_rows: 2 }, '2 rows'],
      ['query', { sql: "select '2024-02-29 23:59:59.123456+00'::timestamptz, 9223372036854775807" }, '59.123456'],
      ['search_objects', { pattern: 'order' }, 'order_lines'],
      ['describe', { object: 'orders' }, 'order_lines'],
      ['explain', { sql: 'select * from orders', analyze: true }, 'orders'],
      ['list_databases', {}, '15.'],
    ])('answers %s %j', async (name, args, text) => {
      await using session = await database.connect({}, era);
      expect(await session.text(name, args)).toContain(text);
    });

    it.each([
      ['drop table orders', 'READ_ONLY'],
      ['insert into orders default values', 'READ_ONLY'],
      ['select 1; drop table orders', 'SYNTAX'],
      ['select * from nowhere', 'UNDEFINED_OBJECT'],
      ['select pg_read_file($$PG_VERSION$$)', 'PERMISSION'],
    ])('refuses %s', async (sql, code) => {
      await using session = await database.connect({}, era);
      expect(await codeOf(session, 'query', { sql })).toBe(code);
    });

    it('keeps a timeout, without transaction_timeout', async () => {
      await using session = await database.connect({}, era);
      expect(await session.fails('query', { sql: 'select pg_sleep(600)', timeout_ms: 200 })).toMatch(/^TIMEOUT/);
    });

    it('cancels in the database, and tells what a query waits for', async () => {
      await using session = await database.connect({}, era);
      const call = session.start('query', { sql: 'select pg_sleep(600) -- $marker$' });
      const { message } = await call.progress.next();
      expect(message).toMatch(/^waiting for the first row for \d s, on Timeout PgSleep$/);
      call.cancel();
      const active =
        "select count(*) from pg_stat_activity where usename = 'mcp_ro' and state = 'active' and query like '%$marker$%'";
      await vi.waitUntil(async () => (await database.asSuperuser(active))[0]?.[0] === '0', { timeout: 1000, interval: 5 });
    });
  });
});
