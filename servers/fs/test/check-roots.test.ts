import { runProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { mcpFs } from './mcp-fs.ts';
import { temporaryDirectory } from './temporary.ts';

describe('the check of the mcp-fs program', () => {
  it.each([
    ['narrow', "narrow: a client's roots narrow the directories; roots that overlap none of them exclude every path"],
    ['overlap', "overlap: a client's roots narrow the directories; roots that overlap none of them change nothing"],
    ['only', "only: a client's roots narrow the directories; a client without roots may use none of them"],
    ['off', 'off: clients are not asked for their roots; the directories alone count'],
  ])('says what --roots %s means', async (use, meaning) => {
    const root = await temporaryDirectory();
    expect(await runProgram(mcpFs('check', '--roots', use, root))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`ok     roots: ${meaning}\n`),
    });
  });

  it.each([
    [[], 'only clients that name their roots can call'],
    [['--roots', 'off'], 'every call fails with ROOTS_REQUIRED'],
  ])('with %j says what does not work without directories', async (args, consequence) => {
    expect(await runProgram(mcpFs('check', ...args))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        `wrong  roots: no directories; ${consequence}, and nothing is listed, completed or watched`,
      ),
    });
  });
});
