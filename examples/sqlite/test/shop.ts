import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connect, type Era, type Session } from '@org/mcp-testing';
import { DatabaseSync } from '@photostructure/sqlite';

import { SqliteOptions } from '../src/sqlite-options.js';
import { SqliteServer } from '../src/sqlite-server.js';

/** A statement that never ends by itself. */
export const ENDLESS = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT sum(x) FROM c';

const SAVED_QUERY = `-- ---
-- name: orders_of_customer
-- description: The number of orders of a customer
-- params:
--   customer: Name of the customer
-- ---
SELECT count(*) AS orders FROM orders JOIN customers ON customers.id = customer_id WHERE name = ?1
`;

/** A directory with the database of a shop with 500 orders, a saved query and the state of the servers. */
export class Shop implements AsyncDisposable {
  readonly directory: string;
  readonly file: string;
  readonly queries: string;

  private constructor(directory: string) {
    this.directory = directory;
    this.file = path.join(directory, 'shop.db');
    this.queries = path.join(directory, 'queries');
  }

  static async create(): Promise<Shop> {
    const shop = new Shop(await realpath(await mkdtemp(path.join(tmpdir(), 'sqlite-'))));
    shop.run(TABLES);
    await mkdir(shop.queries);
    await writeFile(path.join(shop.queries, 'orders.sql'), SAVED_QUERY);
    return shop;
  }

  /** Runs statements with write access to the database. */
  run(sql: string): void {
    // Waits up to 5 s for statements that read. After that, SQLite throws an error, so a lock that remains fails the test.
    const database = new DatabaseSync(this.file, { timeout: 5000, defensive: false });
    database.exec(sql);
    database.close();
  }

  connect(era: Era, options: Partial<SqliteOptions> = {}): Promise<Session> {
    const given = { files: [this.file], stateDir: path.join(this.directory, 'state'), queries: this.queries, tools: ['all'] };
    return connect(new SqliteServer(Object.assign(new SqliteOptions(), given, options)), { era });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

const TABLES = `
  CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, country TEXT DEFAULT 'DE');
  CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, placed DATE, total NUMERIC(10,2));
  CREATE TABLE order_lines(order_id INTEGER REFERENCES orders(id), line INTEGER, product TEXT, note BLOB, PRIMARY KEY (order_id, line));
  CREATE INDEX orders_by_total ON orders(total) WHERE total > 10;
  CREATE VIEW large_orders AS SELECT * FROM orders WHERE total > 700;
  CREATE VIEW broken AS SELECT * FROM orders;
  CREATE VIEW secrets AS SELECT load_extension('/tmp/x.so') AS secret;
  CREATE VIRTUAL TABLE hidden USING fts4(body, compress=lower, uncompress=load_extension);
  CREATE VIRTUAL TABLE rooms USING rtree(id, x0, x1);
  CREATE TRIGGER order_placed AFTER INSERT ON orders BEGIN SELECT 1; END;
  CREATE VIRTUAL TABLE products USING fts5(name, description);
  INSERT INTO products VALUES ('lamp', 'a bright lamp'), ('chair', 'a wooden chair');
  INSERT INTO customers(name, email) VALUES ('Ann', 'ann@example.com'), ('Bob', NULL);
  INSERT INTO orders(customer_id, placed, total)
    SELECT 1 + value % 2, date('2026-01-01', '+' || value || ' days'), value * 1.5 FROM (
      WITH RECURSIVE numbers(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 500) SELECT value FROM numbers);
  INSERT INTO order_lines SELECT id, 1, 'lamp', x'00ff' FROM orders;
  INSERT INTO rooms VALUES (1, 0, 2.5);
  INSERT INTO hidden VALUES ('/tmp/x.so');`;
