import { byTool } from '../measuring/measure.mjs';
import { growthRows } from '../measuring/growth-rows.mjs';
import { ROWS } from './fixtures.mjs';

const STEPS = [100, 10, 1];

/** Measures a query, an export and an aggregate of 1, 10 and 100 times the rows. */
export async function growthOfSql(servers, { url }, rounds) {
  const client = await servers.startOurs([url, '--max-bytes', '1048576', '--max-rows', '10000']);
  const by = (most, tool, argsOf) =>
    Object.fromEntries(STEPS.map((step) => [most / step, byTool(client, tool, argsOf(most / step))]));
  const rowsOf = (count) => `select * from events where id <= ${count}`;
  const works = [
    { name: 'query', unit: 'rows', ways: by(10_000, 'query', (count) => ({ sql: rowsOf(count), max_rows: count })) },
    { name: 'export', unit: 'rows', ways: by(ROWS, 'export', (count) => ({ sql: rowsOf(count), format: 'csv' })) },
    { name: 'query with an aggregate', unit: 'rows', ways: by(ROWS, 'query', (count) => ({ sql: aggregateOf(count) })) },
  ];
  return growthRows(works, rounds);
}

function aggregateOf(count) {
  return `select count(*), sum(amount) from events where id <= ${count}`;
}
