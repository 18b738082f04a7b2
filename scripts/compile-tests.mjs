import { join } from 'node:path';

import { updateJoined } from './join.mjs';
import { ROOT, run } from './workspace/run.mjs';

/** The packages that `tsc` compiles with the suite. */
const COMPILED = ['packages/decorators', 'packages/host'];

/**
 * Compiles the integration suite, whose programs run as separate processes. This takes less than a second if nothing changed.
 * A type error does not stop the tests: `npm run check` reports it, and an unfinished test can already run.
 */
export async function setup() {
  const { code, output } = await run('tsc', ['-b', 'test/integration']);
  if (code !== 0) console.error(output);
  for (const directory of COMPILED) await updateJoined(join(ROOT, directory));
}
