import { fileURLToPath } from 'node:url';

import { firstAnswer, runToItsEnd } from '../clients/first-answer.mjs';
import { processorTime } from '../measuring/processor-time.mjs';
import { INITIALIZE } from '../clients/requests.mjs';

const BARE = fileURLToPath(new URL('../echo/bare-server.mjs', import.meta.url));

/** Returns the ways to start the process of each server. The measured time ends with the answer to `initialize`. */
export async function startWork({ ours, references }, { url }) {
  await runToItsEnd(ours(url).args, INITIALIZE);
  const ways = Object.entries(references).map(([name, command]) => [name, byStart(command(url))]);
  return {
    name: 'start, to the first answer',
    ways: { 'mcp-sql': byStart(ours(url)), 'bare node': byStart({ args: [BARE] }), ...Object.fromEntries(ways) },
    bars: [
      { of: 'server-postgres', times: 1.25 },
      { of: 'dbhub', times: 0.35 },
    ],
  };
}

function byStart({ command, args }) {
  return { once: () => firstAnswer(args, INITIALIZE, command), busyMs: () => processorTime(process.pid).ofChildren };
}
