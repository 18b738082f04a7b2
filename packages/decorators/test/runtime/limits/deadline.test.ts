import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Deadline } from '../../../src/runtime/limits/deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function pending(): Promise<never> {
  return new Promise(() => undefined);
}

describe('a deadline', () => {
  it('rejects work that takes longer with a TIMEOUT that names the call', async () => {
    using deadline = new Deadline(new AbortController().signal, 1000, 'query');
    const outcome = deadline.race(pending()).catch((error: unknown) => error);
    vi.advanceTimersByTime(999);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await outcome).toMatchObject({ code: 'TIMEOUT', message: 'query took longer than 1000 ms' });
    expect(deadline.signal.reason).toMatchObject({ code: 'TIMEOUT' });
  });

  it('returns the result or the error of work that ends in time', async () => {
    using deadline = new Deadline(new AbortController().signal, 1000, 'query');
    expect(await deadline.race(Promise.resolve('done'))).toBe('done');
    await expect(deadline.race(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  });

  it("is aborted with the reason of the call's cancellation", async () => {
    const call = new AbortController();
    using deadline = new Deadline(call.signal, 1000, 'query');
    const outcome = deadline.race(pending()).catch((error: unknown) => error);
    call.abort(new Error('not wanted any more'));
    expect(await outcome).toEqual(new Error('not wanted any more'));
    using late = new Deadline(call.signal, 1000, 'query');
    await expect(late.race(pending())).rejects.toThrow('not wanted any more');
  });

  it('pauses while the call waits for input from the client', async () => {
    using deadline = new Deadline(new AbortController().signal, 1000, 'query');
    vi.advanceTimersByTime(600);
    let answer: (text: string) => void = () => undefined;
    const first = deadline.pauseFor(new Promise<string>((resolve) => (answer = resolve)));
    vi.advanceTimersByTime(60_000);
    answer('at last');
    expect(await first).toBe('at last');
    vi.advanceTimersByTime(399);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('leaves no timer behind, even if its call ends during a question', async () => {
    const deadline = new Deadline(new AbortController().signal, 1000, 'query');
    let fail: (error: Error) => void = () => undefined;
    const asking = deadline.pauseFor(new Promise<never>((_, reject) => (fail = reject)));
    deadline[Symbol.dispose]();
    fail(new Error('closed'));
    await expect(asking).rejects.toThrow('closed');
    expect(vi.getTimerCount()).toBe(0);
  });
});
