import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { codeOf, useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({
  sample: true,
  sql: 'create table public."Odd ""Name""" ("a b" int generated always as identity, c text default \'x\', unique (c)); create schema empty;',
});

const TABLE = { type: 'ref/resource', uri: 'pg://{database}/{schema}/{table}' } as const;

describe.each(ERAS)('the catalog, on a %s connection,', (era) => {
  it('describes a table', async () => {
    await using session = await database.connect({}, era);
    const { structuredContent, content } = await session.call('describe', { object: 'orders' });
    expect(structuredContent).toMatchObject({
      schema: 'shop',
      name: 'orders',
      kind: 'table',
      comment: 'One purchase of a customer',
      estimated_rows: 20_000,
      columns: [
        { name: 'id', type: 'bigint', nullable: false },
        { name: 'customer_id', type: 'integer', nullable: false },
        { name: 'status', type: 'order_status', nullable: false, labels: ['new', 'paid', 'shipped', 'returned'] },
        { name: 'placed_at', type: 'timestamp with time zone', nullable: false },
        { name: 'note', type: 'text', nullable: true },
      ],
      primary_key: ['id'],
      foreign_keys: [{ name: 'orders_customer_id_fkey', columns: ['customer_id'], table: 'customers', references: ['id'] }],
      referenced_by: [{ columns: ['order_id'], table: 'order_lines', references: ['id'] }],
    });
    expect(content[0]).toMatchObject({ text: expect.stringContaining('(customer_id) references customers (id)') });
  });

  it('finds objects by name', async () => {
    await using session = await database.connect({}, era);
    expect(await session.text('search_objects', { pattern: 'order' })).toBe(
      'table shop.orders -- One purchase of a customer\ntable shop.order_lines -- A product within an order\n' +
        'view shop.revenue -- Value of the orders of each month',
    );
    expect(await session.text('search_objects', { pattern: 'order*', kinds: ['column', 'index', 'type'], schema: 'shop' })).toBe(
      'index shop.orders_pkey on orders\nindex shop.order_lines_pkey on order_lines\nindex shop.orders_customer_id on orders\n' +
        'column shop.order_id of order_lines, bigint\ntype shop.order_status',
    );
  });

  it('explains a statement', async () => {
    await using session = await database.connect({}, era);
    const { structuredContent } = await session.call('explain', {
      sql: 'select * from orders where note = $1',
      params: ['gift'],
    });
    expect(structuredContent).toMatchObject({
      plan: expect.stringMatching(/^Seq Scan on orders \(cost=[\d.]+ rows=\d+\) \(note = 'gift'::text\)$/),
      summary: { sequential_scans: ['orders'], misestimates: [] },
    });
  });

  it('lists the database', async () => {
    await using session = await database.connect({}, era);
    expect((await session.call('list_databases')).structuredContent).toEqual({
      databases: [
        {
          id: 'postgres',
          engine: 'PostgreSQL',
          version: expect.stringMatching(/^18\./),
          read_only: true,
          role: 'mcp_ro',
          embedded: false,
          capabilities: expect.arrayContaining(['signals', 'progress']),
          extensions: ['plpgsql'],
        },
      ],
    });
  });

  it('reads a table as a resource', async () => {
    await using session = await database.connect({}, era);
    const { contents } = await session.client.readResource({ uri: 'pg://postgres/public/Odd%20%22Name%22' });
    expect(contents).toMatchObject([{ mimeType: 'application/json' }]);
    expect(JSON.parse(contents[0] !== undefined && 'text' in contents[0] ? contents[0].text : '')).toMatchObject({
      name: 'Odd "Name"',
      columns: [
        { name: 'a b', default: 'generated always as identity' },
        { name: 'c', default: "'x'::text" },
      ],
      constraints: [{ definition: 'UNIQUE (c)' }],
    });
  });

  it.each([
    ['a missing table', 'pg://postgres/shop/nope'],
    ['another database', 'pg://template1/shop/orders'],
  ])('does not find %s', async (_, uri) => {
    await using session = await database.connect({}, era);
    await expect(session.client.readResource({ uri })).rejects.toThrow(/does not exist/);
  });

  it.each([
    ['the database', 'database', '', {}, ['postgres']],
    ['a schema', 'schema', 'sh', {}, ['shop']],
    ['a table of a schema', 'table', 'order', { database: 'postgres', schema: 'shop' }, ['orders', 'order_lines']],
    ['no table of an empty schema', 'table', '', { schema: 'empty' }, []],
  ])('completes %s', async (...[, name, value, given, values]) => {
    await using session = await database.connect({}, era);
    const { completion } = await session.client.complete({
      ref: TABLE,
      argument: { name, value },
      context: { arguments: given },
    });
    expect(new Set(completion.values)).toEqual(new Set<string>(values));
  });
});

describe('the description of an object', () => {
  it.each([
    ['a view', 'shop.revenue', { kind: 'view', definition: expect.stringContaining('date_trunc') }],
    ['a quoted name', 'public."Odd ""Name"""', { name: 'Odd "Name"' }],
    ['a name in capitals', 'SHOP.ORDERS', { name: 'orders' }],
    ['a table of the system', 'pg_catalog.pg_class', { schema: 'pg_catalog' }],
  ])('is found by %s', async (_, object, facts) => {
    await using session = await database.connect();
    expect((await session.call('describe', { object })).structuredContent).toMatchObject(facts);
  });

  it('suggests names for a missing object', async () => {
    await using session = await database.connect();
    expect(await session.fails('describe', { object: 'ordres' })).toBe(
      'UNDEFINED_OBJECT: object "ordres" does not exist\ndid you mean orders?',
    );
  });
});

async function pagesOf(session: Session, args: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> {
  const { structuredContent } = await session.call('search_objects', { ...args });
  const { objects, next_cursor: cursor } = Object.fromEntries(Object.entries(structuredContent ?? {}));
  const rest = cursor === undefined ? [] : await pagesOf(session, { ...args, cursor });
  return [...(Array.isArray(objects) ? objects : []), ...rest];
}

describe('search_objects', () => {
  it('reports further objects, and suggests names if nothing matches', async () => {
    await using session = await database.connect();
    const { structuredContent } = await session.call('search_objects', { limit: 1 });
    const cursor = (structuredContent as { readonly next_cursor: string }).next_cursor;
    expect(cursor).toMatch(/^[0-9a-z]{1,24}$/);
    expect(await session.text('search_objects', { limit: 1 })).toContain(
      `[More objects exist: narrow the pattern, or continue with cursor ${cursor}.]`,
    );
    expect(await session.text('search_objects', { pattern: 'custmers' })).toBe('No objects match\nDid you mean customers?');
  });

  it('continues after a page, whatever its last object is', async () => {
    await using session = await database.connect();
    const kinds = ['schema', 'table', 'view', 'index', 'column', 'type', 'constraint'];
    const all = await session.call('search_objects', { kinds, limit: 1000, detail: 'full' });
    const pages = await pagesOf(session, { kinds, limit: 7, detail: 'full' });
    expect({ objects: pages }).toEqual(all.structuredContent);
  });

  it.each([
    'x',
    Buffer.from('[]').toString('base64url'),
    Buffer.from('["0","1","2","a","b","3","-1"]').toString('base64url'),
    Buffer.from('["0","1","2","a","b","c","0"]').toString('base64url'),
  ])('rejects the cursor %s', async (cursor) => {
    await using session = await database.connect();
    expect(await codeOf(session, 'search_objects', { cursor })).toBe('INVALID_ARGUMENTS');
  });

  it('returns the requested details', async () => {
    await using session = await database.connect();
    const found = (detail: string): Promise<string> =>
      session.text('search_objects', { pattern: 'orders', kinds: ['table'], detail });
    expect(await found('names')).toBe('table shop.orders');
    expect(await found('full')).toBe(
      'table shop.orders, ~20000 rows (id bigint not null, customer_id integer not null, status order_status not null, ' +
        'placed_at timestamp with time zone not null, note text) -- One purchase of a customer',
    );
  });

  it.each(['%', '_', '\\', "'", '*'])('interprets %s literally or as a glob, never as SQL', async (pattern) => {
    await using session = await database.connect();
    await session.call('search_objects', { pattern });
  });
});

describe('explain', () => {
  it('shows a generic plan', async () => {
    await using session = await database.connect();
    const sql = 'select * from orders where customer_id = $1 and placed_at > $2';
    const { structuredContent } = await session.call('explain', { sql, generic_plan: true });
    expect(structuredContent).toMatchObject({ plan: expect.stringContaining('(customer_id = $1)') });
    expect(await session.text('query', { sql: 'select count(*) from pg_prepared_statements' })).toContain('\n0\n');
    expect(await session.fails('explain', { sql, generic_plan: true, params: ['1', '2'] })).toContain('INVALID_ARGUMENTS');
    const { _meta } = await session.client.callTool({
      name: 'explain',
      arguments: { sql: 'select nope from orders where id = $1', generic_plan: true },
    });
    expect(_meta).toMatchObject({ error: { data: { position: { line: 1, column: 8 } } } });
  });

  it('reports pages, settings and the JSON of PostgreSQL', async () => {
    await using session = await database.connect();
    const sql = 'select * from orders order by note, placed_at';
    const { structuredContent } = await session.call('explain', { sql, analyze: true, buffers: true, settings: true });
    expect(structuredContent).toMatchObject({
      plan: expect.stringMatching(/\[pages hit=\d+/),
      summary: {
        hot_nodes: expect.arrayContaining([expect.stringMatching(/^Sort: \d+ % of the time$/)]),
        settings: ['search_path = shop, public'],
      },
    });
    const json = await session.call('explain', { sql, format: 'json' });
    expect(JSON.parse(String(Object.values(json.structuredContent ?? {})[0]))).toMatchObject([{ Plan: { 'Node Type': 'Sort' } }]);
  });

  it('warns about problems of a step', async () => {
    await using session = await database.connect();
    const text = await session.text('explain', { sql: 'select * from order_lines where quantity > 9', analyze: true });
    expect(text).toMatch(/warning: Seq Scan on order_lines: the scan read and discarded 50000 rows \(filter: \(quantity > 9\)\)/);
  });

  it('measures with analyze, and reports wrong estimates', async () => {
    await using session = await database.connect();
    const sql = 'select * from orders where id % 2 = 0 and id % 3 = 0';
    const { structuredContent } = await session.call('explain', { sql, analyze: true });
    expect(structuredContent).toMatchObject({
      plan: expect.stringContaining('actual rows=3333'),
      summary: {
        execution_ms: expect.any(Number),
        misestimates: [expect.stringMatching(/^Seq Scan on orders: expected rows: \d+, found: 3333$/)],
      },
    });
  });

  it.each([
    ['a write', { sql: 'delete from orders', analyze: true }, 'READ_ONLY|PERMISSION'],
    ['options of its own', { sql: 'analyze delete from orders' }, 'SYNTAX'],
    ['a second statement', { sql: 'select 1; drop table orders' }, 'SYNTAX'],
    ['a command', { sql: 'vacuum' }, 'SYNTAX'],
  ])('does not run %s', async (_, args, codes) => {
    await using session = await database.connect();
    expect(codes.split('|')).toContain(await codeOf(session, 'explain', args));
  });

  it('reports positions of errors in the given statement', async () => {
    await using session = await database.connect();
    const { _meta } = await session.client.callTool({ name: 'explain', arguments: { sql: 'select nope from orders' } });
    expect(_meta).toMatchObject({ error: { data: { position: { line: 1, column: 8, excerpt: 'select nope from orders' } } } });
  });
});
