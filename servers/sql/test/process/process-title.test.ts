import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { startProgram } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/mcp-sql.js', import.meta.url));

/** Returns the command line that the system shows to every user for a process with these arguments. */
async function shownCommand(...args: readonly string[]): Promise<string> {
  const program = startProgram({ command: process.execPath, args: [BIN, '--http', '0', ...args] });
  onTestFinished(() => program[Symbol.asyncDispose]());
  await program.stderr.next((line) => line.includes('serves at'));
  const shown = await readFile(`/proc/${program.pid}/cmdline`, 'utf8');
  return shown.replaceAll('\0', ' ').trim();
}

describe.runIf(process.platform === 'linux')('the command line of a running server', () => {
  it.each([
    [['postgres://app:pa55@127.0.0.1:1/x']],
    [['--database', 'other=postgres://app:pa55@127.0.0.1:1/x']],
    [['--database=other=postgres://app:pa55@127.0.0.1:1/x']],
    [['--url=postgres://127.0.0.1:1/x?user=app&password=pa55']],
  ])('does not show a password: %j', async (args) => {
    const shown = await shownCommand(...args);
    expect(shown).not.toContain('pa55');
    expect(shown).toMatch(/^mcp-sql --http 0 /);
  });

  it('is unchanged without a password', async () => {
    expect(await shownCommand('postgres://app@127.0.0.1:1/x')).toMatch(
      /mcp-sql\.js --http 0 postgres:\/\/app@127\.0\.0\.1:1\/x$/,
    );
  });
});
