import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cancelledTool, newTool, progressTool, prompt, refusedTool, settledTool, tool } from '../calls.mjs';

/** Returns the tour of a database: an embedded PostgreSQL with sample data of a shop, and a folder for saved queries. */
export function databaseTour({ scratch }) {
  const queries = join(scratch, 'queries');
  mkdirSync(queries);
  return {
    program: 'servers/sql/bin/mcp-sql.js',
    args: ['--sample', '--queries', queries],
    steps: [
      ['Which database is this?', tool('list_databases', {})],
      ['What is an order?', tool('describe', { object: 'shop.orders' })],
      ['What sells best?', tool('query', { sql: BEST, format: 'markdown' })],
      ['Nothing can be written', refusedTool('query', { sql: 'DELETE FROM shop.orders' }, 'READ_ONLY')],
      ['A long query shows how far it is', progressTool('query', { sql: SLOW, max_rows: 4000 })],
      ['A join that would take minutes is cancelled', cancelledTool('query', { sql: ENDLESS })],
      ['And the database is quiet again', settledTool('query', { sql: ACTIVE }, /^0$/m)],
      [
        'A query saved in the folder is a tool at once',
        newTool('orders_of_country', { country: 'JP' }, () => writeFileSync(join(queries, 'orders_of_country.sql'), SAVED)),
      ],
      ['A prompt about a slow statement', prompt('optimize_query', { sql: 'SELECT count(*) FROM shop.orders' })],
    ],
  };
}

const BEST = `SELECT name, sum(quantity) AS sold FROM shop.order_lines JOIN shop.products ON products.id = product_id
GROUP BY name ORDER BY sold DESC, name LIMIT 3`;
const SLOW = `SELECT order_id, line, (SELECT count(*) FROM generate_series(1, 2000) AS n WHERE n % 7 = order_id % 7) AS alike
FROM shop.order_lines`;
const ENDLESS = 'SELECT count(*) FROM shop.order_lines AS a, shop.order_lines AS b WHERE a.line + b.line < 0';
const ACTIVE = `SELECT count(*) FILTER (WHERE query LIKE '%a.line + b.line < 0%' AND state = 'active') AS still_running
FROM pg_stat_activity WHERE pid <> pg_backend_pid()`;
const SAVED = `---
name: orders_of_country
description: How many orders came from a country
params:
  country: ISO code of the country
---
SELECT country, count(*) AS orders FROM shop.orders JOIN shop.customers ON customers.id = customer_id
WHERE country = $1 GROUP BY country
`;
