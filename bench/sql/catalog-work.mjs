import { byProgram } from '../measuring/measure.mjs';
import { processorTime } from '../measuring/processor-time.mjs';
import { psqlCommand } from './postgres.mjs';
import { TABLES } from './fixtures.mjs';

/** SQL that reads the parts of a catalog, with one query for each part. */
const CATALOG = `
  select c.oid, c.relname, c.relkind, obj_description(c.oid, 'pg_class') from pg_class c;
  select a.attrelid, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid)
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum where a.attnum > 0;
  select conrelid, conname, pg_get_constraintdef(oid) from pg_constraint;
  select indexrelid, pg_get_indexdef(indexrelid) from pg_index`;

/**
 * Measures loading the catalog of a database with many tables, which completion and search use, for the first time in a
 * process.
 */
export async function catalogWork({ startOurs }, { wideUrl }) {
  const reference = `psql, the same of ${TABLES} tables`;
  return {
    name: `the catalog of ${TABLES} tables, and a name completed`,
    ways: {
      'mcp-sql': {
        once: async () => {
          const client = await startOurs([wideUrl]);
          await client.call('query', { sql: 'select 1' });
          const { result, ms } = await client.ask('completion/complete', COMPLETION);
          if (!result.completion.values.includes('table_4711')) throw new Error(`completed as ${JSON.stringify(result)}`);
          await client.close();
          return ms;
        },
        busyMs: () => processorTime(process.pid).ofChildren,
      },
      [reference]: byProgram(psqlCommand(wideUrl, CATALOG)),
    },
    bars: [{ of: reference, times: 1.3 }],
  };
}

const COMPLETION = {
  ref: { type: 'ref/resource', uri: 'pg://{database}/{schema}/{table}' },
  argument: { name: 'table', value: 'table_4711' },
  context: { arguments: { database: 'wide', schema: 'public' } },
};
