import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { Client } from './call-path/client.mjs';
import { ROOT } from './workspace/run.mjs';
import { setup } from './setup.mjs';

/** Number of calls before the measured calls; these earlier calls load modules and fill caches. */
const WARM_UP_CALLS = 3;

/** A query that returns few rows slowly, because tracing delays every function that runs for a row. */
const LONG_QUERY = `SELECT order_id, line, (SELECT count(*) FROM generate_series(1, 100000) AS n WHERE n % 7 = order_id % 7) AS alike
FROM shop.order_lines LIMIT 300`;

/** The traced calls: the server, its arguments, and one call that resolves when the client has received everything. */
const CALLS = {
  read_text_file: { server: 'fs', args: [ROOT], call: (client) => client.call('read_text_file', { path: 'README.md' }) },
  git_status: { server: 'git', args: [ROOT], call: (client) => client.call('git_status', {}) },
  query: {
    server: 'sql',
    args: ['--sample'],
    call: (client) => client.cancelAfterProgress('query', { sql: LONG_QUERY, max_rows: 10_000 }),
  },
};

const HELP = `Usage: npm run call-path -- [NAME…]

Prints which source files one call passes, in the order in which they are first
executed, and how many there are. A server runs from its compiled modules, over
stdio; V8 counts the functions that are executed during one call after others
have warmed up. Without a name: ${Object.keys(CALLS).join(', ')}
(query reports progress and is then cancelled).`;

process.exitCode = await main();

async function main() {
  const { values, positionals } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } }, allowPositionals: true });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const unknown = positionals.find((name) => !Object.hasOwn(CALLS, name));
  if (unknown !== undefined) {
    console.error(`Unknown call "${unknown}"; the calls are ${Object.keys(CALLS).join(', ')}.`);
    return 2;
  }
  await setup();
  const counts = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(CALLS)) {
    const files = await filesOfCall(CALLS[name]);
    console.log(`${name}: ${files.length} files\n${files.map((file, index) => `${index + 1}. ${file}`).join('\n')}\n`);
    counts.push(`${name} ${files.length}`);
  }
  console.log(counts.join(', '));
  return 0;
}

/** Returns the source files with functions that run during one call, in the order of their first execution. */
async function filesOfCall({ server, args, call }) {
  const client = await Client.start(join(ROOT, 'servers', server, 'dist', 'bin.js'), args);
  try {
    for (let made = 0; made < WARM_UP_CALLS; made += 1) await call(client);
    // The first measured call finds the functions, the second one the order in which they begin.
    await client.measure('coverage', () => call(client));
    const { files } = await client.measure('order', () => call(client));
    return files;
  } finally {
    await client.close();
  }
}
