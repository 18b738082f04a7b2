import { setCaller } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { Queue } from '../../src/repository/queue.ts';

/** A signal as calls of a principal over HTTP have one. */
function callOf(key: string): AbortSignal {
  const { signal } = new AbortController();
  setCaller(signal, { key, isShared: false, hasPeers: true });
  return signal;
}

describe('the queue of changes to a repository', () => {
  it('lets a principal change it next, however many changes another one has queued', async () => {
    const queue = new Queue();
    const done: string[] = [];
    const change = (name: string): Promise<void> =>
      queue.add(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        done.push(name);
      }, callOf(name));
    await Promise.all([...Array.from({ length: 50 }, () => change('bob')), change('ada')]);
    expect(done.slice(0, 3)).toContain('ada');
    expect(done).toHaveLength(51);
  });

  it('refuses a principal whose changes wait by the hundred, and takes one of another', async () => {
    const queue = new Queue();
    let end = (): void => undefined;
    const first = queue.add(() => new Promise<void>((resolve) => (end = resolve)), callOf('bob'));
    const nothing = (): Promise<void> => Promise.resolve();
    const waiting = Array.from({ length: 100 }, () => queue.add(nothing, callOf('bob')));
    await expect(queue.add(nothing, callOf('bob'))).rejects.toMatchObject({ code: 'OVERLOADED' });
    const others = queue.add(nothing, callOf('ada'));
    end();
    await Promise.all([first, ...waiting, others]);
  });

  it('does not keep a call that is cancelled until its turn comes', async () => {
    const queue = new Queue();
    let end = (): void => undefined;
    const first = queue.add(() => new Promise<void>((resolve) => (end = resolve)), callOf('bob'));
    const controller = new AbortController();
    const cancelled = queue.add(() => Promise.resolve(), controller.signal);
    controller.abort(new Error('not wanted'));
    await expect(cancelled).rejects.toThrow('not wanted');
    end();
    await first;
  });
});
