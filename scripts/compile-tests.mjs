import { run } from './run.mjs';

/**
 * Compiles the tests of packages/testing, whose programs run as processes of their own; a moment where nothing has changed.
 * What does not type is compiled all the same: the check says so, and a test that is being written can run before.
 */
export async function setup() {
  const { code, output } = await run('tsc', ['-b', 'packages/testing']);
  if (code !== 0) console.error(output);
}
