import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

import { setup } from './setup.mjs';

/** The benchmarks by name. Each resolves to a title, a body to print, and its bars. */
const BENCHES = {
  'cold-start': async (options) => (await import('../bench/stdio/cold-start.mjs')).coldStart(options),
  'start-of-modules': async (options) => (await import('../bench/stdio/start-of-modules.mjs')).startOfModules(options),
  plan: async (options) => (await import('../bench/decorators/plan.mjs')).plan(options),
  instance: async (options) => (await import('../bench/decorators/instance.mjs')).instance(options),
  calls: async (options) => (await import('../bench/stdio/calls.mjs')).calls(options),
  'large-message': async (options) => (await import('../bench/stdio/large-message.mjs')).largeMessage(options),
  'stalled-reader': async () => (await import('../bench/stdio/stalled-reader.mjs')).stalledReader(),
  http: async (options) => (await import('../bench/http/http.mjs')).http(options),
  scaling: async (options) => (await import('../bench/http/scaling.mjs')).scaling(options),
  protocol: async (options) => (await import('../bench/protocol.mjs')).protocol(options),
  watch: async () => (await import('../bench/watch/watch.mjs')).watch(),
  'verified-read': async (options) => (await import('../bench/roots/verified-read.mjs')).verifiedRead(options),
  filesystem: async (options) => (await import('../bench/filesystem/filesystem.mjs')).filesystem(options),
  git: async (options) => (await import('../bench/git/git.mjs')).git(options),
  sql: async (options) => (await import('../bench/sql/sql.mjs')).sql(options),
  races: async (options) => (await import('../bench/races/races.mjs')).races(options),
  soak: async (options) => (await import('../bench/soak/soak.mjs')).soak(options),
};

/** Benchmarks that `protocol` contains. */
const PARTS = new Set(['calls', 'http', 'scaling', 'plan', 'cold-start']);

const NUMBERS = ['rounds', 'attempts', 'minutes'];

const HELP = `Usage: npm run bench -- [NAME…] [--rounds N] [--attempts N] [--minutes N] [--million] [--write]

Measures the built packages and servers, and prints the results. Without a name,
runs all benchmarks; ${[...PARTS].join(', ')} then run only as parts of protocol.

  NAME          ${Object.keys(BENCHES).join(', ')}
  --rounds N    number of measured rounds, after one that is not measured (default: 15)
  --attempts N  races of each operation (default: 50000)
  --minutes N   how long the soak takes (default: 5)
  --million     git: also measure a log of a million commits
  --write       write the results of protocol, filesystem, git and sql to docs/benchmarks

Exits with 1 if a bar was missed, with 2 if the arguments cannot be used.`;

process.exitCode = await main();

async function main() {
  const { values, names, problem } = readArguments();
  if (problem !== undefined) {
    console.error(`${problem}\nSee npm run bench -- --help.`);
    return 2;
  }
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  await setup();
  console.log(`Node.js ${process.version}, ${availableParallelism()} processors, ${values.rounds} rounds`);
  let missed = false;
  for (const name of names) {
    const { title, body, bars } = await BENCHES[name]({ ...numbersOf(values), million: values.million, write: values.write });
    console.log(`\n${title}\n\n${body}\n`);
    for (const { text, met } of bars) console.log(`${met ? 'met   ' : 'missed'}  ${text}`);
    missed ||= bars.some(({ met }) => !met);
  }
  return missed ? 1 : 0;
}

function readArguments() {
  const options = {
    rounds: { type: 'string', default: '15' },
    attempts: { type: 'string', default: '50000' },
    minutes: { type: 'string', default: '5' },
    million: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.find((name) => !Object.hasOwn(BENCHES, name));
    if (unknown !== undefined) return { problem: `Unknown benchmark "${unknown}".` };
    const wrong = NUMBERS.find((name) => !/^[1-9]\d{0,4}$/.test(values[name]));
    if (wrong !== undefined) return { problem: `--${wrong} must be a positive number, not "${values[wrong]}".` };
    return { values, names: positionals.length > 0 ? positionals : Object.keys(BENCHES).filter((name) => !PARTS.has(name)) };
  } catch (error) {
    return { problem: error.message.split('. ')[0] };
  }
}

function numbersOf(values) {
  return Object.fromEntries(NUMBERS.map((name) => [name, Number(values[name])]));
}
