import { fileURLToPath } from 'node:url';

import type { StdioServerParameters } from '@modelcontextprotocol/client/stdio';

const PACKAGE = new URL('..', import.meta.url).href;

/** How a program among these tests is started as a process of its own: as tsc compiled it before the tests began. */
export function compiledProgram(program: URL): StdioServerParameters {
  const file = new URL(`node_modules/.compiled/${program.href.slice(PACKAGE.length).replace(/\.ts$/, '.js')}`, PACKAGE);
  return { command: process.execPath, args: [fileURLToPath(file)] };
}
