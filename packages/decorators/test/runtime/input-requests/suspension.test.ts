import { describe, expect, it, vi } from 'vitest';

import { Suspension } from '../../../src/runtime/input-requests/input-requests.ts';

describe('a Suspension', () => {
  it('is recognised by another copy of the class, and an ordinary error is not', async () => {
    vi.resetModules();
    const copy = await import('../../../src/runtime/input-requests/input-requests.ts');
    expect(copy.Suspension).not.toBe(Suspension);
    expect(copy.Suspension.is(new Suspension())).toBe(true);
    expect([new Error('waits'), { name: 'Suspension' }, undefined].map(Suspension.is)).toEqual([false, false, false]);
  });
});
