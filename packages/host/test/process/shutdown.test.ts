import { setImmediate as turn } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { drain } from '../../src/process/shutdown.ts';

const never = new Promise<never>(() => undefined);

describe('the wait for requests in flight', () => {
  it.each([
    ['the work is done', Promise.resolve(), never],
    ['the hurry signal arrives', never, Promise.resolve()],
  ])('ends when %s', async (_, work, hurry) => {
    let isOver = false;
    const waiting = drain(work, 60_000, hurry).then(() => (isOver = true));
    await turn();
    expect(isOver).toBe(true);
    await waiting;
  });

  it('lasts for the whole time limit', async () => {
    let done: () => void = () => undefined;
    const work = new Promise<void>((resolve) => {
      done = resolve;
    });
    let isOver = false;
    const waiting = drain(work, 60_000).then(() => (isOver = true));
    await turn();
    expect(isOver).toBe(false);
    done();
    await waiting;
  });
});
