import { describe, expect, it } from 'vitest';

import { InFlight } from '../../src/http/in-flight.ts';

/** A piece of work and what ends it. */
function work(): { readonly run: () => Promise<string>; readonly end: () => void; readonly fail: () => void } {
  let end: () => void = () => undefined;
  let fail: () => void = () => undefined;
  const done = new Promise<string>((resolve, reject) => {
    end = () => resolve('done');
    fail = () => reject(new Error('failed'));
  });
  return { run: () => done, end: () => end(), fail: () => fail() };
}

describe('work in flight', () => {
  it('is idle at once where there is none', async () => {
    await new InFlight().idle();
  });

  it('is idle when all of it is settled, for everybody who waits', async () => {
    const inFlight = new InFlight();
    const [one, other] = [work(), work()];
    const running = [inFlight.during(one.run), inFlight.during(other.run)];
    expect(inFlight.count).toBe(2);
    const order: string[] = [];
    const idle = [inFlight.idle(), inFlight.idle()].map((each) => each.then(() => order.push('idle')));
    one.end();
    expect(await running[0]).toBe('done');
    order.push('one');
    other.fail();
    await expect(running[1]).rejects.toThrow('failed');
    await Promise.all(idle);
    expect([order, inFlight.count]).toEqual([['one', 'idle', 'idle'], 0]);
  });

  it('counts again after it was idle', async () => {
    const inFlight = new InFlight();
    await inFlight.during(() => Promise.resolve());
    const { run, end } = work();
    const running = inFlight.during(run);
    const idle = inFlight.idle();
    end();
    await Promise.all([running, idle]);
  });
});
