import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { runProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

const FILE = fileURLToPath(new URL('../scripts/program/require-node.cjs', import.meta.url));

/** Loads the check of the version in a process that reports this version of Node.js. */
async function start(version: string): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const script = `Object.defineProperty(process, 'version', { value: '${version}' }); require(${JSON.stringify(FILE)});`;
  const { code, stderr } = await runProgram({ command: process.execPath, args: ['-e', script] });
  return { code, stderr };
}

describe('a server program', () => {
  it.each(['v20.19.0', 'v20.20.1', 'v22.11.0', 'v24.1.0', 'v100.0.0'])('starts in Node.js %s', async (version) => {
    expect(await start(version)).toEqual({ code: 0, stderr: '' });
  });

  it.each(['v20.18.3', 'v20.9.0', 'v18.20.4', 'v8.17.0'])('names the necessary version in Node.js %s', async (version) => {
    expect(await start(version)).toEqual({
      code: 1,
      stderr: `This program needs Node.js 20.19 or later, but runs in ${version}. See https://nodejs.org/en/download\n`,
    });
  });

  it.each(['fs', 'git', 'sql'])('checks the version before it loads anything else: mcp-%s', (server) => {
    const program = readFileSync(new URL(`../servers/${server}/bundle/start.js`, import.meta.url), 'utf8');
    expect(/require\('([^']+)'\)/.exec(program)?.[1]).toBe('./require-node.cjs');
  });
});
