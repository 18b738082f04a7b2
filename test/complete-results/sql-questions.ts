import type { Session } from '@org/mcp-testing';

import type { Arguments, Question } from './questions.ts';

const ORDERS = 'select id, status from shop.orders order by id limit 3';
const RAISE = "update shop.products set price = price + 1 where name = 'Product 1' returning name, price";

export const SQL_QUESTIONS: readonly Question[] = [
  { tool: 'query', args: { sql: ORDERS }, facts: [/\b3\b/] },
  { tool: 'query', args: { sql: ORDERS, structured: true }, facts: [/\b3\b/] },
  { tool: 'query', args: { sql: ORDERS, max_rows: 2, structured: true }, facts: [/more|truncated/] },
  { tool: 'fetch_result', args: keptRows, facts: [/\b3\b/, /2/] },
  { tool: 'describe', args: { object: 'shop.products' }, facts: [/numeric\(10,2\)/, /price/, /primary.key/] },
  { tool: 'describe', args: { object: 'shop' }, facts: [/orders/, /revenue/] },
  { tool: 'search_objects', args: { pattern: 'product' }, facts: [/products/, /table/] },
  { tool: 'explain', args: { sql: ORDERS }, facts: [/Limit/, /cost/] },
  { tool: 'list_databases', facts: [/PostgreSQL/, /embedded/] },
  { tool: 'health', facts: [/missing_fk_indexes/] },
  { tool: 'top_queries', facts: [/not installed|pg_stat_statements|queries/] },
  { tool: 'activity', facts: [/./] },
  { tool: 'export', args: { sql: ORDERS }, facts: [/pgexport:/, /\b3\b/, /sha256/] },
  { tool: 'cancel', args: { pid: 0 }, facts: [] },
  {
    tool: 'advise_indexes',
    args: { sql: 'select * from shop.orders where placed_at = now()' },
    facts: [/create index/i, /placed_at/],
  },
  {
    tool: 'rehearse_migration',
    args: { sql: 'alter table shop.orders add column remark text' },
    facts: [/succeeds/, /ACCESS EXCLUSIVE/, /shop\.orders/],
  },
  { tool: 'er_diagram', args: { schema: 'shop' }, facts: [/erDiagram/, /orders/] },
  { tool: 'generate_types', args: { schema: 'shop' }, facts: [/interface/] },
  { tool: 'profile_column', args: { table: 'shop.customers', column: 'country' }, facts: [/rows/, /null/] },
  { tool: 'compare_schemas', args: { schema: 'shop', other_schema: 'public' }, facts: [/missing/, /orders/] },
  { tool: 'listen', args: { channels: ['none'], timeout_ms: 100 }, facts: [/time/] },
  { tool: 'execute', args: { sql: RAISE }, facts: [/committed/, /Product 1/] },
  { tool: 'execute', args: { sql: RAISE, structured: true }, facts: [/committed/, /Product 1/] },
  { tool: 'execute', args: { sql: RAISE, dry_run: true }, facts: [/nothing was done|"committed":false/, /Product 1/] },
  { tool: 'run_maintenance', args: { action: 'analyze', table: 'shop.orders' }, facts: [/committed/] },
  {
    tool: 'import',
    args: { table: 'shop.products', columns: ['id', 'name', 'price'], rows: [['1001', 'A', '2']] },
    facts: [/committed/, /\b1 row\b/],
  },
];

async function keptRows(session: Session): Promise<Arguments> {
  const { structuredContent } = await session.call('query', { sql: ORDERS, keep: true, structured: true });
  const { handle } = structuredContent as { readonly handle: string };
  return { handle, offset: 1, max_rows: 1, structured: true };
}
