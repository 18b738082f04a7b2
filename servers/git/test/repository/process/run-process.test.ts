import { platform } from 'node:os';

import { describe, expect, it } from 'vitest';

import { runProcess, type GitOutput, type RunOptions } from '../../../src/repository/process/run-process.ts';
import { GONE_MS, processesIn, until } from '../../fixtures/processes.ts';
import { temporaryDirectory } from '../../fixtures/temporary.ts';

const PATH = process.env['PATH'] ?? '';

function shell(cwd: string, script: string, given: Partial<RunOptions> = {}): Promise<GitOutput> {
  const { signal } = new AbortController();
  return runProcess('sh', ['-c', script], { cwd, env: { PATH }, signal, maxBytes: 1000, ...given });
}

describe('a run', () => {
  it('returns the output and the exit code', async () => {
    const output = await shell(await temporaryDirectory(), 'echo out; echo wrong >&2; exit 3');
    expect(output).toEqual({ code: 3, stdout: Buffer.from('out\n'), stderr: 'wrong\n', isTruncated: false });
  });

  it('has only the given environment variables', async () => {
    const { stdout } = await shell(await temporaryDirectory(), 'env | grep -v "^\\(PWD\\|SHLVL\\|_\\|OLDPWD\\)="');
    expect(stdout.toString()).toBe(`PATH=${PATH}\n`);
  });

  it('reads the given input or an empty one, never the stdin of the server', async () => {
    const cwd = await temporaryDirectory();
    expect((await shell(cwd, 'cat', { input: 'given' })).stdout.toString()).toBe('given');
    expect((await shell(cwd, 'cat')).stdout.toString()).toBe('');
  });

  it('succeeds without reading its input', async () => {
    expect(await shell(await temporaryDirectory(), 'exit 0', { input: 'x'.repeat(10_000_000) })).toMatchObject({ code: 0 });
  });

  it('is ended at its limit if the output is endless', async () => {
    const { stdout, isTruncated, code } = await shell(await temporaryDirectory(), 'yes');
    expect({ length: stdout.length, isTruncated, code }).toEqual({ length: 1000, isTruncated: true, code: 0 });
  });

  it('is not truncated if the output has exactly the maximum size', async () => {
    expect(await shell(await temporaryDirectory(), 'head -c 1000 /dev/zero')).toMatchObject({ isTruncated: false });
  });

  it('fails if another program kills the process, even after output', async () => {
    await expect(shell(await temporaryDirectory(), 'echo partial; kill -KILL $$')).rejects.toMatchObject({
      code: 'GIT_FAILED',
      message: 'git was killed by SIGKILL',
    });
  });

  it('fails with GIT_NOT_FOUND for a missing program', async () => {
    const { signal } = new AbortController();
    const cwd = await temporaryDirectory();
    await expect(runProcess('no-such-git', [], { cwd, env: { PATH }, signal, maxBytes: 1 })).rejects.toMatchObject({
      code: 'GIT_NOT_FOUND',
    });
  });

  it('does not start if the signal is already aborted', async () => {
    const reason = new Error('before');
    const started = async (): Promise<GitOutput> =>
      shell(await temporaryDirectory(), 'exit 0', { signal: AbortSignal.abort(reason) });
    await expect(started()).rejects.toBe(reason);
  });
});

describe.runIf(platform() === 'linux')('a run that is aborted', () => {
  it.each([
    ['handles SIGTERM', 'sleep 600'],
    ['has a child that ignores SIGTERM', `(trap '' TERM; sleep 600) & exec sleep 600`],
    ['has exited and left a child that holds its output', `(trap '' TERM; sleep 600) & exit 0`],
  ])('ends at once with all of its group: a process that %s', async (_, script) => {
    const cwd = await temporaryDirectory();
    const controller = new AbortController();
    const ended = shell(cwd, script, { signal: controller.signal }).catch((error: unknown) => error);
    await until(
      async () => (await processesIn(cwd)).some((command) => command.startsWith('sleep')),
      10_000,
      'the process starts',
    );
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await ended).toBe(reason);
    await until(async () => (await processesIn(cwd)).length === 0, GONE_MS, 'the process ends');
  });

  it('is killed if the process ignores SIGTERM', async () => {
    const cwd = await temporaryDirectory();
    const controller = new AbortController();
    const ended = shell(cwd, `trap '' TERM; sleep 600; sleep 600`, { signal: controller.signal }).catch(
      (error: unknown) => error,
    );
    await until(
      async () => (await processesIn(cwd)).some((command) => command.startsWith('sleep')),
      10_000,
      'the process starts',
    );
    controller.abort(new Error('enough'));
    expect(await ended).toMatchObject({ message: 'enough' });
    await until(async () => (await processesIn(cwd)).length === 0, GONE_MS, 'the process ends');
  });
});
