import { parseArgs } from 'node:util';

import { setup } from './setup.mjs';
import { run } from './workspace/run.mjs';

const SERVERS = ['fs', 'git', 'sql'];

/**
 * Tests that run for the time in the command line: what they do, their file, the variable with the number of seconds for one
 * test, and the number of tests among which the time of a server is divided.
 */
const COMMANDS = {
  fuzz: {
    about: `Sends calls with hostile arguments, broken messages over stdio and broken requests over HTTP to the built servers. Fails if a request
is not answered, if an error is internal, if the event loop stalls for 500 ms, if Node.js warns, or if a file outside the directories changes.
A failure names its seed.`,
    file: 'test/endurance/fuzz.test.ts',
    variable: 'MCP_TEST_FUZZ_SECONDS',
    testsPerServer: 3,
  },
  soak: {
    about: `Runs clients of both protocol revisions against the built servers while files change, the database crashes and processes are killed. Fails if a call fails
without a reason, or if the server afterwards holds more descriptors, processes or memory than before. Needs Linux.`,
    file: 'test/endurance/soak-servers.test.ts',
    variable: 'MCP_TEST_SOAK_SECONDS',
    testsPerServer: 1,
  },
};

process.exitCode = await main(process.argv[2], process.argv.slice(3));

async function main(command, args) {
  const { about, file, variable, testsPerServer } = COMMANDS[command];
  const { values, problem } = readArguments(args);
  if (problem !== undefined) {
    console.error(`${problem}\nSee npm run ${command} -- --help.`);
    return 2;
  }
  if (values.help) {
    console.log(`Usage: npm run ${command} -- [--minutes N] [--server NAME] [--seed N]

${about}

  --minutes N    time for each server (default: 6)
  --server NAME  only this server: ${SERVERS.join(', ')}
  --seed N       seed of the random choices (default: the time)`);
    return 0;
  }
  await setup();
  const variables = {
    [variable]: String(Math.ceil((Number(values.minutes) * 60) / testsPerServer)),
    MCP_TEST_SEED: values.seed ?? String(Date.now() % 1_000_000_000),
  };
  const only = values.server === undefined ? [] : ['--testNamePattern', `mcp-${values.server} `];
  return (await run('vitest', ['run', file, ...only], { inherit: true, variables })).code;
}

function readArguments(args) {
  const options = {
    minutes: { type: 'string', default: '6' },
    server: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  };
  try {
    const { values } = parseArgs({ args, options });
    const { minutes, server, seed } = values;
    if (!/^[1-9]\d{0,3}$/.test(minutes)) return { problem: `--minutes must be a number from 1 to 9999, not "${minutes}".` };
    if (server !== undefined && !SERVERS.includes(server)) return { problem: `Unknown server "${server}".` };
    if (seed !== undefined && !/^\d{1,10}$/.test(seed)) return { problem: `--seed must be a number, not "${seed}".` };
    return { values };
  } catch (error) {
    return { problem: error.message.split('. ')[0] };
  }
}
