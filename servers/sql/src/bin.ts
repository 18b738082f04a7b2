import { takeSignals } from '@org/mcp-host';

import { beginEmbedded, endBegun } from './database/embedded/head-start.ts';

// A signal would otherwise end the process, and leave what begins here.
takeSignals();
// oxlint-disable-next-line no-restricted-properties -- packages/host reads them too, once it is loaded: that takes as long as what begins here
beginEmbedded(process.argv.slice(2), process.env);
// It reports its errors itself, and the bundle, which is no ES module, could not wait for it.
void run();

async function run(): Promise<void> {
  const { serve } = await import('./serve.ts');
  await serve();
  await endBegun();
}
