import { cancelledTool, progressTool, refusedTool, tool } from '../calls.mjs';

/** A database: an embedded PostgreSQL with a small shop in it. */
export function databaseTour() {
  return {
    program: 'servers/sql/bin/mcp-sql.js',
    args: ['--sample'],
    steps: [
      ['Which database is this?', tool('list_databases', {})],
      ['What is an order?', tool('describe', { object: 'shop.orders' })],
      ['What sells best?', tool('query', { sql: BEST, format: 'markdown' })],
      ['Nothing can be written', refusedTool('query', { sql: 'DELETE FROM shop.orders' }, 'READ_ONLY')],
      ['A long query shows how far it is', progressTool('query', { sql: SLOW, max_rows: 4000 })],
      ['A query that would take a minute is cancelled', cancelledTool('query', { sql: ENDLESS })],
      ['And the database is quiet again', tool('query', { sql: ACTIVE })],
    ],
  };
}

const BEST = `SELECT name, sum(quantity) AS sold FROM shop.order_lines JOIN shop.products ON products.id = product_id
GROUP BY name ORDER BY sold DESC, name LIMIT 3`;
const SLOW = 'SELECT order_id, line, pg_sleep(0.0004) FROM shop.order_lines';
const ENDLESS = 'SELECT pg_sleep(60)';
const ACTIVE = `SELECT count(*) FILTER (WHERE query LIKE '%pg_sleep(60)%' AND state = 'active') AS still_sleeping
FROM pg_stat_activity WHERE pid <> pg_backend_pid()`;
