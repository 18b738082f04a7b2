import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({
  sample: true,
  sql: `
    create schema team;
    create type team.mood as enum ('calm', 'not calm');
    create table team.people (id int, mood team.mood, x int, m int);
    create function team.top_people(n int) returns int language sql stable return n;
    comment on table team.people is 'Клиенты и партнёры';
    comment on column team.people.x is 'Umsatz je Kunde';
    create view team.zz as select 1 as one;
    comment on view team.zz is 'Kunden of last year';
    grant usage on schema team to mcp_ro;
    grant select on all tables in schema team to mcp_ro;
  `,
});

describe('the error of a statement', () => {
  it.each<[sql: string, expected: RegExp, params?: string[]]>([
    ['select ifnull(1, 2)', /PostgreSQL has coalesce/],
    ['select year(now())', /PostgreSQL has extract\(year from date\)/],
    ["select datediff('day', now(), now())", /PostgreSQL has date1 - date2/],
    ['select group_concat(name) from customers', /PostgreSQL has string_agg/],
    ['select getdate', /now\(\)/],
    ['select `id` from customers', /names are quoted with "double quotes"/],
    ['select id from customers limit 5, 5', /write LIMIT number OFFSET number/],
    ['select top 5 id from customers', /write LIMIT number at the end/],
    ['describe customers', /the tool describe shows/],
    [String.raw`\d customers`, /the tool describe shows/],
    [String.raw`\dt`, /search_objects lists tables/],
    ['show tables', /search_objects lists tables/],
    ["select 'x'::team.mood", /the values of team\.mood are calm, not calm/],
    ['select id from team.people where mood = $1', /the values of team\.mood are calm, not calm/, ['angry']],
    ["select '{1,2'::int[]", /malformed array literal: "\{1,2": Unexpected end of input\./],
    ['select * from team.poeple', /did you mean team\.people\?/],
    ['select top_people(1)', /did you mean team\.top_people\?/],
    ["select team.top_people('a', 'b')", /a function team\.top_people with other arguments exists: describe shows/],
    ['select mod from team.people', /does not exist/],
  ])('has a hint: %s', async (sql, expected, params = []) => {
    await using session = await database.connect({ policy: 'strict' });
    expect(await session.fails('query', { sql, params })).toMatch(expected);
  });

  it.each<[sql: string, other: RegExp]>([
    ['select 1 from team.people where r < 3', /did you mean/],
    ['select * from team.idd', /\bid\b/],
  ])('has no suggestion that is not similar or of another kind: %s', async (sql, other) => {
    await using session = await database.connect();
    const [, ...hint] = (await session.fails('query', { sql })).split('\n');
    expect(hint.join('\n')).not.toMatch(other);
  });

  it.each<[sql: string, expected: RegExp]>([
    ['analyze customers', /^READ_ONLY: ANALYZE is not a read/],
    ['vacuum customers', /^READ_ONLY: VACUUM is not a read/],
    ["set work_mem = '1GB'", /^READ_ONLY: SET is not a read.*\n.*settings do not persist/],
    ['refresh materialized view x', /^READ_ONLY: REFRESH MATERIALIZED VIEW is not a read/],
    ['copy customers to stdout', /^READ_ONLY: COPY is not a read.*\n.*the tool export/],
    ['create table t (id int)', /^READ_ONLY: CREATE TABLE is not a read/],
    ['begin', /^READ_ONLY: BEGIN is not a read.*\n.*own transaction/],
  ])('names the command that is not a read: %s', async (sql, expected) => {
    await using session = await database.connect({ policy: 'strict' });
    expect(await session.fails('query', { sql })).toMatch(expected);
  });

  it('names generic_plan if explain lacks the values', async () => {
    await using session = await database.connect();
    const text = await session.fails('explain', { sql: 'select * from customers where id = $1' });
    expect(text).toMatch(/^INVALID_ARGUMENTS: .*\n.*or generic_plan must be true/);
  });
});

describe('explain with analyze', () => {
  it('reports no wrong estimate of steps that LIMIT ended', async () => {
    await using session = await database.connect();
    const sql = 'select * from order_lines order by quantity limit 5';
    const { structuredContent } = await session.call('explain', { sql, analyze: true });
    expect(structuredContent).toMatchObject({ summary: { misestimates: [] } });
  });

  it('reports a wrong estimate below a step that reads all rows', async () => {
    await using session = await database.connect();
    const sql = 'select * from customers where length(name) < 0 order by country || name limit 5';
    const { structuredContent } = await session.call('explain', { sql, analyze: true });
    expect(structuredContent).toMatchObject({ summary: { misestimates: [expect.stringMatching(/^Seq Scan on customers: /)] } });
  });
});

describe.each(ERAS)('search_objects, on a %s connection,', (era) => {
  it.each([
    ['клиент', 'table', 'people'],
    ['kunde', 'view', 'zz'],
    ['*Kunden*', 'view', 'zz'],
  ])('finds an object by its comment: %s', async (pattern, kind, name) => {
    await using session = await database.connect({}, era);
    const { structuredContent } = await session.call('search_objects', { pattern });
    expect(structuredContent).toMatchObject({ objects: [{ kind, name, schema: 'team' }] });
  });

  it('finds a column by its comment, and lists names first', async () => {
    await using session = await database.connect({}, era);
    const text = await session.text('search_objects', { pattern: 'kunde', kinds: ['column', 'view'] });
    expect(text).toMatch(/^view team\.zz -- Kunden.*\ncolumn team\.x of team\.people.* -- Umsatz je Kunde$/s);
    const { structuredContent } = await session.call('search_objects', { pattern: 'people', kinds: ['table', 'function'] });
    expect(structuredContent).toMatchObject({ objects: [{ name: 'people' }, { name: 'top_people' }] });
  });

  it('continues after an object that was found by its comment', async () => {
    await using session = await database.connect({}, era);
    const search = { pattern: 'kunde', kinds: ['column', 'view'], limit: 1 };
    const { structuredContent } = await session.call('search_objects', search);
    const { next_cursor: cursor } = structuredContent as { next_cursor: string };
    expect((await session.call('search_objects', { ...search, cursor })).structuredContent).toMatchObject({
      objects: [{ name: 'x' }],
    });
  });

  it('lists everything by name', async () => {
    await using session = await database.connect({}, era);
    const { structuredContent } = await session.call('search_objects', { schema: 'shop', kinds: ['table', 'view'] });
    const names = (structuredContent as { objects: { name: string }[] }).objects.map(({ name }) => name);
    expect(names).toEqual(['customers', 'order_lines', 'orders', 'products', 'revenue']);
  });
});
