import { setCaller } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { WriteLock } from '../../../src/repository/process/write-lock.ts';

/** Creates the signal of a call of an HTTP principal. */
function createCall(key: string): AbortSignal {
  const { signal } = new AbortController();
  setCaller(signal, { key, isShared: false, hasPeers: true });
  return signal;
}

describe('the write lock of a repository', () => {
  it('is granted to a principal next, however many changes another principal has queued', async () => {
    const lock = new WriteLock();
    const done: string[] = [];
    const change = (name: string): Promise<void> =>
      lock.run(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        done.push(name);
      }, createCall(name));
    await Promise.all([...Array.from({ length: 50 }, () => change('bob')), change('ada')]);
    expect(done.slice(0, 3)).toContain('ada');
    expect(done).toHaveLength(51);
  });

  it('rejects a principal with a hundred waiting changes, and accepts another principal', async () => {
    const lock = new WriteLock();
    let end = (): void => undefined;
    const first = lock.run(() => new Promise<void>((resolve) => (end = resolve)), createCall('bob'));
    const nothing = (): Promise<void> => Promise.resolve();
    const waiting = Array.from({ length: 100 }, () => lock.run(nothing, createCall('bob')));
    await expect(lock.run(nothing, createCall('bob'))).rejects.toMatchObject({ code: 'OVERLOADED' });
    const others = lock.run(nothing, createCall('ada'));
    end();
    await Promise.all([first, ...waiting, others]);
  });

  it('releases a cancelled call at once', async () => {
    const lock = new WriteLock();
    let end = (): void => undefined;
    const first = lock.run(() => new Promise<void>((resolve) => (end = resolve)), createCall('bob'));
    const controller = new AbortController();
    const cancelled = lock.run(() => Promise.resolve(), controller.signal);
    controller.abort(new Error('not wanted'));
    await expect(cancelled).rejects.toThrow('not wanted');
    end();
    await first;
  });
});
