import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { IdleMoment } from '../../../../src/postgres/database/embedded/idle-moment.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the first idle moment of an embedded server', () => {
  it('is the first answer, and the listener is called synchronously', () => {
    const idleMoment = new IdleMoment();
    const listener = vi.fn<() => void>();
    idleMoment.started(listener);
    expect(listener).not.toHaveBeenCalled();
    idleMoment.reach();
    expect(listener).toHaveBeenCalledOnce();
    idleMoment.reach();
    vi.runAllTimers();
    expect(listener).toHaveBeenCalledOnce();
  });

  it('is the start if a call has already ended', () => {
    const idleMoment = new IdleMoment();
    const listener = vi.fn<() => void>();
    idleMoment.reach();
    idleMoment.started(listener);
    expect(listener).toHaveBeenCalledOnce();
  });

  it('is reached without any call after a timeout', () => {
    const idleMoment = new IdleMoment();
    const listener = vi.fn<() => void>();
    idleMoment.started(listener);
    vi.runAllTimers();
    expect(listener).toHaveBeenCalledOnce();
  });
});
