import { fileURLToPath } from 'node:url';

import { firstAnswer, runToItsEnd } from '../clients/first-answer.mjs';
import { processorTime } from '../measuring/processor-time.mjs';
import { INITIALIZE } from '../clients/requests.mjs';

const BARE = fileURLToPath(new URL('../echo/bare-server.mjs', import.meta.url));

/** Returns the ways to start the process of each server. The measured time ends with the answer to `initialize`. */
export async function startWork({ ours, theirs }) {
  for (const command of [ours, theirs]) await runToItsEnd(command, INITIALIZE);
  return {
    name: 'start, to the first answer',
    ways: { 'mcp-git': byStart(ours), 'bare node': byStart([BARE]), reference: byStart(theirs) },
    bars: [{ of: 'reference', times: 0.5 }],
  };
}

function byStart(command) {
  return { once: () => firstAnswer(command, INITIALIZE), busyMs: () => processorTime(process.pid).ofChildren };
}
