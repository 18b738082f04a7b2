import { writePage } from '../measuring/page.mjs';
import { reportOf } from '../measuring/report.mjs';
import { workRows } from '../measuring/work-rows.mjs';
import { catalogWork } from './catalog-work.mjs';
import { changeRows } from './change-rows.mjs';
import { costRows } from './cost-rows.mjs';
import { embeddedWork } from './embedded-work.mjs';
import { makeGround, ROWS, TABLES } from './fixtures.mjs';
import { growthOfSql } from './growth.mjs';
import { queryWork } from './query-work.mjs';
import { serversOf } from './servers.mjs';
import { startWork } from './start-work.mjs';
import { streamWork } from './stream-work.mjs';

const PAGE = {
  name: 'sql',
  title: 'Benchmarks of the SQL server',
  introduction: `Each measurement starts psql again, and its time includes this start; the servers are warm, and enforce their whole policy. The database is a PostgreSQL 18 on this machine, with a table of ${ROWS} rows, and another one with ${TABLES} tables.`,
  reference: '`@modelcontextprotocol/server-postgres` 0.6.2, and `@bytebase/dbhub` 1.4.0 on Node.js 22',
};
const WORK = { own: 'mcp-sql', heading: 'Milliseconds of a call, and CPU time' };

/** Compares the tools of the SQL server with psql and with two widely used servers, on a separate PostgreSQL. */
export async function sql({ rounds, write }) {
  const ground = await makeGround();
  const servers = serversOf();
  try {
    const parts = [];
    for (const rowsOf of [calls, growthOfSql, costRows, changeRows]) parts.push(await rowsOf(servers, ground, rounds));
    if (write) writePage(PAGE, parts, { rounds, programs: ['psql'] });
    return reportOf('SQL server', parts);
  } finally {
    await servers.close();
    await ground.stop();
  }
}

async function calls(servers, ground, rounds) {
  const works = [
    await startWork(servers, ground),
    ...embeddedWork(),
    ...(await queryWork(servers, ground)),
    ...(await streamWork(servers, ground)),
    await catalogWork(servers, ground),
  ];
  return workRows(WORK, works, rounds);
}
