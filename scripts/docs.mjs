import { resolve } from 'node:path';

import { setup } from './setup.mjs';
import { ROOT, run } from './workspace/run.mjs';
import { buildSite } from './workspace/site.mjs';

const HELP = `Usage: npm run docs -- [--build DIR] [--port N]

Serves the documentation at a local address, and updates the pages while they
are edited. With --build, writes the site into a directory instead.`;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return 0;
  }
  await setup();
  const [build, port] = ['--build', '--port'].map((flag) => readValue(args, flag));
  if (build !== undefined) {
    const { code, output } = await buildSite(resolve(build));
    console.log(output);
    return code;
  }
  const { code } = await run('vitepress', ['dev', 'docs', ...(port === undefined ? [] : ['--port', port])], {
    directory: ROOT,
    inherit: true,
  });
  return code;
}

function readValue(args, flag) {
  return args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
}
