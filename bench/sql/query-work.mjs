import { byProgram, byTool } from '../measuring/measure.mjs';
import { processorTime } from '../measuring/processor-time.mjs';
import { psqlCommand } from './postgres.mjs';
import { roundTripOf, startDelay } from './delay.mjs';

const CONCURRENT = 200;
const DELAY_MS = 10;
/** Calls per round for work that takes milliseconds. */
const SAMPLES = 8;
/** The tool of each server that runs a statement. */
const TOOLS = { 'mcp-sql': 'query', 'server-postgres': 'query', dbhub: 'execute_sql' };
const POINT = 'select id, account, amount from events where id = 4711';
const AGGREGATE = 'select account, count(*), sum(amount) from events group by account order by 3 desc, 1 limit 10';

/** Measures statements that are typical of models, with each server. */
export async function queryWork(servers, ground) {
  const clients = {
    'mcp-sql': await servers.startOurs([ground.url]),
    'server-postgres': await servers.startReference('server-postgres', ground.url),
    dbhub: await servers.startReference('dbhub', ground.url),
  };
  return [
    {
      name: 'a row by its key',
      samples: SAMPLES,
      ways: waysOf(clients, POINT, '4711'),
      bars: [{ of: 'server-postgres', times: 1.1 }],
    },
    await fromAfar(servers, ground),
    concurrent(clients),
    {
      name: 'an aggregate over a million rows',
      samples: 2,
      ways: { ...waysOf(clients, AGGREGATE, 'user-'), psql: byProgram(psqlCommand(ground.url, AGGREGATE)) },
      bars: [{ of: 'psql', times: 1.1 }],
    },
  ];
}

function waysOf(clients, sql, expected) {
  const isWhole = ({ content }) => content[0].text.includes(expected);
  return Object.fromEntries(
    Object.entries(clients).map(([name, client]) => [name, byTool(client, TOOLS[name], { sql }, isWhole)]),
  );
}

async function fromAfar(servers, ground) {
  const delay = await startDelay(ground.port, DELAY_MS / 2);
  const url = ground.url.replace(`:${ground.port}/`, `:${delay.port}/`);
  const clients = {
    'mcp-sql': await servers.startOurs([url]),
    'server-postgres': await servers.startReference('server-postgres', url),
  };
  const trip = { once: () => roundTripOf(delay.port), busyMs: () => processorTime(process.pid).own };
  return {
    name: `a row by its key, where a round trip takes ${DELAY_MS} ms`,
    samples: SAMPLES,
    ways: { ...waysOf(clients, POINT, '4711'), 'the round trip': trip },
    bars: [{ of: 'the round trip', times: 1.2 }],
  };
}

function concurrent(clients) {
  const ways = Object.entries(clients).map(([name, client]) => [
    name,
    {
      once: async () => {
        const began = performance.now();
        const ids = Array.from({ length: CONCURRENT }, (_, index) => index + 1);
        const sqlOf = (id) => `select id, account, amount from events where id = ${id}`;
        await Promise.all(ids.map((id) => client.call(TOOLS[name], { sql: sqlOf(id) })));
        return performance.now() - began;
      },
      busyMs: () => client.busyMs(),
    },
  ]);
  return {
    name: `${CONCURRENT} at once`,
    samples: SAMPLES,
    ways: Object.fromEntries(ways),
    bars: [{ of: 'server-postgres', times: 1.1 }],
  };
}
