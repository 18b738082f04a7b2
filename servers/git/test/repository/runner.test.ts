import { platform } from 'node:os';

import { describe, expect, it } from 'vitest';

import { runProcess, type Output, type RunOptions } from '../../src/repository/runner.ts';
import { GONE_MS, processesIn, until } from '../processes.ts';
import { temporaryDirectory } from '../temporary.ts';

const PATH = process.env['PATH'] ?? '';

function shell(cwd: string, script: string, given: Partial<RunOptions> = {}): Promise<Output> {
  const { signal } = new AbortController();
  return runProcess('sh', ['-c', script], { cwd, env: { PATH }, signal, maxBytes: 1000, ...given });
}

describe('a run', () => {
  it('tells what was written, and how it ended', async () => {
    const output = await shell(await temporaryDirectory(), 'echo out; echo wrong >&2; exit 3');
    expect(output).toEqual({ code: 3, stdout: Buffer.from('out\n'), stderr: 'wrong\n', truncated: false });
  });

  it('has no other environment than it is given', async () => {
    const { stdout } = await shell(await temporaryDirectory(), 'env | grep -v "^\\(PWD\\|SHLVL\\|_\\|OLDPWD\\)="');
    expect(stdout.toString()).toBe(`PATH=${PATH}\n`);
  });

  it('reads its input, or nothing: never what the server reads', async () => {
    const cwd = await temporaryDirectory();
    expect((await shell(cwd, 'cat', { input: 'given' })).stdout.toString()).toBe('given');
    expect((await shell(cwd, 'cat')).stdout.toString()).toBe('');
  });

  it('that does not read its input ends well', async () => {
    expect(await shell(await temporaryDirectory(), 'exit 0', { input: 'x'.repeat(10_000_000) })).toMatchObject({ code: 0 });
  });

  it('that writes without end is ended at its limit', async () => {
    const { stdout, truncated, code } = await shell(await temporaryDirectory(), 'yes');
    expect({ length: stdout.length, truncated, code }).toEqual({ length: 1000, truncated: true, code: 0 });
  });

  it('that writes exactly its limit is whole', async () => {
    expect(await shell(await temporaryDirectory(), 'head -c 1000 /dev/zero')).toMatchObject({ truncated: false });
  });

  it('that something else kills has failed, whatever it wrote', async () => {
    await expect(shell(await temporaryDirectory(), 'echo partial; kill -KILL $$')).rejects.toMatchObject({
      code: 'GIT_FAILED',
      message: 'git was ended by SIGKILL',
    });
  });

  it('of a program that is not there says so', async () => {
    const { signal } = new AbortController();
    const cwd = await temporaryDirectory();
    await expect(runProcess('no-such-git', [], { cwd, env: { PATH }, signal, maxBytes: 1 })).rejects.toMatchObject({
      code: 'GIT_NOT_FOUND',
    });
  });

  it('does not begin when it was aborted before', async () => {
    const reason = new Error('before');
    const started = async (): Promise<Output> =>
      shell(await temporaryDirectory(), 'exit 0', { signal: AbortSignal.abort(reason) });
    await expect(started()).rejects.toBe(reason);
  });
});

describe.runIf(platform() === 'linux')('a run that is aborted', () => {
  it.each([
    ['listens', 'sleep 600'],
    ['has a child that ignores SIGTERM', `(trap '' TERM; sleep 600) & exec sleep 600`],
    ['has ended, and left a child with its output', `(trap '' TERM; sleep 600) & exit 0`],
  ])('is gone at once: one that %s', async (_, script) => {
    const cwd = await temporaryDirectory();
    const controller = new AbortController();
    const ended = shell(cwd, script, { signal: controller.signal }).catch((error: unknown) => error);
    await until(async () => (await processesIn(cwd)).some((command) => command.startsWith('sleep')), 10_000, 'it starts');
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await ended).toBe(reason);
    await until(async () => (await processesIn(cwd)).length === 0, GONE_MS, 'it ends');
  });

  it('is killed where it does not listen itself', async () => {
    const cwd = await temporaryDirectory();
    const controller = new AbortController();
    const ended = shell(cwd, `trap '' TERM; sleep 600; sleep 600`, { signal: controller.signal }).catch(
      (error: unknown) => error,
    );
    await until(async () => (await processesIn(cwd)).some((command) => command.startsWith('sleep')), 10_000, 'it starts');
    controller.abort(new Error('enough'));
    expect(await ended).toMatchObject({ message: 'enough' });
    await until(async () => (await processesIn(cwd)).length === 0, GONE_MS, 'it ends');
  });
});
