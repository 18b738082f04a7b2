import { run } from './workspace/run.mjs';
import { setup } from './setup.mjs';

/** Tests with their full counts: files, and the variables that the files read. `npm test` runs the same files with small counts. */
const SUITES = {
  expressions: { files: ['test/regular-expressions.test.ts'], variables: { MCP_TEST_EXPRESSIONS: 'exhaustive' } },
  stalls: { files: ['test/stalls.test.ts'], variables: { MCP_TEST_STALLS: '100' } },
  statements: { files: ['servers/sql/test/postgres/policy/admitted-text.test.ts'], variables: { MCP_TEST_STATEMENTS: '3000' } },
  effects: {
    files: ['servers/sql/test/tools/write/effects.test.ts'],
    variables: { MCP_TEST_WAYS: '6', MCP_TEST_EFFECTS: '1000' },
  },
  together: {
    files: ['test/together/attacks.test.ts'],
    variables: { MCP_TEST_ATTEMPTS: '10000' },
    per: 'each of 2 settings of mcp-fs: 20000 in all',
  },
  'git-races': {
    files: ['servers/git/test/attacks/configuration-race.test.ts'],
    variables: { MCP_TEST_RACES: '5000' },
    per: 'each of 4 ways to change the configuration: 20000 in all',
  },
  fairness: { files: ['servers/fs/test/threads/fairness.test.ts'], variables: { MCP_TEST_BOMBS: '100' } },
  kills: { files: ['servers/fs/test/storage/killed.test.ts'], variables: { MCP_TEST_KILLS: '200' } },
  changes: {
    files: ['servers/fs/test/journal/many-changes.test.ts', 'servers/git/test/properties.test.ts'],
    variables: { MCP_TEST_CHANGES: '20000' },
  },
  cancels: {
    files: [
      'servers/sql/test/postgres/database/query/cancellation.test.ts',
      'servers/sql/test/postgres/database/connect/pgbouncer.test.ts',
    ],
    variables: { MCP_TEST_CANCELS: '1000' },
  },
  rows: { files: ['servers/sql/test/process/memory.test.ts'], variables: { MCP_TEST_ROWS: '10000000' } },
};

const HELP = `Usage: npm run test:long [-- NAME…]

Runs tests with their full counts, which takes minutes to hours. Without a name, all of them.

${Object.entries(SUITES)
  .map(
    ([name, { variables, per }]) =>
      `  ${name.padEnd(12)}${Object.entries(variables)
        .map((pair) => pair.join('='))
        .join(' ')}${per === undefined ? '' : ` for ${per}`}`,
  )
  .join('\n')}

A variable that is set in the environment takes precedence over its value above. MCP_TEST_SEED=N chooses other random input.
MCP_TEST_GONE_MS=1000 allows git and the database one second to end cancelled work, on a machine with nothing else to do.

Exits with 1 if a test failed, with 2 if the arguments cannot be used.`;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return 0;
  }
  const unknown = args.find((name) => !Object.hasOwn(SUITES, name));
  if (unknown !== undefined) {
    console.error(`Unknown name "${unknown}".\nSee npm run test:long -- --help.`);
    return 2;
  }
  await setup();
  const failed = [];
  for (const name of args.length > 0 ? args : Object.keys(SUITES)) {
    const { files, variables } = SUITES[name];
    console.log(`\n${name}`);
    const { code } = await run('vitest', ['run', ...files], { inherit: true, variables: { ...variables, ...given(variables) } });
    if (code !== 0) failed.push(name);
  }
  console.log(failed.length === 0 ? 'All of them passed.' : `Failed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
}

/** Returns the values of these variables that are set in the environment. */
function given(variables) {
  return Object.fromEntries(Object.keys(variables).flatMap((name) => (name in process.env ? [[name, process.env[name]]] : [])));
}
