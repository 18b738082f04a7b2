import { describe, expect, it } from 'vitest';

import type { Caller } from '../../../src/runtime/client/client.ts';
import { FairSemaphore, type FairSemaphoreOptions } from '../../../src/runtime/limits/fair-semaphore.ts';

const ALONE: Caller = { key: 'alone', isShared: false, hasPeers: false };
const NEVER = new AbortController().signal;

function person(key: string): Caller {
  return { key, isShared: false, hasPeers: true };
}

function slotsWith(options: Partial<FairSemaphoreOptions>): FairSemaphore {
  return new FairSemaphore({ slots: 2, refusal: (reason) => new Error(reason), ...options });
}

/** Calls, each of which keeps its slot until the test ends the call. `begun` contains their names in order of start. */
class Calls {
  readonly begun: string[] = [];
  readonly #held = new Map<string, Disposable>();
  readonly #slots: FairSemaphore;

  constructor(slots: FairSemaphore) {
    this.#slots = slots;
  }

  async begin(name: string, caller: Caller, signal: AbortSignal = NEVER): Promise<void> {
    this.#held.set(name, await this.#slots.enter(caller, { signal }));
    this.begun.push(name);
  }

  async end(name: string): Promise<void> {
    this.#held.get(name)?.[Symbol.dispose]();
    await settled();
  }
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('the slots of a fair semaphore', () => {
  it('are all available to a caller without peers, whose waiting calls start in order', async () => {
    const calls = new Calls(slotsWith({}));
    for (const name of ['1', '2', '3', '4']) void calls.begin(name, ALONE);
    await settled();
    expect(calls.begun).toEqual(['1', '2']);
    await calls.end('2');
    expect(calls.begun).toEqual(['1', '2', '3']);
    await calls.end('1');
    expect(calls.begun).toEqual(['1', '2', '3', '4']);
  });

  it('are released once, even if disposed of several times', async () => {
    const slots = slotsWith({ slots: 1 });
    const slot = slots.claim(ALONE);
    expect(slots.claim(ALONE)).toBeUndefined();
    slot?.[Symbol.dispose]();
    slot?.[Symbol.dispose]();
    expect(slots.claim(ALONE)).toBeDefined();
    expect(slots.claim(ALONE)).toBeUndefined();
  });

  it('are available to a known caller while another one queues a thousand calls', async () => {
    const calls = new Calls(slotsWith({ slots: 3, maxWaiting: 1000 }));
    await calls.begin('ada 0', person('ada'));
    await calls.end('ada 0');
    for (let count = 0; count < 1000; count += 1) void calls.begin(`bob ${count}`, person('bob'));
    await settled();
    expect(calls.begun).toEqual(['ada 0', 'bob 0', 'bob 1']);
    await calls.begin('ada 1', person('ada'));
    expect(calls.begun.at(-1)).toBe('ada 1');
  });

  it("are all available to the only caller, and the next free one goes to another caller's first call", async () => {
    const calls = new Calls(slotsWith({ slots: 2 }));
    for (const name of ['bob 1', 'bob 2', 'bob 3']) void calls.begin(name, person('bob'));
    await settled();
    expect(calls.begun).toEqual(['bob 1', 'bob 2']);
    void calls.begin('ada', person('ada'));
    await calls.end('bob 1');
    expect(calls.begun).toEqual(['bob 1', 'bob 2', 'ada']);
    await calls.end('bob 2');
    expect(calls.begun).toEqual(['bob 1', 'bob 2', 'ada', 'bob 3']);
  });

  it('go to the waiting caller with the fewest slots, round-robin among equals', async () => {
    const calls = new Calls(slotsWith({ slots: 1 }));
    const names = ['bob 1', 'bob 2', 'bob 3', 'ada 1', 'ada 2', 'eve 1'];
    for (const name of names) void calls.begin(name, person(name.slice(0, 3)));
    await settled();
    for (let index = 0; index < names.length; index += 1) await calls.end(calls.begun[index] ?? '');
    expect(calls.begun).toEqual(['bob 1', 'bob 2', 'ada 1', 'eve 1', 'bob 3', 'ada 2']);
  });

  it('are limited per caller, so that other callers find the rest free', async () => {
    const calls = new Calls(slotsWith({ slots: 4, slotsPerCaller: 2 }));
    await calls.begin('eve', person('eve'));
    await calls.end('eve');
    calls.begun.length = 0;
    for (const name of ['1', '2', '3']) void calls.begin(name, ALONE);
    await settled();
    expect(calls.begun).toEqual(['1', '2']);
    await calls.begin('ada 1', person('ada'));
    void calls.begin('ada 2', person('ada'));
    await settled();
    expect(calls.begun).toEqual(['1', '2', 'ada 1']);
    await calls.begin('eve', person('eve'));
    await calls.end('1');
    expect(calls.begun).toEqual(['1', '2', 'ada 1', 'eve', '3']);
  });

  it('are no longer requested by a cancelled call', async () => {
    const calls = new Calls(slotsWith({ slots: 1 }));
    const controller = new AbortController();
    await calls.begin('1', ALONE);
    const cancelled = calls.begin('2', ALONE, controller.signal);
    void calls.begin('3', ALONE);
    controller.abort(new Error('not wanted'));
    await expect(cancelled).rejects.toThrow('not wanted');
    await expect(calls.begin('4', ALONE, controller.signal)).rejects.toThrow('not wanted');
    await calls.end('1');
    expect(calls.begun).toEqual(['1', '3']);
  });

  it('are no longer requested by a call whose waiting time is over', async () => {
    const slots = slotsWith({ slots: 1 });
    const held = slots.claim(ALONE);
    await expect(slots.enter(ALONE, { signal: NEVER, withinMs: 1 })).rejects.toThrow('time');
    held?.[Symbol.dispose]();
    expect(await slots.enter(ALONE, { signal: NEVER, withinMs: 1 })).toBeDefined();
  });

  it('are refused if too many calls of the same caller wait, but not to another caller', async () => {
    const slots = slotsWith({ slots: 1, maxWaiting: 2 });
    const calls = new Calls(slots);
    for (const name of ['1', '2', '3']) void calls.begin(name, person('bob'));
    await settled();
    await expect(slots.enter(person('bob'), { signal: NEVER })).rejects.toThrow('queue');
    void calls.begin('ada', person('ada'));
    await calls.end('1');
    await calls.end('2');
    expect(calls.begun).toEqual(['1', '2', 'ada']);
  });
});
