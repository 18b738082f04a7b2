import { psql } from './postgres.mjs';
import { ROWS } from './fixtures.mjs';

const ANSWERED = 1000;
const BYTES = 1.12;
const EXPORT_MB = 120;
const HUGE_MB = 100;

/** Measures the size of a page of rows, and the memory for results that are much larger than a page. */
export async function costRows(servers, { url }) {
  const sql = `select * from events order by id limit ${ANSWERED}`;
  const client = await servers.startOurs([url, '--max-bytes', '1048576']);
  const bytes = await answerBytes(client, { url, sql });
  const exporting = await growth(servers, url, ['export', { sql: 'select * from events', format: 'csv' }]);
  const huge = await growth(servers, url, ['query', { sql: "select repeat('x', 600000000)" }]);
  return {
    heading: 'Size and memory of answers',
    header: ['', 'mcp-sql', 'the rows as CSV'],
    rows: [
      [`bytes of the answer with ${ANSWERED} rows`, String(bytes.own), String(bytes.csv)],
      [`MiB of memory more, ${ROWS} rows exported`, exporting.toFixed(0), ''],
      ['MiB of memory more, one value of 600 MB', huge.toFixed(0), ''],
    ],
    bars: [
      {
        text: `${ANSWERED} rows take at most ${BYTES} of their CSV: ${(bytes.own / bytes.csv).toFixed(3)}`,
        met: bytes.own <= BYTES * bytes.csv,
      },
      { text: `an export takes at most ${EXPORT_MB} MiB: ${exporting.toFixed(0)}`, met: exporting <= EXPORT_MB },
      { text: `a value of 600 MB takes at most ${HUGE_MB} MiB: ${huge.toFixed(0)}`, met: huge <= HUGE_MB },
    ],
  };
}

async function answerBytes(client, { url, sql }) {
  const { result, bytes } = await client.call('query', { sql, max_rows: ANSWERED });
  if (result._meta.row_count !== ANSWERED) throw new Error('the answer was cut');
  return { own: bytes, csv: Buffer.byteLength(psql(url, `copy (${sql}) to stdout with (format csv, header)`)) };
}

/**
 * Measures the growth of the peak memory of a server, in MiB, compared with the memory after its first call. The server
 * must survive the call.
 */
async function growth(servers, url, call) {
  const client = await servers.startOurs([url]);
  await client.call('query', { sql: 'select 1' });
  const before = client.memory().now;
  await client.call(...call).catch(() => undefined);
  await client.call('query', { sql: 'select 1' });
  return client.memory().most - before;
}
