import { fileURLToPath } from 'node:url';

import { connectProcess, ERAS, runProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

const FIXTURES = fileURLToPath(new URL('fixtures/without-metadata/', import.meta.url));
const TSX = fileURLToPath(import.meta.resolve('tsx/cli'));
const NAMED_INPUT = underTsx('named-input.ts');
const ERASED_INPUT = underTsx('erased-input.ts');

/** Returns the command that runs a program with tsx, which looks for its settings in the working directory. */
function underTsx(program: string): { readonly command: string; readonly args: string[]; readonly cwd: string } {
  return { command: process.execPath, args: [TSX, program], cwd: FIXTURES };
}

describe('a server whose compiler emits no metadata', () => {
  it.each(ERAS)('serves tools that name their input class, in the %s era', async (era) => {
    await using session = await connectProcess(NAMED_INPUT, { era });
    expect(JSON.parse(await session.text('read', { path: 'a.md' }))).toEqual({
      path: 'a.md',
      isNotePath: true,
      hasContext: true,
    });
    expect(await session.text('context')).toBe('true');
    expect(await session.fails('read', { path: 'a'.repeat(21) })).toContain('path');
  });

  it('does not start with a tool that does not name its input class, and reports both remedies', async () => {
    const { code, stdout, stderr } = await runProgram(ERASED_INPUT);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/Notes\.read: .*input: .*"emitDecoratorMetadata": true/);
  });
});
