import { fileURLToPath } from 'node:url';

import type { StdioServerParameters } from '@modelcontextprotocol/client/stdio';

const SUITE = new URL('..', import.meta.url).href;
const COMPILED = new URL('../../../node_modules/.compiled/integration/', import.meta.url);

/** Returns how to start a program of this suite as a process: from the output of `tsc`, which exists before the tests begin. */
export function compiledProgram(program: URL): StdioServerParameters {
  const file = new URL(program.href.slice(SUITE.length).replace(/\.ts$/, '.js'), COMPILED);
  return { command: process.execPath, args: [fileURLToPath(file)] };
}
