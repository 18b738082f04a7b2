import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { connectProcess, startProgram, type RunningProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { ENVELOPE } from '../../support/wire.ts';

const PROGRAM = fileURLToPath(new URL('fixtures/slow-server.mjs', import.meta.url));

function start(env: Record<string, string> = {}): RunningProgram {
  return startProgram({ command: process.execPath, args: [PROGRAM], env });
}

/** Resolves with the next line on stderr that contains the text. */
function says({ stderr }: RunningProgram, text: string): Promise<string> {
  return stderr.next((line) => line.includes(text));
}

describe('a process that receives SIGINT or SIGTERM', () => {
  it('releases its resources, then ends with 0', async () => {
    await using running = start();
    await says(running, 'open');
    running.kill('SIGTERM');
    await says(running, 'dispose');
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  it.each([
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGTERM'],
  ] as const)('ends with 0 after %s and %s, even if it cannot release its resources', async (first, second) => {
    await using running = start({ SLOW_DISPOSE: '1' });
    await says(running, 'open');
    running.kill(first);
    await says(running, 'dispose');
    running.kill(second);
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  it('releases partly opened resources if it is still opening', async () => {
    await using running = start({ SLOW_OPEN: '1' });
    await says(running, 'open');
    running.kill('SIGTERM');
    await says(running, 'dispose');
    running.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0 });
  });
});

describe('a process with environment variables that have no effect', () => {
  it('warns once of a misspelled option, and not of its own variables', async () => {
    await using running = start({ SLOW_RAEDONLY: '1', SLOW_LOG_LEVEL: 'debug', SLOW_SLEEP: '1' });
    await says(running, 'open');
    running.kill('SIGTERM');
    const { stderr } = await running.ended;
    const warnings = stderr.split('\n').filter((line) => line.includes(' warning '));
    expect(warnings).toEqual([
      expect.stringContaining('the environment variable SLOW_RAEDONLY is not an option; did you mean SLOW_READ_ONLY?'),
    ]);
  });

  it('warns of an option of the class that its server renames', async () => {
    const env = { SLOW_READ_ONLY: '1', RENAMED: '1' };
    await using running = start(env);
    expect(await says(running, 'SLOW_READ_ONLY')).toContain('this server is called steady; use STEADY_READ_ONLY');
  });
});

describe('a process whose output is closed', () => {
  it.each([
    ['list', ['dispose\n']],
    ['--help', []],
    ['--version', []],
  ])('prints %s without an error', async (command, lines) => {
    const child = spawn(process.execPath, [PROGRAM, command], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const stderr = await child.stderr.setEncoding('utf8').toArray();
    expect({ code: child.exitCode ?? (await once(child, 'exit'))[0], stderr }).toEqual({ code: 0, stderr: lines });
  });

  it('reports an unusable option to a closed stderr, and ends with 2', async () => {
    const child = spawn(process.execPath, [PROGRAM, '--unknown'], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.destroy();
    const [code] = await once(child, 'exit');
    expect(code).toBe(2);
  });
});

describe('a process that fails', () => {
  it('to open its resources reports the reason without the password, and ends with 1', async () => {
    await using running = start({ FAILING_OPEN: '1' });
    expect(await says(running, 'cannot reach')).toContain('postgres://ada:***@db/notes');
    expect(await running.ended).toMatchObject({ code: 1 });
  });

  it('with an unhandled rejection logs the error, releases its resources and ends with 1', async () => {
    await using running = start();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'reject', arguments: {}, _meta: ENVELOPE } };
    running.stdin.write(`${JSON.stringify(call)}\n`);
    expect(await says(running, 'no handler for this')).toContain('unhandled error');
    await says(running, 'dispose');
    expect(await running.ended).toMatchObject({ code: 1 });
  });
});

describe('the standard output of a process', () => {
  it('contains no console output of the server', async () => {
    await using session = await connectProcess({ command: process.execPath, args: [PROGRAM], stderr: 'ignore' });
    expect(await session.text('talk')).toBe('said');
    expect(await session.text('talk')).toBe('said');
  });
});
