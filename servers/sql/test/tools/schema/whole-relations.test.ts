import { describe, expect, it, vi } from 'vitest';

import { useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({
  sql: `
    create schema one;
    create schema two;
    create table one.kept (id int primary key);
    create table two.kept (id int primary key, note text);
    create index note on two.kept (note);
    create table one.lone (id int primary key, "odd.name" text not null, at date default now());
    create index only_at on one.lone (at);
    create view two.seen as select id from two.kept;
    create table one.wide as select repeat('x', 3000) as long, repeat('y', 100) as short;
    grant usage on schema one, two to mcp_ro;
    grant select on all tables in schema one, two to mcp_ro;
  `,
});

describe('compare_schemas', () => {
  it('reports a missing or added relation once, with its columns', async () => {
    await using session = await database.connect({ tools: ['extra'] });
    const { structuredContent } = await session.call('compare_schemas', { schema: 'one', other_schema: 'two' });
    const { differences } = structuredContent as { differences: { object: string }[] };
    expect(differences).toEqual([
      { change: 'added', object: 'column kept.note', there: 'text' },
      { change: 'added', object: 'index kept.note', there: 'CREATE INDEX note ON kept USING btree (note)' },
      { change: 'missing', object: 'table lone', here: expect.stringContaining('"odd.name" text not null') },
      { change: 'missing', object: 'table wide', here: 'long text, short text' },
      { change: 'added', object: 'view seen', there: expect.stringContaining('SELECT id') },
    ]);
  });
});

describe('the sample of describe', () => {
  it('cuts values after 200 bytes', async () => {
    await using session = await database.connect();
    const text = await session.text('describe', { object: 'one.wide', include: ['sample'] });
    expect(text).toMatch(/x{200}… \[cut from 3000 bytes\],y{100}\n/);
  });
});

describe('activity', () => {
  it('omits the idle sessions of the server itself', async () => {
    await using session = await database.connect();
    await Promise.all([
      session.text('query', { sql: 'select pg_sleep(0.05)' }),
      session.text('query', { sql: 'select pg_sleep(0.05)' }),
    ]);
    // The transactions of the calls end after their results.
    await vi.waitFor(async () => {
      const { structuredContent } = await session.call('activity', { view: 'sessions' });
      const { rows } = structuredContent as { rows: string[][] };
      expect(rows.filter((row) => row.includes('mcp-sql'))).toEqual([]);
      expect(rows.length).toBeGreaterThan(0);
    });
  });
});
