import { existsSync } from 'node:fs';
import path from 'node:path';

import { runProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { mcpFs } from './fixtures/mcp-fs.ts';
import { temporaryDirectory } from './fixtures/temporary.ts';

describe('the check of the mcp-fs program', () => {
  it.each([
    ['narrow', "narrow: a client's roots narrow the directories; roots that overlap none of them exclude every path"],
    ['overlap', "overlap: a client's roots narrow the directories; roots that overlap none of them change nothing"],
    ['only', "only: a client's roots narrow the directories; a client without roots may use no directory"],
    ['off', "off: clients' roots are not requested; the directories apply unchanged"],
  ])('explains --roots %s', async (use, meaning) => {
    const root = await temporaryDirectory();
    expect(await runProgram(mcpFs('check', '--roots', use, root))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`ok     roots: ${meaning}\n`),
    });
  });

  it.each([
    [[], 'only calls of clients with roots succeed'],
    [['--roots', 'off'], 'every call fails with ROOTS_REQUIRED'],
  ])('names the functions that do not work without directories: %j', async (args, consequence) => {
    expect(await runProgram(mcpFs('check', ...args))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        `wrong  roots: no directories: ${consequence}, and no resources are listed, completed or watched`,
      ),
    });
  });

  it('tries the state directory, and leaves nothing behind', async () => {
    const root = await temporaryDirectory();
    const parent = path.join(await temporaryDirectory(), 'new');
    const state = path.join(parent, 'state');
    expect(await runProgram(mcpFs('check', '--state-dir', state, root))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`ok     state directory ${state}: usable\n`),
    });
    expect(existsSync(parent)).toBe(false);
    const { stdout } = await runProgram(mcpFs('check', '--state-dir', state, '--read-only', root));
    expect(stdout).not.toContain('state directory');
  });

  it.skipIf(process.platform !== 'linux')('reports a state directory that cannot be created', async () => {
    const root = await temporaryDirectory();
    expect(await runProgram(mcpFs('check', '--state-dir', '/proc/state', root))).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^wrong {2}state directory \/proc\/state: no change can be made: ENOENT.*; choose another directory with --state-dir$/m,
      ),
    });
  });

  it.each(['deny', 'allow'])('reports a glob with an unclosed bracket in --%s', async (option) => {
    const root = await temporaryDirectory();
    expect(await runProgram(mcpFs('check', `--${option}`, '[', root))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"[" has a [ without ]'),
    });
  });
});
