import { interceptSignals } from '@org/mcp-host';

import { startEarly, endEarlyStart } from './postgres/database/embedded/early-start.ts';

// Without a handler, a signal would end the process and leave the embedded database running.
interceptSignals();
// oxlint-disable-next-line no-restricted-properties -- packages/host reads both, too, but loading it takes as long as starting the database
startEarly(process.argv.slice(2), process.env);
// `run` reports its own errors. The bundle is not an ES module, so top-level await is not available.
void run();

async function run(): Promise<void> {
  const { serve } = await import('./serve.ts');
  await serve();
  await endEarlyStart();
}
