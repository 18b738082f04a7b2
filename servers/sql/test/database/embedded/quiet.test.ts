import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Quiet } from '../../../src/database/embedded/quiet.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the first quiet moment of an embedded server', () => {
  it('is the first answer, and told of before that goes on', () => {
    const quiet = new Quiet();
    const told = vi.fn<() => void>();
    quiet.started(told);
    expect(told).not.toHaveBeenCalled();
    quiet.reach();
    expect(told).toHaveBeenCalledOnce();
    quiet.reach();
    vi.runAllTimers();
    expect(told).toHaveBeenCalledOnce();
  });

  it('is the start, where an answer did not wait for that', () => {
    const quiet = new Quiet();
    const told = vi.fn<() => void>();
    quiet.reach();
    quiet.started(told);
    expect(told).toHaveBeenCalledOnce();
  });

  it('comes without a question too', () => {
    const quiet = new Quiet();
    const told = vi.fn<() => void>();
    quiet.started(told);
    vi.runAllTimers();
    expect(told).toHaveBeenCalledOnce();
  });
});
