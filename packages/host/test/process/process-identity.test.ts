import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import { isRunning, thisProcess } from '../../src/index.ts';

describe('a process', () => {
  it('is detected as running', () => {
    expect(isRunning(thisProcess())).toBe(true);
  });

  it('is detected as ended', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    expect(isRunning({ ...thisProcess(), pid: child.pid! })).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is not confused with a later process with the same number', () => {
    expect(isRunning({ ...thisProcess(), started: 'another boot:1' })).toBe(false);
  });

  it('has an unknown state if it runs on another machine', () => {
    expect(isRunning({ ...thisProcess(), machine: 'elsewhere' })).toBeUndefined();
  });
});
