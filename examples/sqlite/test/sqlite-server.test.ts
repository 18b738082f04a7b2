import assert from 'node:assert/strict';

import { ERAS, type Session } from '@org/mcp-testing';

import { ENDLESS, Shop } from './shop.js';

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.create();
});

afterAll(() => shop[Symbol.asyncDispose]());

for (const era of ERAS) {
  describe(`SqliteServer, in the ${era} era,`, () => {
    let session: Session;

    beforeAll(async () => {
      session = await shop.connect(era);
    });

    afterAll(() => session[Symbol.asyncDispose]());

    it('offers the tools of every engine that only read, explain and saved queries', async () => {
      const names = [...(await session.toolNames())].toSorted();
      const offered =
        'describe er_diagram explain export fetch_result generate_types list_databases orders_of_customer query search_objects';
      assert.deepEqual(names, offered.split(' '));
    });

    it('lists its databases', async () => {
      assert.match(await session.text('list_databases'), /^shop: SQLite 3\.\d+\.\d+, read-only$/);
    });

    it('returns rows as text, as SQLite formats the values', async () => {
      const sql = `SELECT 1.0, 9007199254740993, x'00ff', NULL, '', cast(x'ff41' as text), ?2, ?1`;
      const { structuredContent } = await session.call('query', { sql, params: ['a', 'b'], structured: true });
      const [row] = (structuredContent as { rows: unknown[] }).rows;
      const expected = ['1.0', '9007199254740993', '\\x00ff', null, '', '\ufffdA', 'b', 'a'];
      assert.equal(JSON.stringify(row), JSON.stringify(expected));
    });

    it('describes tables, views and the schema', async () => {
      const orders = await session.text('describe', {
        object: 'Orders',
        include: ['columns', 'constraints', 'indexes', 'triggers'],
      });
      assert.match(orders, /customer_id INTEGER not null\n[^]*primary key \(id\)\n\(customer_id\) references customers \(id\)/);
      assert.match(orders, /referenced by order_lines \(order_id\) to \(id\)/);
      assert.match(orders, /CREATE INDEX orders_by_total[^]*CREATE TRIGGER order_placed/);
      assert.match(
        await session.text('describe', { object: 'customers', include: ['indexes', 'sample'] }),
        /unique \(email\)[^]*1,Ann,/,
      );
      assert.match(
        await session.text('describe', { object: 'main.large_orders' }),
        /^```\nview main\.large_orders[^]*total > 700/,
      );
      assert.match(await session.text('describe', { object: 'orders_by_total' }), /^```\nindex [^]*CREATE INDEX/);
      assert.match(await session.text('describe', { object: 'main' }), /view large_orders/);
      // SQLite does not read the columns of a view that uses an unsafe function, so the description has only the definition.
      assert.match(await session.text('describe', { object: 'secrets' }), /^```\nview main\.secrets\nCREATE VIEW/);
      assert.match(await session.fails('describe', { object: 'order' }), /UNDEFINED_OBJECT[^]*did you mean orders/);
    });

    it('finds objects page by page', async () => {
      const kinds = ['table', 'view', 'column', 'index', 'trigger'];
      const all = await session.call('search_objects', { pattern: 'order', kinds, detail: 'full' });
      const names = (found: typeof all): string[] =>
        (found.structuredContent as { objects: { name: string }[] }).objects.map(({ name }) => name);
      const pages: string[] = [];
      for (let cursor: string | undefined, last = false; !last;) {
        const page = await session.call('search_objects', {
          pattern: 'order',
          kinds,
          limit: 2,
          ...(cursor !== undefined && { cursor }),
        });
        pages.push(...names(page));
        cursor = (page.structuredContent as { next_cursor?: string }).next_cursor;
        last = cursor === undefined;
      }
      assert.deepEqual(pages, names(all));
      assert.deepEqual(pages, ['orders', 'order_id', 'order_lines', 'large_orders', 'order_placed', 'orders_by_total']);
    });

    it('reads names in SQL syntax, and which columns accept NULL', async () => {
      const { structuredContent } = await session.call('generate_types', { tables: ['"customers"', 'main.order_lines'] });
      const { code } = structuredContent as { code: string };
      assert.match(code, /interface Customers \{\n {2}id: number;/);
      // A primary key that is no alias of the rowid accepts NULL, so the types of its columns contain null.
      assert.match(code, /interface OrderLines \{\n {2}order_id: number \| null;/);
    });

    it('draws diagrams and generates types', async () => {
      assert.match(await session.text('er_diagram'), /customers \|\|--o\{ orders : "customer_id"/);
      assert.match(await session.text('generate_types', { tables: ['customers'] }), /email: string \| null/);
    });

    it('binds texts of numbers as numbers, which SQLite does not convert', async () => {
      const sql = `SELECT 3 > ?1, ?2 > 2.4, ?3 = 'Ann', typeof(?4) FROM customers WHERE name = ?3`;
      assert.match(await session.text('query', { sql, params: ['2', '2.5', 'Ann', '007'] }), /\n1,1,1,text\n/);
      const exact = ['1234567890123456800', '100000000000000000000', '1.50', '-0'];
      const typed = 'SELECT ?1, typeof(?2), typeof(?3), typeof(?4)';
      assert.match(await session.text('query', { sql: typed, params: exact }), /\n1234567890123456800,text,text,text\n/);
    });

    it('explains statements', async () => {
      const plan = await session.text('explain', {
        sql: 'SELECT * FROM orders JOIN customers ON customers.id = customer_id WHERE total > ?1',
        params: ['20'],
      });
      assert.match(plan, /SCAN orders\nSEARCH customers USING INTEGER PRIMARY KEY/);
    });

    it('stores results, and continues them', async () => {
      const { _meta, structuredContent, content } = await session.call('query', {
        sql: 'SELECT id FROM orders ORDER BY id',
        keep: true,
        max_rows: 2,
        structured: true,
      });
      const { handle } = structuredContent as { handle: string };
      assert.ok(handle, JSON.stringify({ _meta, content }));
      assert.match(await session.text('fetch_result', { handle, offset: 498 }), /\n499\n500\n/);
    });

    it('exports all rows to a file', async () => {
      const { structuredContent } = await session.call('export', { sql: 'SELECT id, total FROM orders ORDER BY id' });
      const { uri, rows } = structuredContent as { uri: string; rows: number };
      assert.equal(rows, 500);
      const { contents } = await session.client.readResource({ uri });
      assert.match(String((contents[0] as { text?: string }).text), /^id,total\n1,1\.5\n2,3\n/);
    });

    it('runs saved queries', async () => {
      assert.match(await session.text('orders_of_customer', { customer: 'Ann' }), /\b250\b/);
    });

    it('offers the schema, tables and saved queries as resources with the scheme of the engine', async () => {
      const read = async (uri: string): Promise<string> => JSON.stringify((await session.client.readResource({ uri })).contents);
      assert.match(await read('sqlite://shop/main'), /large_orders/);
      assert.match(await read('sqlite://shop/main/orders'), /customer_id/);
      assert.match(await read('sqlite://shop/main/orders/ddl'), /CREATE TABLE orders/);
      assert.match(await read('sqlite://shop/main/orders/sample'), /2026-01-02/);
      assert.match(await read('sqlitequery://orders_of_customer'), /count/);
    });

    it('completes the names of databases, schemas and tables', async () => {
      const complete = async (name: string, value: string): Promise<readonly string[]> => {
        const ref = { type: 'ref/resource', uri: 'sqlite://{database}/{schema}/{table}' } as const;
        return (await session.client.complete({ ref, argument: { name, value } })).completion.values;
      };
      assert.deepEqual(await complete('database', 's'), ['shop']);
      assert.deepEqual(await complete('schema', 'm'), ['main']);
      assert.deepEqual(await complete('table', 'ord'), ['order_lines', 'orders', 'large_orders']);
    });

    it('reports progress, and ends the process of a statement that is cancelled', async () => {
      const call = session.start('query', { sql: ENDLESS });
      assert.match(String((await call.progress.next()).message), /^waiting for the first row for 1 s$/);
      call.cancel();
      await assert.rejects(call.result);
      assert.match(await session.text('query', { sql: 'SELECT 1' }), /1 row/);
    });

    it('ends statements that run longer than their timeout', async () => {
      assert.match(
        await session.fails('query', { sql: ENDLESS, timeout_ms: 100 }),
        /^TIMEOUT: the statement ran longer than 100 ms/,
      );
    });

    it('notifies subscribers of changed tables', async () => {
      await using updates = await session.subscribe('sqlite://shop/main/customers');
      const column = `phone_${era}`;
      shop.run(`ALTER TABLE customers ADD COLUMN ${column} TEXT`);
      await updates.next();
      shop.run(`ALTER TABLE customers DROP COLUMN ${column}`);
    });
  });
}
