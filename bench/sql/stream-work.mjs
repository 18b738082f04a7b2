import { byProgram } from '../measuring/measure.mjs';
import { processorTime } from '../measuring/processor-time.mjs';
import { bareStream } from './bare-stream.mjs';
import { ROWS } from './fixtures.mjs';

const ALL = 'select * from events';
const PAGES = 10;
const PAGE = 1000;

/** Measures a million rows: exported to a file, and kept to be read in pages. */
export async function streamWork(servers, { url }) {
  const client = await servers.startOurs([url, '--max-bytes', '1048576']);
  const copy = ['psql', url, '-X', '-q', '-c', `copy (${ALL}) to stdout with (format csv, header)`];
  return [
    {
      name: `${ROWS} rows as CSV`,
      ways: { 'mcp-sql': wayOf(client, () => exported(client)), 'psql, COPY': byProgram(copy) },
      bars: [{ of: 'psql, COPY', times: 1.2 }],
    },
    {
      name: `${ROWS} rows kept, and ${PAGES} pages of ${PAGE}`,
      ways: {
        'mcp-sql': wayOf(client, () => keptAndRead(client)),
        'bare stream, nothing kept': { once: () => bareStream(url, ALL), busyMs: () => processorTime(process.pid).own },
      },
      bars: [{ of: 'bare stream, nothing kept', times: 2 }],
    },
  ];
}

function wayOf(client, work) {
  return {
    once: async () => {
      const began = performance.now();
      await work();
      return performance.now() - began;
    },
    busyMs: () => client.busyMs(),
  };
}

async function exported(client) {
  const { result } = await client.call('export', { sql: ALL, format: 'csv' });
  if (result.structuredContent.rows !== ROWS) throw new Error(`exported ${JSON.stringify(result.structuredContent)}`);
}

async function keptAndRead(client) {
  const { result } = await client.call('query', { sql: ALL, keep: true, max_rows: PAGE });
  const { handle } = result._meta;
  for (let page = 1; page <= PAGES; page += 1) {
    const offset = Math.floor((ROWS / PAGES) * page) - PAGE;
    const { result: next } = await client.call('fetch_result', { handle, offset, max_rows: PAGE });
    if (next._meta.row_count !== PAGE) throw new Error(`page ${page} has ${next._meta.row_count} rows`);
  }
}
