import { describe, expect, it } from 'vitest';

import { PendingWork } from '../../src/http/endpoint.ts';

/** Creates a pending operation, and functions that end it or make it fail. */
function work(): { readonly run: () => Promise<string>; readonly end: () => void; readonly fail: () => void } {
  let end: () => void = () => undefined;
  let fail: () => void = () => undefined;
  const done = new Promise<string>((resolve, reject) => {
    end = () => resolve('done');
    fail = () => reject(new Error('failed'));
  });
  return { run: () => done, end: () => end(), fail: () => fail() };
}

describe('pending work', () => {
  it('is idle at once without operations', async () => {
    await new PendingWork().whenIdle();
  });

  it('is idle for every waiting caller when all operations are settled', async () => {
    const inFlight = new PendingWork();
    const [one, other] = [work(), work()];
    const running = [inFlight.track(one.run), inFlight.track(other.run)];
    expect(inFlight.count).toBe(2);
    const order: string[] = [];
    const idle = [inFlight.whenIdle(), inFlight.whenIdle()].map((each) => each.then(() => order.push('idle')));
    one.end();
    expect(await running[0]).toBe('done');
    order.push('one');
    other.fail();
    await expect(running[1]).rejects.toThrow('failed');
    await Promise.all(idle);
    expect([order, inFlight.count]).toEqual([['one', 'idle', 'idle'], 0]);
  });

  it('counts again after it was idle', async () => {
    const inFlight = new PendingWork();
    await inFlight.track(() => Promise.resolve());
    const { run, end } = work();
    const running = inFlight.track(run);
    const idle = inFlight.whenIdle();
    end();
    await Promise.all([running, idle]);
  });
});
