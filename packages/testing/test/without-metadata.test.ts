import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { connectProcess, ERAS } from '../src/index.ts';

const TSX = fileURLToPath(import.meta.resolve('tsx/cli'));
const NAMED_INPUT = fileURLToPath(new URL('fixtures/without-metadata/named-input.ts', import.meta.url));
const ERASED_INPUT = fileURLToPath(new URL('fixtures/without-metadata/erased-input.ts', import.meta.url));

/** How a program is started by tsx, which looks for its settings in the working directory. */
function underTsx(program: string): { readonly command: string; readonly args: string[]; readonly cwd: string } {
  return { command: process.execPath, args: [TSX, program], cwd: dirname(program) };
}

/** Runs a program to its end, with nothing to read. */
function run(program: string): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> {
  const { command, args, cwd } = underTsx(program);
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

describe('a server whose compiler emits no metadata', () => {
  it.each(ERAS)('serves tools that name their input class, in the %s era', async (era) => {
    await using session = await connectProcess(underTsx(NAMED_INPUT), { era });
    expect(JSON.parse(await session.text('read', { path: 'a.md' }))).toEqual({
      path: 'a.md',
      isNotePath: true,
      hasContext: true,
    });
    expect(await session.fails('read', { path: 'a'.repeat(21) })).toContain('path');
  });

  it('does not start with a tool that leaves it out, and tells both remedies', async () => {
    const { code, stdout, stderr } = await run(ERASED_INPUT);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/Notes\.read: .*input: .*"emitDecoratorMetadata": true/);
  });
});
