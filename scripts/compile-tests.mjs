import { run } from './run.mjs';

/** Compiles the tests of packages/testing, whose programs run as processes of their own; a moment where nothing has changed. */
export async function setup() {
  const { code, output } = await run('tsc', ['-b', 'packages/testing']);
  if (code !== 0) throw new Error(output);
}
