import { describe, expect, it } from 'vitest';

import { Slots } from '../../../src/runtime/limits/slots.ts';

/** Work that ends when it is told to. */
class Work {
  readonly started: number[] = [];
  readonly #ends: (() => void)[] = [];

  run(slots: Slots, id: number, signal: AbortSignal = new AbortController().signal): Promise<number> {
    const work = (): Promise<number> => {
      this.started.push(id);
      return new Promise((resolve) => this.#ends.push(() => resolve(id)));
    };
    return slots.run(work, signal, 'query');
  }

  endNext(): void {
    this.#ends.shift()?.();
  }
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('slots', () => {
  it('run as much at once as there are, and the rest in order', async () => {
    const slots = new Slots(2);
    const work = new Work();
    const all = [1, 2, 3, 4].map((id) => work.run(slots, id));
    await settled();
    expect(work.started).toEqual([1, 2]);
    work.endNext();
    await settled();
    expect(work.started).toEqual([1, 2, 3]);
    work.endNext();
    work.endNext();
    await settled();
    work.endNext();
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4]);
  });

  it('are given back by work that fails', async () => {
    const slots = new Slots(1);
    await expect(slots.run(() => Promise.reject(new Error('failed')), new AbortController().signal, 'query')).rejects.toThrow(
      'failed',
    );
    expect(await slots.run(() => Promise.resolve('next'), new AbortController().signal, 'query')).toBe('next');
  });

  it('are not waited for by a call that is cancelled', async () => {
    const slots = new Slots(1);
    const work = new Work();
    const call = new AbortController();
    const first = work.run(slots, 1);
    const cancelled = work.run(slots, 2, call.signal).catch((error: unknown) => error);
    const third = work.run(slots, 3);
    call.abort(new Error('not wanted'));
    expect(await cancelled).toEqual(new Error('not wanted'));
    await expect(work.run(slots, 4, call.signal)).rejects.toThrow('not wanted');
    work.endNext();
    await settled();
    work.endNext();
    expect(await Promise.all([first, third])).toEqual([1, 3]);
    expect(work.started).toEqual([1, 3]);
  });

  it('are refused to the 101st that waits, until one of them is through', async () => {
    const slots = new Slots(1);
    const work = new Work();
    const admitted = Array.from({ length: 101 }, (_, id) => work.run(slots, id));
    await expect(work.run(slots, 101)).rejects.toMatchObject({
      code: 'OVERLOADED',
      message: 'query runs 1 times at once and 100 calls are waiting',
    });
    work.endNext();
    await settled();
    const last = work.run(slots, 102);
    for (let left = 0; left < 101; left += 1) {
      work.endNext();
      await settled();
    }
    expect(await last).toBe(102);
    expect(await Promise.all(admitted)).toHaveLength(101);
  });
});
