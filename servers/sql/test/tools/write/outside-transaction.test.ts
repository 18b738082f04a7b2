import { describe, expect, it, vi } from 'vitest';

import { CONFIRMS, useStock } from '../../fixtures/stock.ts';

const database = useStock();
const { sleeping, writing } = database;

describe('execute', () => {
  it('runs a statement outside of a transaction if PostgreSQL requires it', async () => {
    await using session = await writing(undefined, CONFIRMS);
    for (const sql of [
      'vacuum stock',
      'create index concurrently by_name on stock (name)',
      'reindex table concurrently stock',
      'drop index concurrently by_name',
    ])
      expect(await session.text('execute', { sql })).toMatch(/, committed$/);
  });

  it.each([
    ['is cancelled', 'create index concurrently slow on stock ((pg_temp_wait(id)))'],
    ['fails', 'create unique index concurrently slow on stock ((1))'],
  ])('drops an invalid index if its build %s', async (ending, sql) => {
    await database.asSuperuser(
      'create or replace function app.pg_temp_wait(int) returns int immutable language plpgsql as $$ begin perform pg_sleep(600); return 1; end $$',
    );
    await using session = await writing(undefined, CONFIRMS);
    const controller = new AbortController();
    const call = session.client.callTool({ name: 'execute', arguments: { sql } }, { signal: controller.signal });
    const ended = call.then(
      ({ isError }) => (isError === true ? 'failed' : 'done'),
      () => 'cancelled',
    );
    if (ending === 'is cancelled') {
      await vi.waitUntil(async () => (await sleeping()) === '1', { interval: 5 });
      controller.abort();
    }
    expect(await ended).toBe(ending === 'fails' ? 'failed' : 'cancelled');
    const indexes = async (): Promise<unknown> =>
      (await database.asSuperuser("select count(*) from pg_class where relname = 'slow'"))[0]?.[0];
    await vi.waitUntil(async () => (await indexes()) === '0', { interval: 20 });
  });

  it('reports the progress of an index build', async () => {
    await database.asSuperuser('set role app; create table app.many as select g from generate_series(1, 4000000) g; reset role');
    await using session = await writing(undefined, CONFIRMS);
    const messages: (string | undefined)[] = [];
    await session.client.callTool(
      { name: 'execute', arguments: { sql: 'create index on many (g)' } },
      { onprogress: ({ message }) => messages.push(message) },
    );
    await database.asSuperuser('drop table app.many');
    expect(messages).toContainEqual(expect.stringMatching(/CREATE INDEX on /));
  });
});
