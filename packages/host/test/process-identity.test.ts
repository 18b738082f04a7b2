import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import { isRunning, thisProcess } from '../src/index.ts';

describe('a process', () => {
  it('is known to run', () => {
    expect(isRunning(thisProcess())).toBe(true);
  });

  it('is known to have ended', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    expect(isRunning({ ...thisProcess(), pid: child.pid! })).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is not taken for a later one with its number', () => {
    expect(isRunning({ ...thisProcess(), started: 'another boot:1' })).toBe(false);
  });

  it('of another machine is one of which nobody can tell', () => {
    expect(isRunning({ ...thisProcess(), machine: 'elsewhere' })).toBeUndefined();
  });
});
