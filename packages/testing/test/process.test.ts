import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';

import { connectProcess } from '../src/index.ts';

const PROGRAM = fileURLToPath(new URL('fixtures/slow-server.mjs', import.meta.url));

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves with the next line on stderr that contains the text. */
  readonly says: (text: string) => Promise<string>;
  readonly exited: Promise<unknown>;
}

function start(env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(process.execPath, [PROGRAM], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stderr)[Symbol.asyncIterator]();
  const says = async (text: string): Promise<string> => {
    for (let line = await lines.next(); line.done !== true; line = await lines.next())
      if (line.value.includes(text)) return line.value;
    throw new Error(`stderr ended without "${text}"`);
  };
  return { child, says, exited: once(child, 'exit') };
}

describe('a process that is asked to end', () => {
  it('releases what it holds, then ends with 0', async () => {
    const { child, says, exited } = start();
    await says('open');
    child.kill('SIGTERM');
    await says('dispose');
    expect(await exited).toEqual([0, null]);
  });

  it.each([
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGTERM'],
  ] as const)('by %s and then by %s ends at once', async (first, second) => {
    const { child, says, exited } = start({ SLOW_DISPOSE: '1' });
    await says('open');
    child.kill(first);
    await says('dispose');
    child.kill(second);
    expect(await exited).toEqual([1, null]);
  });

  it('while it opens releases what is half open', async () => {
    const { child, says, exited } = start({ SLOW_OPEN: '1' });
    await says('open');
    child.kill('SIGTERM');
    await says('dispose');
    child.kill('SIGTERM');
    expect(await exited).toEqual([1, null]);
  });
});

describe('a process that fails', () => {
  it('to open says why without the password, and ends with 1', async () => {
    const { says, exited } = start({ FAILING_OPEN: '1' });
    expect(await says('cannot reach')).toContain('postgres://ada:***@db/notes');
    expect(await exited).toEqual([1, null]);
  });

  it('by a rejection that nobody handles logs it, releases what it holds and ends with 1', async () => {
    const { child, says, exited } = start();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'reject', arguments: {} } };
    child.stdin.write(`${JSON.stringify(call)}\n`);
    expect(await says('nobody handles this')).toContain('unhandled error');
    await says('dispose');
    expect(await exited).toEqual([1, null]);
  });
});

describe('the standard output of a process', () => {
  it('carries no stray line of the server', async () => {
    await using session = await connectProcess({ command: process.execPath, args: [PROGRAM], stderr: 'ignore' });
    expect(await session.text('talk')).toBe('said');
    expect(await session.text('talk')).toBe('said');
  });
});
